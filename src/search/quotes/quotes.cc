#include "search/quotes/quotes.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/error.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

// The budget's parts: both sorts and the forms get an eighth each before they go to disk; the shared part of the corpus may take half.
constexpr uint64_t kSortShare = 8;
constexpr uint64_t kRunsShare = 2;

// A window and its last gram have at most min_columns, so every run of min_columns has a whole window. Grams are longer than those of a
// clue index: each place of a gram that several texts have costs memory, and shorter ones are shared by chance more often.
AnchorShape quote_shape(uint32_t min_columns) noexcept {
  AnchorShape shape{.gram = 8};
  shape.window = std::min(min_columns, AnchorShape::kMaxMinRun) - shape.gram;
  return shape;
}

// The byte where the n-th code point before, or after, `at` begins.
size_t points_left(std::string_view form, size_t at, uint32_t n) noexcept {
  while (at > 0 && n > 0) {
    --at;
    n -= (static_cast<uint8_t>(form[at]) & 0xC0) != 0x80 ? 1 : 0;
  }
  return at;
}
size_t points_right(std::string_view form, size_t at, uint32_t n) noexcept {
  while (at < form.size() && n > 0) {
    ++at;
    while (at < form.size() && (static_cast<uint8_t>(form[at]) & 0xC0) == 0x80) ++at;
    --n;
  }
  return at;
}

}  // namespace

QuoteFinder::QuoteFinder(const QuoteSettings& settings)
    : settings_(settings), shape_(quote_shape(settings.min_columns)), forms_(settings.memory_bytes / kSortShare, settings.temp_dir) {
  occurrences_.emplace(settings.memory_bytes / kSortShare, settings.temp_dir);
}

void QuoteFinder::add(std::string_view form, std::span<const Anchor> anchors) {
  if (ends_.size() == UINT32_MAX) throw Error(ErrorCode::kResource, "quotes: at most 4294967295 texts are compared");
  batch_.clear();
  for (const Anchor& anchor : anchors) batch_.push_back({anchor.hash, texts(), anchor.begin});
  occurrences_->add(batch_);
  forms_.append(form);
  ends_.push_back(forms_.size());
}

std::string_view QuoteFinder::form(uint32_t text) const {
  const uint64_t begin = text == 0 ? 0 : ends_[text - 1];
  return all_forms_.substr(begin, ends_[text] - begin);
}

void QuoteFinder::for_each(const std::function<void(const RepeatedRuns::Run&)>& visit) {
  all_forms_ = forms_.bytes();
  RepeatedRuns runs([this](uint32_t text) { return form(text); }, settings_.memory_bytes / kRunsShare);
  {
    SharedAnchors shared(settings_.memory_bytes / kSortShare, settings_.temp_dir);
    find_shared(shared);
    take_parts(shared, runs);
  }
  shared_points_ = runs.points();
  slices_ = runs.slices();
  runs.for_each(settings_.min_columns, settings_.max_places, visit);
}

// The occurrences of hashes that at least two texts have.
void QuoteFinder::find_shared(SharedAnchors& shared) {
  std::vector<SharedAnchor> waiting;  // of one hash, while one text has it
  uint64_t hash = 0;
  bool several = false;
  occurrences_->for_each([&](const Occurrence& occurrence) {
    if (occurrence.hash != hash) {
      waiting.clear();
      several = false;
      hash = occurrence.hash;
    }
    if (!waiting.empty() && waiting.back().text != occurrence.text) several = true;
    waiting.push_back({occurrence.text, occurrence.begin});
    if (!several) return;
    shared.add(waiting);
    waiting.clear();
  });
  spilled_bytes_ += occurrences_->spilled_bytes() + shared.spilled_bytes();
  occurrences_.reset();
}

// A place in a shared run lies in a window of it, with the grams of the window, and so at most window + gram code points away from a shared
// anchor of the run. What lies further away from every shared anchor is in no run.
void QuoteFinder::take_parts(SharedAnchors& shared, RepeatedRuns& runs) {
  const uint32_t reach = shape_.window + shape_.gram;
  uint32_t text = 0;
  size_t begin = 0;
  size_t end = 0;  // of the open part; 0: none
  const auto close = [&] {
    if (end == 0) return;
    const std::string_view part = form(text).substr(begin, end - begin);
    const uint64_t points = count_character_begins(part);
    runs.add({text, static_cast<uint32_t>(begin), static_cast<uint32_t>(end), static_cast<uint32_t>(points)});
    end = 0;
  };
  shared.for_each([&](const SharedAnchor& anchor) {
    const std::string_view whole = form(anchor.text);
    const size_t from = points_left(whole, anchor.begin, reach);
    if (anchor.text != text || from > end) {
      close();
      text = anchor.text;
      begin = from;
    }
    end = points_right(whole, anchor.begin, reach);
  });
  close();
}

}  // namespace neardup
