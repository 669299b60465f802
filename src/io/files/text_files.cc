#include "io/files/text_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "base/mapped_file.h"
#include "io/bytes/byte_stream.h"
#include "io/bytes/decompress.h"
#include "io/bytes/input_file.h"
#include "io/json/problem.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kMaxFiles = 1024;
constexpr uint64_t kMaxTextGrowth = 16u << 20;  // of a buffer for a text whose size is not known: it may be gigabytes long
constexpr uint64_t kCostPerFile = 4096;         // opening a file takes as long as reading a few pages

Problem too_long(const char* relation, uint64_t bytes, uint64_t limit) {
  return {fmt::format("the file has {}{} bytes, max_record_bytes is {}", relation, bytes, limit), RejectKind::kTooLong};
}

// Reads files one after the other into reused memory.
class TextReader {
 public:
  TextReader(const Charset& charset, LineContext& context)
      : context_(context), stored_(context.take_buffer()), plain_(context.take_buffer()), decoder_(charset), is_auto_(charset.is_auto()) {}
  ~TextReader() {
    context_.return_buffer(std::move(stored_));
    context_.return_buffer(std::move(plain_));
  }
  TextReader(const TextReader&) = delete;
  TextReader& operator=(const TextReader&) = delete;

  /// Fills raw, and problem or (if wanted) text. The views live until the next call.
  void read(const InputFile& file, const InputEntry& entry, Batch::Need need, FilesAhead::Timing& timing, Record& record) {
    mapped_.reset();
    problem_ = {};
    plain_offset_.reset();
    record.raw = load(file, entry, timing);
    record.offset = plain_offset_;
    problem_.tell(record);
    if (need <= Batch::Need::kRaw || !problem_.empty()) return;
    const TextDecoder::Text decoded = entry.html ? decoder_.decode_declared(record.raw, {}, true) : decoder_.decode(record.raw);
    record.repaired = decoded.malformed > 0;
    record.malformed = decoded.malformed > 0 && !is_auto_;
    if (decoded.text.size() <= limits::kMaxTextBytes) {
      record.text = decoded.text;
    } else {
      problem_ = {fmt::format("the text has {} bytes as UTF-8, the limit is {}", decoded.text.size(), limits::kMaxTextBytes),
                  RejectKind::kTooLong};
      problem_.tell(record);
    }
  }

  /// Call it after the record was used. Throws Error{kInput} if bytes of it were missing: they must not get into an output.
  void check(const InputFile& file, const InputEntry& entry) const {
    if (!mapped_) return;
    file.check(entry.stamp);
    mapped_->check();
  }

 private:
  std::string_view load(const InputFile& file, const InputEntry& entry, FilesAhead::Timing& timing) {
    const uint64_t size = entry.stamp.size;
    if (size > context_.max_record_bytes) {
      problem_ = too_long("", size, context_.max_record_bytes);
      mapped_.emplace(file.descriptor(), 0, size, entry.path);
      return mapped_->bytes();
    }
    const auto bytes = static_cast<size_t>(size);
    stored_->set_size(0);
    stored_->reserve(bytes);
    file.read_exactly(0, stored_->data(), bytes);
    timing.stop();
    stored_->set_size(bytes);
    const Compression compression = sniff_compression(stored_->view().substr(0, kSniffBytes));
    if (compression != Compression::kNone) return decompress(compression);
    plain_offset_ = 0;
    return stored_->view();
  }

  // A few bytes may decompress to more than any text, so a buffer grows only up to kMaxTextGrowth. A longer text is measured first, and
  // then decompressed again into a buffer of its size.
  std::string_view decompress(Compression compression) {
    const uint64_t limit = context_.max_record_bytes;
    plain_->set_size(0);
    uint64_t bytes = fill_plain(compression, std::min(limit, kMaxTextGrowth) + 1);
    if (bytes > std::min(limit, kMaxTextGrowth)) {
      bytes = measure(compression, limit);
      if (bytes > limit) {
        plain_->set_size(0);
        problem_ = too_long("more than ", limit, limit);
        return {};
      }
      plain_->set_size(0);
      fill_plain(compression, bytes + 1);
    }
    return plain_->view();
  }

  // Decompresses up to `most` bytes, in steps, because most texts are short. Returns their number, and sets the problem for damage.
  uint64_t fill_plain(Compression compression, uint64_t most) {
    MemoryStream stream(stored_->view());
    const auto decompressor = make_decompressor(compression, stream);
    for (uint64_t wanted = most > kMaxTextGrowth + 1 ? most : context_.batch_bytes;; wanted = plain_->size() * 2) {
      wanted = std::min(wanted, most);
      plain_->reserve(static_cast<size_t>(wanted));
      const size_t missing = static_cast<size_t>(wanted) - plain_->size();
      const size_t got = decompressor->read(plain_->data() + plain_->size(), missing);
      plain_->set_size(plain_->size() + got);
      if (got < missing || wanted == most) break;
    }
    problem_ = {decompressor->damage(), RejectKind::kDamaged};
    return plain_->size();
  }

  // The number of bytes; stops counting above `limit`.
  uint64_t measure(Compression compression, uint64_t limit) {
    MemoryStream stream(stored_->view());
    const auto decompressor = make_decompressor(compression, stream);
    uint64_t bytes = 0;
    while (bytes <= limit) {
      const size_t got = decompressor->read(plain_->data(), plain_->capacity());
      bytes += got;
      if (got < plain_->capacity()) break;
    }
    return bytes;
  }

  LineContext& context_;
  std::unique_ptr<Buffer> stored_;
  std::unique_ptr<Buffer> plain_;
  std::optional<MappedFile> mapped_;
  std::optional<uint64_t> plain_offset_;  // Record::offset
  TextDecoder decoder_;
  const bool is_auto_;  // there is no better advice
  Problem problem_;
};

class TextBatch final : public Batch {
 public:
  TextBatch(std::span<const InputEntry> entries, std::span<std::atomic<TextState>> states, uint32_t source, const Charset& charset,
            LineContext& context, FilesAhead& ahead)
      : entries_(entries), states_(states), source_(source), charset_(charset), context_(context), ahead_(ahead) {}

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    TextReader reader(charset_, context_);
    // A filter cannot be asked ahead. Where it wants some of the files, reading all of them ahead is still faster.
    constexpr size_t kSome = 4;
    size_t read = 0;
    UpcomingFiles upcoming(ahead_, entries_.size(), [&](FilesAhead& ahead, size_t i) {
      if (read * kSome >= i - std::min<size_t>(i, FilesAhead::kWindow)) ahead.want(entries_[i].path, entries_[i].stamp.size);
    });
    for (uint32_t i = 0; i < entries_.size(); ++i) {
      if (wanted && !wanted(i)) continue;
      ++read;
      const InputEntry& entry = entries_[i];
      Record record;
      record.where = {.source = source_ + i, .row = 1};
      record.id = entry.path;
      record.has_id = true;
      Problem problem;
      FilesAhead::Timing timing = upcoming.reading(i);
      const std::unique_ptr<InputFile> file = open(entry, states_[i], problem);
      if (file) {
        reader.read(*file, entry, need, timing, record);
      } else {
        problem.tell(record);
      }
      timing.stop();
      visit(i, record);
      if (file) reader.check(*file, entry);
    }
    return static_cast<uint32_t>(entries_.size());
  }
  [[nodiscard]] uint32_t source() const noexcept override { return source_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return 1; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override {
    uint64_t bytes = 0;
    for (const InputEntry& entry : entries_) bytes += entry.stamp.size;
    return bytes;
  }

 private:
  static std::unique_ptr<InputFile> open(const InputEntry& entry, std::atomic<TextState>& state, Problem& problem) {
    std::unique_ptr<InputFile> file;
    try {
      file = std::make_unique<InputFile>(entry.path);
    } catch (const Error& error) {
      if (state == TextState::kRead) throw;
      state = TextState::kUnreadable;
      problem = {error.what(), RejectKind::kUnreadable};
      return file;
    }
    file->check(entry.stamp);
    if (state == TextState::kUnreadable) {
      throw Error(ErrorCode::kInput, "'" + entry.path + "' changed while it was read: it could not be opened before");
    }
    state = TextState::kRead;
    return file;
  }

  const std::span<const InputEntry> entries_;
  const std::span<std::atomic<TextState>> states_;
  const uint32_t source_;
  const Charset& charset_;
  LineContext& context_;
  FilesAhead& ahead_;
};

}  // namespace

size_t text_batch_size(std::span<const InputEntry> entries, uint64_t batch_bytes) noexcept {
  size_t count = 0;
  for (uint64_t bytes = 0; count < entries.size() && count < kMaxFiles && entries[count].kind == InputEntry::Kind::kText; ++count) {
    bytes += entries[count].stamp.size + kCostPerFile;
    if (count > 0 && bytes > batch_bytes) break;
  }
  return count;
}

std::unique_ptr<Batch> make_text_batch(std::span<const InputEntry> entries, std::span<std::atomic<TextState>> states, uint32_t source,
                                       const Charset& charset, LineContext& context, FilesAhead& ahead) {
  return std::make_unique<TextBatch>(entries, states, source, charset, context, ahead);
}

}  // namespace neardup
