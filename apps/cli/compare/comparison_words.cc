// What a comparison shows of weighted words and fingerprints, and what each preset says.
#include <fmt/format.h>

#include <iterator>

#include "cli/compare/comparison_text.h"
#include "cli/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kWordBytes = 60;
constexpr uint32_t kRowBits = 64;   // of a fingerprint in one line
constexpr uint32_t kGroupBits = 8;  // between two blanks
constexpr double kWeightOne = 65536;

bool fixed_point(const Recipe& recipe) {
  return recipe.weighting == Weighting::kTfIdf || recipe.weighting == Weighting::kJiebaKeywords;
}

bool bit_of(Fingerprint128 fingerprint, uint32_t bit) {
  return ((bit < 64 ? fingerprint.low >> bit : fingerprint.high >> (bit - 64)) & 1) != 0;
}

// The bits from `most` down, as many as stand in a row.
template <typename Write>
std::string bit_row(uint32_t most, const Write& write) {
  std::string row;
  for (uint32_t i = 0; i < kRowBits; ++i) {
    if (i > 0 && i % kGroupBits == 0) row.push_back(' ');
    write(most - i, row);
  }
  return row;
}

std::string preset_line(const PresetVerdict& verdict, Threshold threshold, uint32_t max_distance) {
  if (!verdict.problem.empty()) return fmt::format("not asked: {}", printable(verdict.problem));
  const std::string_view said = verdict.match ? "match" : "no match";
  if (verdict.exact_copy) return fmt::format("{:<9} exact copy", said);
  if (verdict.too_short) return fmt::format("{:<9} too short for a sketch", said);
  if (verdict.bits > 0) return fmt::format("{:<9} distance {} of {} bits, at most {}", said, verdict.distance, verdict.bits, max_distance);
  return fmt::format("{:<9} Jaccard {:.6f}, at least {}", said, verdict.jaccard, threshold.value());
}

}  // namespace

double weight_value(const Recipe& recipe, int32_t weight) {
  return fixed_point(recipe) ? weight / kWeightOne : weight;
}

std::string ComparisonPage::words_text() const {
  const Comparison& c = comparison;
  if (c.words.empty()) return "";
  std::string text = fmt::format("\nweight in 1st  weight in 2nd  feature\n");
  const auto cell = [&](int32_t weight) {
    return weight == 0 ? std::string("-") : fmt::format("{:.{}f}", weight_value(plan.recipe, weight), fixed_point(plan.recipe) ? 4 : 0);
  };
  for (const ComparedWord& word : c.words) {
    std::string shown = shortened(word.word, kWordBytes);
    for (char& byte : shown) {
      if (static_cast<unsigned char>(byte) < ' ') byte = ' ';
    }
    text += fmt::format("{:>13}  {:>13}  {}\n", cell(word.weight_a), cell(word.weight_b), printable(shown));
  }
  if (c.words_in_all > c.words.size()) text += fmt::format("{:>28}  and {} more\n", "", grouped(c.words_in_all - c.words.size()));
  return text;
}

std::string ComparisonPage::fingerprints_text(bool colored) const {
  const Comparison& c = comparison;
  if (!c.measurable()) return "";
  std::string text = fmt::format("\nfingerprints of {} bits; {} differ, at most {} may\n", c.bits, c.distance, max_distance);
  const auto hex = [&](Fingerprint128 code) { return c.bits == 64 ? to_hex(code.low_half()) : to_hex(code); };
  text += fmt::format("  1st  {}\n  2nd  {}\n", hex(c.fingerprint_a), hex(c.fingerprint_b));
  for (uint32_t end = c.bits; end > 0; end -= kRowBits) {
    const auto digits = [&](Fingerprint128 code) {
      return bit_row(end - 1, [&](uint32_t bit, std::string& row) {
        const char digit = bit_of(code, bit) ? '1' : '0';
        row += colored && differs(c, bit) ? fmt::format("\033[1;31m{}\033[0m", digit) : std::string(1, digit);
      });
    };
    text += fmt::format("  1st  {}\n  2nd  {}\n", digits(c.fingerprint_a), digits(c.fingerprint_b));
    if (colored) continue;
    std::string marks = bit_row(end - 1, [&](uint32_t bit, std::string& row) { row.push_back(differs(c, bit) ? '^' : ' '); });
    marks.erase(marks.find_last_not_of(' ') + 1);
    if (!marks.empty()) text += fmt::format("       {}\n", marks);
  }
  return text;
}

std::string ComparisonPage::presets_text() const {
  if (presets.empty()) return "";
  std::string text = "\nwhat the presets say\n";
  size_t width = 0;
  for (const PresetVerdict& verdict : presets) width = std::max(width, verdict.name.size());
  for (const PresetVerdict& verdict : presets) {
    text += fmt::format("  {:<{}}  {}\n", verdict.name, width, preset_line(verdict, threshold, max_distance));
  }
  return text;
}

}  // namespace neardup::cli
