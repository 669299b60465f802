#include <algorithm>
#include <cstring>
#include <utility>

#include "base/mapped_file.h"
#include "io/files/line_part.h"

namespace neardup {
namespace {

constexpr uint64_t kNowhere = ~uint64_t{0};
constexpr uint64_t kNearBytes = 16u << 10;  // what is read around a cut: a few usual lines
constexpr uint64_t kFarBytes = 1u << 20;

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
  [[nodiscard]] uint64_t size() const noexcept { return end - begin; }
};

// Opens the file anew, so that a run over a million files holds few of them open.
class PlainBatch final : public Batch {
 public:
  PlainBatch(const std::string& path, const FileStamp& stamp, uint32_t source, LineContext& context, Range range, uint64_t input_bytes)
      : path_(path), stamp_(stamp), source_(source), context_(context), range_(range), input_bytes_(input_bytes) {}

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    const InputFile file(path_);
    file.check(stamp_);
    LineCount count;
    // More than twice batch_bytes is one record; the byte more than the limit may be its '\n'.
    if (range_.size() > context_.max_record_bytes + 1 && range_.size() > context_.batch_bytes * 2) {
      count = read_mapped(file, wanted, visit);
    } else {
      auto buffer = context_.take_buffer();
      buffer->reserve(static_cast<size_t>(range_.size()));
      file.read_exactly(range_.begin, buffer->data(), static_cast<size_t>(range_.size()));
      buffer->set_size(static_cast<size_t>(range_.size()));
      count = visit_lines(context_, source_, buffer->view(), {}, need, wanted, visit);
      context_.give_buffer(std::move(buffer));
    }
    rows_ = count.rows;
    return count.records;
  }
  [[nodiscard]] uint32_t source() const noexcept override { return source_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  // The range is one record beyond the limit, with or without its '\n'.
  LineCount read_mapped(const InputFile& file, const Filter& wanted, const Visitor& visit) const {
    const MappedFile mapped(file.descriptor(), range_.begin, range_.size(), "'" + path_ + "'");
    std::string_view line = mapped.bytes();
    if (line.back() == '\n') line.remove_suffix(1);
    const LineCount count = visit_long_line(context_, source_, line, {}, wanted, visit);
    // A record that was passed on with bytes missing must not get into an output that is committed.
    file.check(stamp_);
    mapped.check();
    return count;
  }

  const std::string path_;
  const FileStamp stamp_;
  const uint32_t source_;
  LineContext& context_;
  const Range range_;
  const uint64_t input_bytes_;
  uint64_t rows_ = 0;
};

class PlainLines final : public LinePart {
 public:
  PlainLines(const std::string& path, const FileStamp& stamp, uint32_t source, LineContext& context)
      : path_(path), file_(path), stamp_(stamp), source_(source), context_(context) {
    file_.check(stamp_);
    char head[kUtf8Mark.size()];
    if (std::string_view(head, file_.read_at(0, head, sizeof head)) == kUtf8Mark) at_ = kUtf8Mark.size();
  }

  std::unique_ptr<Batch> next() override {
    if (at_ >= stamp_.size) {
      file_.check(stamp_);
      return nullptr;
    }
    const Range range{at_, cut()};
    at_ = range.end;
    file_.will_need(at_, context_.batch_bytes);
    const uint64_t input_bytes = range.end - std::exchange(counted_, range.end);
    return std::make_unique<PlainBatch>(path_, stamp_, source_, context_, range, input_bytes);
  }

 private:
  // Where the batch that begins at at_ ends: after the first '\n' at or after batch_bytes; when that is far, after the last one
  // before; when there is none, the batch is one long record.
  uint64_t cut() {
    const uint64_t wanted = at_ + context_.batch_bytes;
    if (wanted >= stamp_.size) return stamp_.size;
    uint64_t newline = find_forward(wanted - 1, wanted + context_.batch_bytes - 1);
    if (newline != kNowhere) return newline + 1;
    newline = find_backward(wanted - 1);
    if (newline != kNowhere) return newline + 1;
    newline = find_forward(wanted + context_.batch_bytes - 1, kNowhere);
    return newline != kNowhere ? newline + 1 : stamp_.size;
  }

  uint64_t find_forward(uint64_t from, uint64_t limit) {
    const uint64_t end = std::min(limit, stamp_.size);
    for (uint64_t step = kNearBytes; from < end; step = kFarBytes) {
      const auto bytes = static_cast<size_t>(std::min(step, end - from));
      const char* block = read_block(from, bytes);
      const auto* found = static_cast<const char*>(std::memchr(block, '\n', bytes));
      if (found != nullptr) return from + static_cast<uint64_t>(found - block);
      from += bytes;
    }
    return kNowhere;
  }

  // The last '\n' in [at_, end).
  uint64_t find_backward(uint64_t end) {
    while (end > at_) {
      const auto bytes = static_cast<size_t>(std::min(kFarBytes, end - at_));
      end -= bytes;
      const size_t found = std::string_view(read_block(end, bytes), bytes).rfind('\n');
      if (found != std::string_view::npos) return end + found;
    }
    return kNowhere;
  }

  const char* read_block(uint64_t offset, size_t bytes) {
    block_.reserve(bytes);
    file_.read_exactly(offset, block_.data(), bytes);
    return block_.data();
  }

  const std::string path_;
  const InputFile file_;
  const FileStamp stamp_;
  const uint32_t source_;
  LineContext& context_;
  Buffer block_;
  uint64_t at_ = 0;
  uint64_t counted_ = 0;  // input bytes that batches stand for so far
};

}  // namespace

std::unique_ptr<LinePart> make_plain_lines(const std::string& path, const FileStamp& stamp, uint32_t source, LineContext& context) {
  return std::make_unique<PlainLines>(path, stamp, source, context);
}

}  // namespace neardup
