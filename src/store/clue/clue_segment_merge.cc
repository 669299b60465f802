#include "store/clue/clue_segment_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "base/spill_file.h"
#include "index/anchors/anchor_image_writer.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "store/clue/clue_payload_writer.h"
#include "store/clue/clue_segment_check.h"

namespace neardup {
namespace {

constexpr uint32_t kNoNumber = UINT32_MAX;

// Texts [first, first + count) of a part, which come one after the other in the merged segment.
struct TextRun {
  uint32_t part;
  uint32_t first;
  uint32_t count;
};

// Goes through the texts of a part that are not removed.
class KeptTexts {
 public:
  KeptTexts(const ClueMergePart& part, const Removals& removals) : part_(part), removals_(removals) { skip_removed(); }

  [[nodiscard]] bool done() const noexcept { return text_ == part_.segment->texts(); }
  [[nodiscard]] uint32_t text() const noexcept { return text_; }
  [[nodiscard]] uint64_t id() const noexcept { return id_; }
  void next() {
    ++text_;
    skip_removed();
  }

 private:
  void skip_removed() {
    for (; !done(); ++text_) {
      id_ = part_.segment->id(text_);
      if (!removals_.kill(id_, part_.born)) return;
    }
  }

  const ClueMergePart& part_;
  const Removals& removals_;
  uint32_t text_ = 0;
  uint64_t id_ = 0;
};

// The new numbers of the texts of a part. Most parts are moved as a whole; others have a table, in pieces that go to a file which all
// parts share: an index may have more segments than a process may open files.
class NewNumbers {
 public:
  NewNumbers(uint32_t texts, SpillFile& shared) : texts_(texts), shared_(shared) {}

  // Runs ascend.
  void add_run(uint32_t first, uint32_t count, uint32_t number) {
    if (first == 0 && count == texts_) {
      moved_by_ = number;
      return;
    }
    while (next_ < first) add(kNoNumber);
    for (uint32_t i = 0; i < count; ++i) add(number + i);
  }
  // After all runs of the part.
  void finish() {
    if (moved_by_) return;
    while (next_ < texts_) add(kNoNumber);
    end_piece();
    std::vector<uint32_t>().swap(piece_);
  }
  // Once all parts are finished: what they share.
  void look_up_in(std::span<const uint32_t> numbers) noexcept { numbers_ = numbers; }
  // kNoNumber: the text is removed.
  [[nodiscard]] uint32_t operator[](uint32_t text) const noexcept {
    return moved_by_ ? text + *moved_by_ : numbers_[pieces_[text / kPiece] + text % kPiece];
  }

 private:
  static constexpr uint32_t kPiece = 1 << 14;  // numbers

  void add(uint32_t number) {
    piece_.push_back(number);
    ++next_;
    if (piece_.size() == kPiece) end_piece();
  }
  void end_piece() {
    pieces_.push_back(shared_.size() / sizeof(uint32_t));
    shared_.append({reinterpret_cast<const char*>(piece_.data()), piece_.size() * sizeof(uint32_t)});
    piece_.clear();
  }

  uint32_t texts_;
  std::optional<uint32_t> moved_by_;
  SpillFile& shared_;
  uint32_t next_ = 0;
  std::vector<uint32_t> piece_;   // the last one
  std::vector<uint64_t> pieces_;  // where they begin
  std::span<const uint32_t> numbers_;
};

class ClueMerge {
 public:
  ClueMerge(std::span<const ClueMergePart> parts, const Removals& removals, const StoreBuild& build)
      : parts_(parts), removals_(removals), runs_(share(build), build.temp_dir), shared_numbers_(share(build), build.temp_dir) {
    numbers_.reserve(parts.size());
    for (const ClueMergePart& part : parts) numbers_.emplace_back(part.segment->texts(), shared_numbers_);
  }

  // Decides the order of the texts.
  void order_texts(CluePayloadWriter& payload);
  void copy_texts(CluePayloadWriter& payload);
  void merge_postings(CluePayloadWriter& payload);

 private:
  // The runs and the numbers have half of the memory.
  static uint64_t share(const StoreBuild& build) noexcept {
    return build.memory == 0 ? 0 : std::max<uint64_t>(build.memory / 4, uint64_t{1} << 20);
  }
  void end_run(const TextRun& run, uint32_t number);

  std::span<const ClueMergePart> parts_;
  const Removals& removals_;
  SpillFile runs_;
  SpillFile shared_numbers_;
  std::vector<NewNumbers> numbers_;  // of each part
};

void ClueMerge::end_run(const TextRun& run, uint32_t number) {
  runs_.add(run);
  numbers_[run.part].add_run(run.first, run.count, number);
}

void ClueMerge::order_texts(CluePayloadWriter& payload) {
  constexpr uint64_t kAskEvery = 1 << 14;  // texts: well below a tenth of a second
  std::vector<KeptTexts> kept;
  kept.reserve(parts_.size());
  using Head = std::pair<uint64_t, uint32_t>;  // id, part
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  for (uint32_t part = 0; part < parts_.size(); ++part) {
    kept.emplace_back(parts_[part], removals_);
    if (!kept[part].done()) heads.emplace(kept[part].id(), part);
  }
  std::optional<uint64_t> last;
  while (!heads.empty()) {
    const uint32_t part = heads.top().second;
    heads.pop();
    KeptTexts& texts = kept[part];
    TextRun run{part, texts.text(), 0};
    const uint32_t number = payload.entries();
    // As long as the part has the next text.
    do {
      if (last && texts.id() <= *last) {
        throw Error(ErrorCode::kInput,
                    fmt::format("'{}': the id {} comes after {} of these segments; expected ascending ids without repetition",
                                parts_[part].segment->file().name(), texts.id(), *last));
      }
      last = texts.id();
      if (payload.entries() == ClueSegment::kMaxTexts) {
        throw Error(ErrorCode::kUsage, fmt::format("more than {} texts in one segment; keep more segments", ClueSegment::kMaxTexts));
      }
      payload.add_entry(texts.id(), parts_[part].segment->posting_class(texts.text()));
      if (payload.entries() % kAskEvery == 0) check_stop();
      ++run.count;
      texts.next();
    } while (!texts.done() && texts.text() == run.first + run.count && (heads.empty() || texts.id() < heads.top().first));
    end_run(run, number);
    if (!texts.done()) heads.emplace(texts.id(), part);
  }
  for (NewNumbers& numbers : numbers_) numbers.finish();
  const auto all = shared_numbers_.values<uint32_t>();
  for (NewNumbers& numbers : numbers_) numbers.look_up_in(all);
}

void ClueMerge::copy_texts(CluePayloadWriter& payload) {
  // One scratch for each part, whose current block is used again when runs of parts alternate.
  std::vector<BlockTable::Scratch> texts(parts_.size());
  std::vector<BlockTable::Scratch> names(parts_.size());
  for (const TextRun& run : runs_.values<TextRun>()) {
    check_stop();
    const ClueSegment& segment = *parts_[run.part].segment;
    payload.texts().append(segment.text_table(), run.first, run.first + run.count, texts[run.part]);
    payload.names().append(segment.name_table(), run.first, run.first + run.count, names[run.part]);
  }
}

// The postings of a part that are kept, with new numbers. These ascend with the old ones, so the postings are still in order.
class KeptPostings {
 public:
  KeptPostings(const AnchorImage& image, const NewNumbers& numbers)
      : walk_(std::make_unique<AnchorImage::Walk>(image)), numbers_(&numbers) {
    skip_removed();
  }

  [[nodiscard]] bool done() const noexcept { return walk_->done(); }
  [[nodiscard]] const Posting& posting() const noexcept { return posting_; }
  void next() {
    walk_->next();
    skip_removed();
  }

 private:
  void skip_removed() {
    for (; !walk_->done(); walk_->next()) {
      posting_ = walk_->posting();  // whose text is one of the part: the segment checks the limit of the image
      posting_.text = (*numbers_)[posting_.text];
      if (posting_.text != kNoNumber) return;
    }
  }

  std::unique_ptr<AnchorImage::Walk> walk_;
  const NewNumbers* numbers_;
  Posting posting_;
};

void ClueMerge::merge_postings(CluePayloadWriter& payload) {
  AnchorImageWriter image(payload.image(), payload.expected_postings());
  std::vector<KeptPostings> heap;  // the first of all postings at the front
  for (size_t part = 0; part < parts_.size(); ++part) {
    KeptPostings postings(parts_[part].segment->anchors(), numbers_[part]);
    if (!postings.done()) heap.push_back(std::move(postings));
  }
  const auto later = [](const KeptPostings& a, const KeptPostings& b) { return b.posting() < a.posting(); };
  std::ranges::make_heap(heap, later);
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, later);
    KeptPostings& first = heap.back();
    // Often the next ones are of the same part.
    do {
      image.add(first.posting());
      first.next();
    } while (!first.done() && (heap.size() == 1 || first.posting() < heap.front().posting()));
    if (first.done())
      heap.pop_back();
    else
      std::ranges::push_heap(heap, later);
  }
  image.finish();
}

}  // namespace

WrittenSegment merge_clue_segments(const std::string& path, uint64_t recipe_id, const std::string& recipe,
                                   std::span<const ClueMergePart> parts, const Removals& removals, const StoreBuild& build) {
  for (const ClueMergePart& part : parts) check_posting_classes(*part.segment);
  CluePayloadWriter payload(path, recipe_id, recipe, build);
  ClueMerge merge(parts, removals, build);
  merge.order_texts(payload);
  merge.copy_texts(payload);
  payload.begin_image();
  merge.merge_postings(payload);
  for (const ClueMergePart& part : parts) part.segment->file().check();  // before the file gets its name
  return payload.commit();
}

}  // namespace neardup
