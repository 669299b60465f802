#include "search/find/find_containing.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "neardup/stop.h"
#include "search/find/asked_grams.h"

namespace neardup {
namespace {

// Of a long clue, anchors all over it; more prove nothing new.
constexpr size_t kMaxCertain = 32;
constexpr size_t kMinBatch = 8;
constexpr size_t kMaxBatch = 64;
constexpr size_t kCountBatch = 1024;
constexpr uint32_t kAskEvery = 4096;  // texts, whether to stop

// A list and the anchor of the clue that it is read for.
struct CertainList {
  AnchorImage::Cursor cursor;
  ClueAnchor anchor;
};

// How many lists are intersected, if the rarest has so many postings. Each settles most of the texts that lack the clue, and costs about a
// read of the list for each text that is left.
size_t list_count(uint64_t rarest) {
  if (rarest <= 2) return 1;
  return rarest <= 16 ? 2 : 6;
}

// The texts of one segment that have the certain anchors of the clue, ascending.
class CertainTexts {
 public:
  CertainTexts(const SearchView& view, uint32_t part, const std::vector<AskedGram>& asked, ClueTrace& trace)
      : view_(view), part_(part), trace_(trace) {
    std::vector<const AskedGram*> rarest;
    for (const AskedGram& gram : asked) {
      if (gram.lists[part].count == 0) return;  // no text of the segment has the clue
      rarest.push_back(&gram);
    }
    std::ranges::stable_sort(rarest, {}, [part](const AskedGram* gram) { return gram->lists[part].count; });
    rarest.resize(std::min(rarest.size(), list_count(rarest.front()->lists[part].count)));
    const AnchorImage& image = view.parts[part].texts->anchors();
    for (const AskedGram* gram : rarest) image.fetch_list(gram->lists[part]);
    for (const AskedGram* gram : rarest) {
      for (const ClueAnchor& place : gram->places) lists_.push_back({AnchorImage::Cursor(image, gram->lists[part]), place});
    }
    find();
  }

  [[nodiscard]] bool done() const noexcept { return lists_.empty(); }
  [[nodiscard]] uint32_t text() const noexcept { return text_; }
  [[nodiscard]] uint64_t id() const noexcept { return id_; }
  void next() { find(); }

 private:
  // Moves to the next text that all lists have with the right neighbourhood.
  void find() {
    for (uint32_t steps = 1; !lists_.empty(); ++steps) {
      if (steps % kAskEvery == 0) check_stop();
      if (!align()) return lists_.clear();
      const uint32_t text = lists_.front().cursor.text();
      // Every cursor leaves the text, whatever it finds.
      bool fits = true;
      for (CertainList& list : lists_) fits = pass(list, text) && fits;
      if (view_.removed(view_.parts[part_], text)) continue;
      ++trace_.candidates;
      if (!fits) {
        ++trace_.settled;
        continue;
      }
      text_ = text;
      id_ = view_.parts[part_].texts->id(text);
      return;
    }
  }

  // Moves all cursors to the first text that all lists have; false: there is none.
  bool align() {
    for (const CertainList& list : lists_) {
      if (list.cursor.done()) return false;
    }
    uint32_t text = lists_.front().cursor.text();
    for (size_t i = 1, agreeing = 1; agreeing < lists_.size(); i = (i + 1) % lists_.size()) {
      AnchorImage::Cursor& cursor = lists_[i].cursor;
      cursor.seek(text);
      if (cursor.done()) return false;
      agreeing = cursor.text() == text ? agreeing + 1 : 1;
      text = cursor.text();
    }
    return true;
  }

  // Moves past the text; returns whether one of its postings has the neighbourhood of the anchor.
  static bool pass(CertainList& list, uint32_t text) {
    bool fits = false;
    for (; !list.cursor.done() && list.cursor.text() == text; list.cursor.next()) {
      fits = fits || ((list.cursor.context() ^ list.anchor.context) & list.anchor.known) == 0;
    }
    return fits;
  }

  const SearchView& view_;
  const uint32_t part_;
  ClueTrace& trace_;
  std::vector<CertainList> lists_;  // none: done
  uint32_t text_ = 0;
  uint64_t id_ = 0;
};

}  // namespace

void find_containing(SearchRun& run) {
  const std::vector<AskedGram> asked = look_up(run, spread(run.question().certain(), kMaxCertain), GramKind::kCertain);
  std::vector<std::unique_ptr<CertainTexts>> parts;
  for (uint32_t part = 0; part < run.view().parts.size(); ++part) {
    parts.push_back(std::make_unique<CertainTexts>(run.view(), part, asked, run.trace));
  }
  std::vector<Candidate> batch;
  while (!run.overfull()) {
    // As many as the limit lacks, and the one that says whether there are more. The limit may be the largest number.
    const uint64_t missing = run.question().options().limit - run.hits().count();
    const size_t size = run.counts_only() ? kCountBatch : std::clamp<uint64_t>(missing, kMinBatch - 1, kMaxBatch - 1) + 1;
    batch.clear();
    while (batch.size() < size) {
      uint32_t first = UINT32_MAX;
      for (uint32_t part = 0; part < parts.size(); ++part) {
        if (!parts[part]->done() && (first == UINT32_MAX || parts[part]->id() < parts[first]->id())) first = part;
      }
      if (first == UINT32_MAX) break;
      batch.push_back({first, parts[first]->text()});
      parts[first]->next();
    }
    if (batch.empty()) return;
    run.verify(batch);
  }
}

}  // namespace neardup
