#include "store/clue/clue_segment_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

using clue_segment::posting_class;
using clue_segment::postings_of_class;

constexpr uint64_t kCheckEvery = uint64_t{1} << 16;    // texts or postings: about a millisecond
constexpr uint64_t kCountedTexts = uint64_t{1} << 26;  // whose postings are counted in one pass over the image

[[noreturn]] void refuse_segment_part(const ClueSegment& segment, const std::string& what) {
  throw Error(ErrorCode::kInput, fmt::format("'{}': {}", segment.file().name(), what));
}

// The most postings that a text of this class can have: one at each code point, whose number has 32 bits. So no sum of them overflows.
uint64_t max_postings_of_class(uint8_t value) {
  return value == UINT8_MAX ? UINT32_MAX : std::min<uint64_t>(postings_of_class(static_cast<uint8_t>(value + 1)) - 1, UINT32_MAX);
}

void check_ids(const ClueSegment& segment, uint64_t next_id) {
  const uint32_t texts = segment.texts();
  for (uint32_t text = 0; text < texts; ++text) {
    if (text % kCheckEvery == 0) check_stop();
    const uint64_t id = segment.id(text);
    if (text > 0 && id <= segment.id(text - 1)) {
      refuse_segment_part(segment, fmt::format("text {} has the id {} after {}; expected ascending ids", text, id, segment.id(text - 1)));
    }
    if (id >= next_id) refuse_segment_part(segment, fmt::format("text {} has the id {}; the index has ids below {}", text, id, next_id));
  }
  // Between the ids that the trailer states.
  for (const uint32_t text : {uint32_t{0}, texts - 1}) {
    if (texts > 0 && segment.find(segment.id(text)) != text) {
      refuse_segment_part(segment, fmt::format("the id {} of text {} is not found", segment.id(text), text));
    }
  }
}

// Counts the postings of texts [begin, end), and compares them with the classes.
void check_postings(const ClueSegment& segment, uint32_t begin, uint32_t end) {
  std::vector<uint32_t> counts(end - begin);
  uint64_t visited = 0;
  segment.anchors().for_each([&](const Posting& posting) {
    if (++visited % kCheckEvery == 0) check_stop();
    if (posting.text >= begin && posting.text < end) ++counts[posting.text - begin];
  });
  for (uint32_t text = begin; text < end; ++text) {
    const uint32_t count = counts[text - begin];
    if (posting_class(count) == segment.posting_class(text)) continue;
    refuse_segment_part(segment, fmt::format("text {} has {} postings, which is the size {}; the segment states {}", text, count,
                                             posting_class(count), segment.posting_class(text)));
  }
}

}  // namespace

void check_posting_classes(const ClueSegment& segment) {
  const uint64_t postings = segment.anchors().postings();
  uint64_t least = 0;
  uint64_t most = 0;
  const uint32_t texts = segment.texts();
  for (uint32_t text = 0; text < texts; ++text) {
    if (text % kCheckEvery == 0) check_stop();
    const uint8_t value = segment.posting_class(text);
    least += postings_of_class(value);
    most += max_postings_of_class(value);
    if (least > postings) break;  // before the sum can overflow
  }
  if (least > postings || most < postings) {
    refuse_segment_part(segment, fmt::format("the sizes of its texts do not agree with its {} postings", postings));
  }
}

void verify_clue_segment(const ClueSegment& segment, uint64_t next_id, uint32_t threads) {
  segment.file().verify_all(threads);
  check_ids(segment, next_id);
  segment.text_table().verify(threads);
  segment.name_table().verify(threads);
  // At least once, for the order of the postings.
  uint64_t begin = 0;
  do {
    const uint64_t end = std::min<uint64_t>(begin + kCountedTexts, segment.texts());
    check_postings(segment, static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
    begin = end;
  } while (begin < segment.texts());
  segment.file().check();
}

}  // namespace neardup
