#include "store/clue/clue_payload_writer.h"

#include <fmt/format.h>

#include <bit>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kWaitingMemory = uint64_t{4} << 20;  // of names, of ids, of classes

}  // namespace

CluePayloadWriter::CluePayloadWriter(const std::string& path, uint64_t recipe_id, const std::string& recipe, const StoreBuild& build)
    : writer_(path, {.kind = std::string(clue_segment::kKind), .recipe_id = recipe_id, .recipe = recipe}),
      waiting_names_(kWaitingMemory, build.temp_dir),
      ids_(kWaitingMemory, build.temp_dir),
      classes_(kWaitingMemory, build.temp_dir),
      texts_(writer_, resolve_threads(build.threads), build.temp_dir),
      names_(waiting_names_, 1, build.temp_dir) {}

void CluePayloadWriter::add_entry(uint64_t id, uint8_t posting_class) {
  if (trailer_.texts == 0) {
    trailer_.first_id = id;
  } else if (id <= trailer_.last_id) {
    throw Error(ErrorCode::kUsage, fmt::format("the id {} after {}; ids must ascend", id, trailer_.last_id));
  }
  trailer_.last_id = id;
  ids_.add(id);
  classes_.add(posting_class);
  expected_postings_ += clue_segment::postings_of_class(posting_class);
  ++trailer_.texts;
}

void CluePayloadWriter::pad() {
  writer_.append(std::string((8 - writer_.size() % 8) % 8, '\0'));
}

void CluePayloadWriter::begin_image() {
  texts_.finish();
  trailer_.text_bytes = texts_.bytes();
  names_.finish();
  trailer_.name_bytes = names_.bytes();
  waiting_names_.move_to(writer_);

  const uint64_t skipped = trailer_.texts == 0 ? 0 : trailer_.last_id - trailer_.first_id - (trailer_.texts - 1);
  PackedNumberWriter packed(writer_, static_cast<uint32_t>(std::bit_width(skipped)));
  uint64_t expected = trailer_.first_id;  // without gaps
  for (const uint64_t id : ids_.values<uint64_t>()) packed.add(id - expected++);
  packed.finish();
  classes_.move_to(writer_);
  pad();
  image_begin_ = writer_.size();
}

WrittenSegment CluePayloadWriter::commit() {
  trailer_.image_bytes = writer_.size() - image_begin_;
  pad();
  writer_.append({reinterpret_cast<const char*>(&trailer_), sizeof trailer_});
  writer_.set_entries(trailer_.texts);
  writer_.commit();
  return {writer_.sum(), trailer_.texts};
}

}  // namespace neardup
