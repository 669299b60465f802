#include "store/clue/clue_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kPartBytes = 8;  // parts begin at multiples of this

[[noreturn]] void refuse_segment(const SegmentFile& file) {
  throw Error(ErrorCode::kInput, fmt::format("'{}': the trailer of the texts is damaged", file.name()));
}

}  // namespace

ClueSegment::ClueSegment(const std::string& path, uint64_t recipe_id)
    : ClueSegment(SegmentFile::open(path, clue_segment::kKind, 0), recipe_id) {}

ClueSegment::ClueSegment(std::unique_ptr<const SegmentFile> file, uint64_t recipe_id)
    : ClueSegment(std::move(file), layout_of(*file, recipe_id)) {}

ClueSegment::ClueSegment(std::unique_ptr<const SegmentFile>&& file, const Layout& layout)
    : file_(std::move(file)),
      trailer_(layout.trailer),
      texts_(layout.texts, &file_->guard(), fmt::format("'{}': the texts", file_->name())),
      names_(layout.names, &file_->guard(), fmt::format("'{}': the names", file_->name())),
      skipped_ids_(
          layout.ids.data(),
          static_cast<uint32_t>(std::bit_width(trailer_.texts == 0 ? 0 : trailer_.last_id - trailer_.first_id - (trailer_.texts - 1))),
          &file_->guard()),
      classes_(layout.classes),
      anchors_(layout.image.data(), layout.image.size(), &file_->guard(), fmt::format("'{}'", file_->name())) {
  if (texts_.size() != trailer_.texts || names_.size() != trailer_.texts || anchors_.text_limit() > trailer_.texts) refuse_segment(*file_);
}

ClueSegment::Layout ClueSegment::layout_of(const SegmentFile& file, uint64_t recipe_id) {
  if (file.recipe_id() != recipe_id) {
    throw Error(ErrorCode::kInput,
                fmt::format("'{}': of recipe {:016x}, but the index is of {:016x}", file.name(), file.recipe_id(), recipe_id));
  }
  Layout layout;
  clue_segment::Trailer& trailer = layout.trailer;
  const std::string_view payload = file.payload();
  if (payload.size() < sizeof trailer || payload.size() % kPartBytes != 0) refuse_segment(file);
  std::string_view rest = payload.substr(0, payload.size() - sizeof trailer);
  file.guard().check(rest.data() + rest.size(), sizeof trailer);
  std::memcpy(&trailer, rest.data() + rest.size(), sizeof trailer);
  if (trailer.version != clue_segment::kVersion) {
    throw Error(ErrorCode::kInput, fmt::format("'{}': version {} of the kind 'clue', this program reads version {}", file.name(),
                                               trailer.version, clue_segment::kVersion));
  }
  const uint64_t texts = trailer.texts;
  if (texts > kMaxTexts || file.entries() != texts) refuse_segment(file);
  if (texts == 0 ? trailer.first_id != 0 || trailer.last_id != 0
                 : trailer.last_id < trailer.first_id || trailer.last_id - trailer.first_id < texts - 1) {
    refuse_segment(file);
  }
  const auto take = [&](uint64_t bytes) {
    const uint64_t padded = bytes > rest.size() ? UINT64_MAX : segment::round_up(bytes, kPartBytes);
    if (padded > rest.size()) refuse_segment(file);
    const std::string_view part = rest.substr(0, bytes);
    rest.remove_prefix(padded);
    return part;
  };
  layout.texts = take(trailer.text_bytes);
  layout.names = take(trailer.name_bytes);
  const uint64_t skipped = texts == 0 ? 0 : trailer.last_id - trailer.first_id - (texts - 1);
  layout.ids = take(PackedNumbers::bytes_for(texts, static_cast<uint32_t>(std::bit_width(skipped))));
  layout.classes = take(texts);
  layout.image = take(trailer.image_bytes);
  if (!rest.empty()) refuse_segment(file);
  return layout;
}

std::optional<uint32_t> ClueSegment::find(uint64_t id) const {
  if (trailer_.texts == 0 || id < trailer_.first_id || id > trailer_.last_id) return std::nullopt;
  const double place = static_cast<double>(id - trailer_.first_id) / (static_cast<double>(trailer_.last_id - trailer_.first_id) + 1);
  const auto guess = static_cast<uint64_t>(place * static_cast<double>(trailer_.texts));
  const uint64_t found = first_false(0, trailer_.texts, guess, [&](uint64_t i) { return this->id(static_cast<uint32_t>(i)) < id; });
  if (found == trailer_.texts || this->id(static_cast<uint32_t>(found)) != id) return std::nullopt;
  return static_cast<uint32_t>(found);
}

uint8_t ClueSegment::posting_class(uint32_t text) const {
  file_->guard().check(classes_.data() + text, 1);
  return static_cast<uint8_t>(classes_[text]);
}

uint64_t ClueSegment::min_postings(uint32_t text) const {
  return clue_segment::postings_of_class(posting_class(text));
}

void ClueSegment::prefetch_texts(std::span<const uint32_t> texts) const {
  // Whole blocks of the guard, which verifies all of one before any of it is read.
  const std::string_view payload = file_->payload();
  for (const uint32_t text : texts) {
    const std::string_view bytes = texts_.bytes_of(text);
    const auto offset = static_cast<uint64_t>(bytes.data() - payload.data());
    const uint64_t begin = offset / BlockGuard::kBlockBytes * BlockGuard::kBlockBytes;
    const uint64_t end = segment::round_up(offset + bytes.size(), BlockGuard::kBlockBytes);
    MappedFile::fetch(payload.substr(begin, end - begin));
  }
}

}  // namespace neardup
