#include "io/files/line_part.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/mapped_file.h"
#include "io/bytes/decompress.h"
#include "io/bytes/read_ahead.h"
#include "io/files/json_document.h"
#include "io/files/text_lines.h"

namespace neardup {
namespace {

constexpr uint64_t kNowhere = ~uint64_t{0};
constexpr uint64_t kNearBytes = 16u << 10;  // read around a cut: a few usual lines
constexpr uint64_t kFarBytes = 1u << 20;
constexpr size_t kSpillBytes = 1u << 20;
constexpr uint64_t kMaxLineGrowth = 16u << 20;  // of a buffer for a line whose end is not known: it may be gigabytes long
constexpr size_t kMinGrowth = 64;

struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  [[nodiscard]] uint64_t size() const noexcept { return end - begin; }
};

// Reopens the file for each batch, so that a run over a million files keeps few descriptors open.
class PlainBatch final : public Batch {
 public:
  PlainBatch(const std::string& path, const FileStamp& stamp, uint32_t source, LineContext& context, ByteRange range, uint64_t input_bytes)
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
      count = visit_lines(context_, source_, buffer->view(), {}, need, wanted, visit, range_.begin, known_);
      context_.return_buffer(std::move(buffer));
    }
    rows_ = count.rows;
    return count.records;
  }
  void expect_known_records() override { known_ = true; }
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
    // A record with missing bytes must not get into a committed output.
    file.check(stamp_);
    mapped.check();
    return count;
  }

  const std::string path_;
  const FileStamp stamp_;
  const uint32_t source_;
  LineContext& context_;
  const ByteRange range_;
  const uint64_t input_bytes_;
  uint64_t rows_ = 0;
  bool known_ = false;
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
    const ByteRange range{at_, cut()};
    at_ = range.end;
    file_.will_need(at_, context_.batch_bytes);
    const uint64_t input_bytes = range.end - std::exchange(counted_, range.end);
    return std::make_unique<PlainBatch>(path_, stamp_, source_, context_, range, input_bytes);
  }

 private:
  // The end of the batch that begins at at_: after the first '\n' at or after batch_bytes; if that is far, after the last one before; if
  // there is none, the batch is one long record.
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
  uint64_t counted_ = 0;  // input bytes of the batches so far
};

// The bytes of one batch: in a buffer, or in a temporary file when it is one long record.
struct StreamBytes {
  std::unique_ptr<Buffer> buffer;
  std::optional<TempFile> spill;
  std::string damage;
};

class StreamBatch final : public Batch {
 public:
  StreamBatch(StreamBytes bytes, uint32_t source, LineContext& context, uint64_t input_bytes)
      : bytes_(std::move(bytes)), source_(source), context_(context), input_bytes_(input_bytes) {}
  ~StreamBatch() override {
    if (bytes_.buffer) context_.return_buffer(std::move(bytes_.buffer));
  }

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    LineCount count;
    if (bytes_.spill && bytes_.spill->size() <= context_.max_record_bytes) {
      auto buffer = context_.take_buffer();
      const auto size = static_cast<size_t>(bytes_.spill->size());
      buffer->reserve(size);
      bytes_.spill->read(0, buffer->data(), size);
      buffer->set_size(size);
      count = visit_lines(context_, source_, buffer->view(), bytes_.damage, need, wanted, visit, {}, known_);
      context_.return_buffer(std::move(buffer));
    } else if (bytes_.spill) {
      const MappedFile mapped(bytes_.spill->descriptor(), 0, bytes_.spill->size(), "temporary data");
      count = visit_long_line(context_, source_, mapped.bytes(), bytes_.damage, wanted, visit);
      mapped.check();
    } else {
      count = visit_lines(context_, source_, bytes_.buffer->view(), bytes_.damage, need, wanted, visit, {}, known_);
    }
    rows_ = count.rows;
    return count.records;
  }
  void expect_known_records() override { known_ = true; }
  [[nodiscard]] uint32_t source() const noexcept override { return source_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  StreamBytes bytes_;
  const uint32_t source_;
  LineContext& context_;
  const uint64_t input_bytes_;
  uint64_t rows_ = 0;
  bool known_ = false;
};

std::unique_ptr<Decompressor> plain_lines(Content content, ByteStream& stream, Decompress decompress, const LineContext& context) {
  auto plain = decompress == Decompress::kAhead
                   ? make_read_ahead(content.compression, stream, {.max_held_bytes = static_cast<size_t>(context.read_ahead_bytes)})
                   : make_decompressor(content.compression, stream);
  return content.layout == Layout::kDocument ? make_json_document(std::move(plain)) : std::move(plain);
}

class StreamLines final : public LinePart {
 public:
  StreamLines(ByteStream& stream, Content content, uint32_t source, LineContext& context, Decompress decompress)
      : stream_(stream),
        live_(context.once && content.compression == Compression::kNone && content.layout == Layout::kLines),
        decompressor_(plain_lines(content, stream, decompress, context)),
        source_(source),
        context_(context),
        tail_(context.take_buffer()) {}
  ~StreamLines() override { context_.return_buffer(std::move(tail_)); }
  StreamLines(const StreamLines&) = delete;
  StreamLines& operator=(const StreamLines&) = delete;

  std::unique_ptr<Batch> next() override {
    if (finished_) return nullptr;
    StreamBytes bytes;
    // The tail of the batch before is this batch's beginning.
    bytes.buffer = std::exchange(tail_, context_.take_buffer());
    fill(*bytes.buffer, std::max(context_.batch_bytes, uint64_t{bytes.buffer->size()} + 1));
    if (!begun_) drop_mark(*bytes.buffer);
    finished_ = !end_with_a_line(bytes);
    if (finished_) bytes.damage = decompressor_->damage();
    if (finished_ && !bytes.spill && bytes.buffer->size() == 0 && bytes.damage.empty()) return nullptr;
    const uint64_t consumed = decompressor_->consumed_bytes();
    return std::make_unique<StreamBatch>(std::move(bytes), source_, context_, consumed - std::exchange(counted_, consumed));
  }

 private:
  // Reads until the buffer holds `wanted` bytes or the stream ends; of a live stream, the available bytes.
  void fill(Buffer& buffer, uint64_t wanted) {
    buffer.reserve(static_cast<size_t>(wanted));
    const size_t missing = static_cast<size_t>(wanted) - buffer.size();
    const size_t got =
        live_ ? stream_.read(buffer.data() + buffer.size(), missing) : decompressor_->read(buffer.data() + buffer.size(), missing);
    buffer.set_size(buffer.size() + got);
    ended_ = live_ ? got == 0 : got < missing;
  }

  // Cuts the batch after a '\n', reading on until there is one. False if the stream ended instead.
  bool end_with_a_line(StreamBytes& bytes) {
    Buffer& buffer = *bytes.buffer;
    const uint64_t most = std::min(context_.max_record_bytes, std::max(kMaxLineGrowth, uint64_t{buffer.size()}));
    for (size_t searched = 0; !ended_;) {
      if (split_after_last_newline(buffer, searched)) return true;
      searched = buffer.size();
      if (searched > most) {
        bytes.spill.emplace(context_.temp_dir);
        return spill_rest_of_line(buffer, *bytes.spill);
      }
      fill(buffer, std::min<uint64_t>(searched * 2 + kMinGrowth, most + 1));
    }
    return false;
  }

  void drop_mark(Buffer& buffer) {
    while (buffer.size() < kUtf8Mark.size() && !ended_) fill(buffer, kUtf8Mark.size());
    begun_ = true;
    if (!buffer.view().starts_with(kUtf8Mark)) return;
    std::memmove(buffer.data(), buffer.data() + kUtf8Mark.size(), buffer.size() - kUtf8Mark.size());
    buffer.set_size(buffer.size() - kUtf8Mark.size());
  }

  // Moves what follows the last '\n' to the tail. False if there is none at or after `from`.
  bool split_after_last_newline(Buffer& buffer, size_t from) {
    const size_t newline = buffer.view().substr(from).rfind('\n');
    if (newline == std::string_view::npos) return false;
    const size_t end = from + newline + 1;
    tail_->assign(buffer.view().substr(end));
    buffer.set_size(end);
    return true;
  }

  // The record exceeds the maximum size of a buffer. Its '\n' is not spilled. False if the stream ends before it.
  bool spill_rest_of_line(Buffer& begin, TempFile& spill) {
    spill.append(begin.data(), begin.size());
    begin.set_size(0);
    while (!ended_) {
      tail_->set_size(0);
      fill(*tail_, kSpillBytes);
      const std::string_view block = tail_->view();
      const size_t newline = block.find('\n');
      spill.append(block.data(), std::min(newline, block.size()));
      if (newline == std::string_view::npos) continue;
      const size_t rest = block.size() - newline - 1;
      std::memmove(tail_->data(), tail_->data() + newline + 1, rest);
      tail_->set_size(rest);
      return true;
    }
    tail_->set_size(0);
    return false;
  }

  ByteStream& stream_;
  const bool live_;  // read once, as it arrives
  const std::unique_ptr<Decompressor> decompressor_;
  const uint32_t source_;
  LineContext& context_;
  std::unique_ptr<Buffer> tail_;
  uint64_t counted_ = 0;
  bool begun_ = false;
  bool ended_ = false;     // the stream is at its end
  bool finished_ = false;  // the last batch was given
};

}  // namespace

std::unique_ptr<LinePart> make_plain_lines(const std::string& path, const FileStamp& stamp, uint32_t source, LineContext& context) {
  return std::make_unique<PlainLines>(path, stamp, source, context);
}

std::unique_ptr<LinePart> make_stream_lines(ByteStream& stream, Content content, uint32_t source, LineContext& context,
                                            Decompress decompress) {
  return std::make_unique<StreamLines>(stream, content, source, context, decompress);
}

}  // namespace neardup
