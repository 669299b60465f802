#include "io/files/line_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/files/text_lines.h"
#include "io/json/problem.h"

namespace neardup {
namespace {

// Beyond any machine; sums of a few of them do not wrap around.
constexpr uint64_t kMaxBatchBytes = uint64_t{1} << 40;
constexpr uint64_t kReadAheadShare = 8;  // of the memory
constexpr uint64_t kMaxRecordBytes = uint64_t{1} << 60;

Problem too_long(uint64_t bytes, uint64_t limit) {
  return {fmt::format("the record has {} bytes, max_record_bytes is {}", bytes, limit), RejectKind::kTooLong};
}

// A parser borrowed for one batch.
class BorrowedParser {
 public:
  explicit BorrowedParser(LineContext& context) : context_(context), parser_(context.parsers.take()) {
    if (!parser_) parser_ = std::make_unique<RecordParser>(context.fields);
  }
  ~BorrowedParser() {
    if (!parser_->is_large()) context_.parsers.give(std::move(parser_));
  }
  BorrowedParser(const BorrowedParser&) = delete;
  BorrowedParser& operator=(const BorrowedParser&) = delete;
  RecordParser* operator->() const noexcept { return parser_.get(); }

 private:
  LineContext& context_;
  std::unique_ptr<RecordParser> parser_;
};

}  // namespace

LineContext::LineContext(const SourceOptions& options)
    : fields{.text = options.text_field,
             .id = options.id_field == kAutoIdField ? "id" : options.id_field,
             .rank = options.rank_field,
             .block = options.block_field,
             .protect = options.protect},
      max_record_bytes(std::min(options.max_record_bytes, kMaxRecordBytes)),
      batch_bytes(std::clamp<uint64_t>(options.batch_bytes, 1, kMaxBatchBytes)),
      temp_dir(options.temp_dir),
      read_ahead_bytes(options.memory / kReadAheadShare),
      once(options.once) {}

std::unique_ptr<Buffer> LineContext::take_buffer() {
  auto buffer = buffers.take();
  if (!buffer) buffer = std::make_unique<Buffer>();
  buffer->set_size(0);
  return buffer;
}

void LineContext::return_buffer(std::unique_ptr<Buffer> buffer) {
  constexpr uint64_t kMaxBatches = 4;
  if (buffer->capacity() <= batch_bytes * kMaxBatches) buffers.give(std::move(buffer));
}

LineCount visit_lines(LineContext& context, uint32_t source, std::string_view bytes, std::string_view damage, Batch::Need need,
                      const Batch::Filter& wanted, const Batch::Visitor& visit, std::optional<uint64_t> offset, bool known) {
  const BorrowedParser parser(context);
  LineCount count;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  Problem problem;
  while (at < end) {
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    if (newline == nullptr && !damage.empty()) break;
    const std::string_view line(at, static_cast<size_t>((newline != nullptr ? newline : end) - at));
    at = newline != nullptr ? newline + 1 : end;
    ++count.rows;
    const bool long_line = line.size() > context.max_record_bytes;
    if (!long_line && is_blank(line)) continue;
    const uint32_t ordinal = count.records++;
    if (wanted && !wanted(ordinal)) continue;
    Record record;
    record.where = {.source = source, .row = count.rows};
    record.raw = line;
    if (offset) record.offset = *offset + static_cast<uint64_t>(line.data() - bytes.data());
    if (long_line) {
      problem = too_long(line.size(), context.max_record_bytes);
      problem.tell(record);
    } else if (need >= Batch::Need::kText) {
      known ? parser->read_again(line, record) : parser->parse(line, record);
    }
    visit(ordinal, record);
  }
  if (damage.empty()) return count;
  ++count.rows;
  const uint32_t ordinal = count.records++;
  if (wanted && !wanted(ordinal)) return count;
  Record record;
  record.where = {.source = source, .row = count.rows};
  record.raw = {at, static_cast<size_t>(end - at)};
  record.problem = damage;
  record.reject_kind = RejectKind::kDamaged;
  visit(ordinal, record);
  return count;
}

LineCount visit_long_line(const LineContext& context, uint32_t source, std::string_view raw, std::string_view damage,
                          const Batch::Filter& wanted, const Batch::Visitor& visit) {
  if (wanted && !wanted(0)) return {.records = 1, .rows = 1};
  const Problem problem =
      damage.empty() ? too_long(raw.size(), context.max_record_bytes) : Problem{std::string(damage), RejectKind::kDamaged};
  Record record;
  record.where = {.source = source, .row = 1};
  record.raw = raw;
  problem.tell(record);
  visit(0, record);
  return {.records = 1, .rows = 1};
}

}  // namespace neardup
