#include "neardup/tools/rejects.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/format.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

struct Name {
  std::string_view name;
  std::string_view words;
};

// In the order of the enumeration. The words of two kinds name the field.
constexpr std::array<Name, kRejectKinds> kNames{{
    {"broken_json", "broken JSON"},
    {"not_utf8", "not UTF-8"},
    {"broken_row", "broken row"},
    {"missing_field", "missing {}"},
    {"field_type", "with {} of the wrong type"},
    {"invalid_value", "invalid value"},
    {"too_long", "too long"},
    {"damaged", "damaged"},
    {"broken_body", "broken page body"},
    {"unreadable", "unreadable"},
    {"other", "other"},
}};
static_assert(static_cast<size_t>(RejectKind::kOther) + 1 == kRejectKinds);

}  // namespace

std::string_view to_string(RejectKind kind) noexcept {
  return kNames[static_cast<size_t>(kind)].name;
}

std::string in_words(RejectKind kind, std::string_view field) {
  std::string words(kNames[static_cast<size_t>(kind)].words);
  if (const size_t at = words.find("{}"); at != std::string::npos) words.replace(at, 2, field);
  return words;
}

RejectCounts& RejectCounts::operator+=(const RejectCounts& other) noexcept {
  for (size_t i = 0; i < kRejectKinds; ++i) counts_[i] += other.counts_[i];
  return *this;
}

uint64_t RejectCounts::total() const noexcept {
  return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
}

std::string RejectCounts::to_json() const {
  std::string text = "{";
  for (size_t i = 0; i < kRejectKinds; ++i) {
    append_format(text, "{}\"{}\":{}", i == 0 ? "" : ",", kNames[i].name, counts_[i]);
  }
  return text + "}";
}

std::string RejectCounts::to_text(std::string_view field) const {
  std::array<size_t, kRejectKinds> order;
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t kind) { return counts_[kind]; });
  std::string text;
  for (const size_t kind : order) {
    if (counts_[kind] == 0) break;
    append_format(text, "{}{} {}", text.empty() ? "" : ", ", grouped(counts_[kind]), in_words(static_cast<RejectKind>(kind), field));
  }
  return text;
}

void RejectLog::add(std::string_view place, RejectKind kind, std::string_view problem, std::vector<std::string>& warnings) {
  if (total() < kMaxWarnings) warnings.push_back(fmt::format("{}: rejected: {}", place, problem));
  if (total() == 0) first_ = fmt::format("{}: {}", place, problem);
  by_kind_.add(kind);
}

}  // namespace neardup
