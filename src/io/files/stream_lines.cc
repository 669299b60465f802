#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/mapped_file.h"
#include "io/bytes/decompress.h"
#include "io/files/json_document.h"
#include "io/files/line_part.h"

namespace neardup {
namespace {

constexpr size_t kSpillBytes = 1u << 20;
constexpr uint64_t kMostGrowth = 16u << 20;  // of a buffer for a line whose end is not known: it may be gigabytes long
constexpr size_t kLeastGrowth = 64;

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
    if (bytes_.buffer) context_.give_buffer(std::move(bytes_.buffer));
  }

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    LineCount count;
    if (bytes_.spill && bytes_.spill->size() <= context_.max_record_bytes) {
      auto buffer = context_.take_buffer();
      const auto size = static_cast<size_t>(bytes_.spill->size());
      buffer->reserve(size);
      bytes_.spill->read(0, buffer->data(), size);
      buffer->set_size(size);
      count = visit_lines(context_, source_, buffer->view(), bytes_.damage, need, wanted, visit);
      context_.give_buffer(std::move(buffer));
    } else if (bytes_.spill) {
      const MappedFile mapped(bytes_.spill->descriptor(), 0, bytes_.spill->size(), "temporary data");
      count = visit_long_line(context_, source_, mapped.bytes(), bytes_.damage, wanted, visit);
      mapped.check();
    } else {
      count = visit_lines(context_, source_, bytes_.buffer->view(), bytes_.damage, need, wanted, visit);
    }
    rows_ = count.rows;
    return count.records;
  }
  [[nodiscard]] uint32_t source() const noexcept override { return source_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  StreamBytes bytes_;
  const uint32_t source_;
  LineContext& context_;
  const uint64_t input_bytes_;
  uint64_t rows_ = 0;
};

std::unique_ptr<Decompressor> plain_lines(Content content, ByteStream& stream) {
  auto plain = make_decompressor(content.compression, stream);
  return content.layout == Layout::kDocument ? make_json_document(std::move(plain)) : std::move(plain);
}

class StreamLines final : public LinePart {
 public:
  StreamLines(ByteStream& stream, Content content, uint32_t source, LineContext& context)
      : stream_(stream),
        live_(context.once && content.compression == Compression::kNone && content.layout == Layout::kLines),
        decompressor_(plain_lines(content, stream)),
        source_(source),
        context_(context),
        tail_(context.take_buffer()) {}
  ~StreamLines() override { context_.give_buffer(std::move(tail_)); }
  StreamLines(const StreamLines&) = delete;
  StreamLines& operator=(const StreamLines&) = delete;

  std::unique_ptr<Batch> next() override {
    if (finished_) return nullptr;
    StreamBytes bytes;
    // The tail of the batch before is this batch's begin.
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
  // Reads until the buffer holds `wanted` bytes or the stream ends; of a live stream, what there is.
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
    const uint64_t most = std::min(context_.max_record_bytes, std::max(kMostGrowth, uint64_t{buffer.size()}));
    for (size_t searched = 0; !ended_;) {
      if (split_after_last_newline(buffer, searched)) return true;
      searched = buffer.size();
      if (searched > most) {
        bytes.spill.emplace(context_.temp_dir);
        return spill_rest_of_line(buffer, *bytes.spill);
      }
      fill(buffer, std::min<uint64_t>(searched * 2 + kLeastGrowth, most + 1));
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

  // The record goes on beyond the size to which a buffer grows. Its '\n' is not spilled. False if the stream ends before it.
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
  const bool live_;  // read once, as it comes
  const std::unique_ptr<Decompressor> decompressor_;
  const uint32_t source_;
  LineContext& context_;
  std::unique_ptr<Buffer> tail_;
  uint64_t counted_ = 0;
  bool begun_ = false;
  bool ended_ = false;     // the stream gives no more
  bool finished_ = false;  // the last batch was given
};

}  // namespace

std::unique_ptr<LinePart> make_stream_lines(ByteStream& stream, Content content, uint32_t source, LineContext& context) {
  return std::make_unique<StreamLines>(stream, content, source, context);
}

}  // namespace neardup
