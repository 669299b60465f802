#include "io/table/table_batch.h"

#include "io/bytes/json_padding.h"

namespace neardup {
namespace {

// Lines are made and visited in pieces of about this size, so that a batch of wide rows does not stand in memory twice.
constexpr size_t kPieceBytes = 1u << 20;
// Wanted rows are written in runs of at most so many.
constexpr uint64_t kRunRows = 64;

}  // namespace

uint32_t TableBatch::read(Need need, const Filter& wanted, const Visitor& visit) {
  const auto records = static_cast<uint32_t>(rows_);
  ordinals_.clear();
  for (uint32_t i = 0; i < records; ++i) {
    if (!wanted || wanted(i)) ordinals_.push_back(i);
  }
  if (need == Need::kPlace) {
    Record record;
    for (const uint32_t i : ordinals_) {
      record.where = {.source = source_, .row = uint64_t{i} + 1};
      visit(i, record);
    }
  } else if (!ordinals_.empty()) {
    read_rows(need, visit);
  }
  return records;
}

void TableBatch::read_rows(Need need, const Visitor& visit) {
  const Projection& projection = need == Need::kText ? *table_.needed : *table_.all;
  const std::vector<ChunkRows> fetched =
      reader_ != nullptr ? reader_->read(table_.file, range_, projection.select) : std::vector<ChunkRows>{};
  std::string lines;
  size_t visited = 0;  // of ordinals_
  size_t written = 0;
  uint64_t first = 0;  // row of the batch at which the piece begins
  const auto pass_on = [&] {
    const size_t bytes = lines.size();
    lines.append(kJsonPadding, '\0');
    visit_lines(context_, source_, std::string_view(lines).substr(0, bytes), {}, need, {}, [&](uint32_t line, const Record& record) {
      Record placed = record;
      placed.where.row = uint64_t{ordinals_[visited + line]} + 1;
      visit(ordinals_[visited + line], placed);
    });
    visited = written;
    lines.clear();
  };
  for (const ChunkRows& piece : reader_ != nullptr ? fetched : pieces_) {
    const uint64_t end = first + piece.end - piece.begin;
    while (written < ordinals_.size() && ordinals_[written] < end) {
      // As many wanted rows as stand one after the other.
      const uint64_t begin = ordinals_[written];
      uint64_t run = begin;
      while (written < ordinals_.size() && ordinals_[written] == run && run < end && run - begin < kRunRows) ++written, ++run;
      projection.writer.append(api_, *piece.chunk, piece.begin + begin - first, piece.begin + run - first, lines);
      if (lines.size() >= kPieceBytes) pass_on();
    }
    first = end;
  }
  if (visited < written) pass_on();
}

}  // namespace neardup
