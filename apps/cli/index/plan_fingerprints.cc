#include "cli/index/plan_fingerprints.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include "cli/text_format.h"

namespace neardup::cli {
namespace {

constexpr std::array kSimilarities{0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 1.0};
constexpr std::array<uint64_t, 5> kCorpora{1'000'000, 10'000'000, 100'000'000, 1'000'000'000, 10'000'000'000};

// Small numbers keep their size, large ones get no false digits.
std::string expected_pairs(double pairs) {
  if (pairs >= 1e15) return fmt::format("{:.1e}", pairs);
  if (pairs >= 100) return grouped(static_cast<uint64_t>(std::llround(pairs)));
  return fmt::format("{:.2g}", pairs);
}

}  // namespace

std::string fingerprint_plan_text(const RunPlan& plan) {
  const uint32_t bits = plan.fingerprint_bits;
  const uint32_t most = plan.max_distance;
  std::string text = fmt::format("fingerprints of {} bits match when at most {} differ\n", bits, most);
  text += "The search finds every such pair; what is missed are similar texts whose fingerprints differ in more bits.\n\n";
  text += "   Jaccard    cosine   bits that differ      match\n";
  for (const double s : kSimilarities) {
    text += fmt::format("{:>10.2f}{:>10.4f}{:>19.1f}{:>9.4f} %\n", s, 2 * s / (1 + s), fingerprint_distance(bits, s),
                        100 * fingerprint_recall(bits, most, s));
  }
  text += "\nFor texts of equal length whose features weigh the same; where weights differ, go by the cosine of the weighted features.\n";
  text += "\n         texts   pairs of strangers that match by chance\n";
  const double chance = fingerprint_chance(bits, most);
  for (const uint64_t texts : kCorpora) {
    const auto count = static_cast<double>(texts);
    text += fmt::format("{:>14}   {:>20}\n", grouped(texts), expected_pairs(count * (count - 1) / 2 * chance));
  }
  text +=
      "\nThat is for random fingerprints; texts that share boilerplate are nearer to each other. --verify cosine or jaccard looks again.\n";
  return text;
}

}  // namespace neardup::cli
