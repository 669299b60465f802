#include "io/files/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/line_batch.h"
#include "io/files/text_lines.h"
#include "io/json/json_scan.h"

namespace neardup {
namespace {

constexpr size_t kBlockBytes = 256u << 10;

// Converts the document to lines, block by block.
class DocumentCutter {
 public:
  /// Appends the lines of the block. False when the document is broken; then its rest is not needed.
  bool add(std::string_view block, std::string& lines) {
    for (size_t i = 0; i < block.size();) {
      if (state_ == State::kString) {
        i = copy_string(block, i, lines);
        if (!damage_.empty()) return false;
        continue;
      }
      const char c = block[i];
      if (json_detail::kWhite.find(c) != std::string_view::npos) {
        add_white(c, lines);
      } else if (state_ == State::kScalar && std::string_view(",]}").find(c) != std::string_view::npos) {
        end_record(lines);
        continue;  // it belongs to the context of the scalar
      } else if (!add_token(c, offset_ + i, lines)) {
        return false;
      }
      ++i;
    }
    offset_ += block.size();
    return true;
  }

  /// Skips bytes that are not part of the document.
  void skip(size_t bytes) noexcept { offset_ += bytes; }
  /// The document ends here.
  void end(std::string& lines) {
    if (state_ == State::kScalar) end_record(lines);
    if (state_ == State::kRecord || state_ == State::kString) break_at(offset_, "the document ends inside of a record");
    if (damage_.empty() && in_array_) break_at(offset_, "the document ends inside of its array");
  }
  [[nodiscard]] const std::string& damage() const noexcept { return damage_; }

 private:
  enum class State {
    kBetween,  // records
    kRecord,   // inside of an object, or of an array in an array
    kString,   // inside of a string of a record, or one that is a record
    kScalar,   // inside of a number or word that is a record
  };

  // Without its line ends a record is one line; drops the indentation after them.
  void add_white(char c, std::string& lines) {
    if (state_ == State::kScalar) return end_record(lines);
    if (state_ != State::kRecord || after_line_end_) return;
    after_line_end_ = c == '\n' || c == '\r';
    lines += after_line_end_ ? ' ' : c;
  }

  bool add_token(char c, uint64_t offset, std::string& lines) {
    after_line_end_ = false;
    if (state_ == State::kBetween) return add_between(c, offset, lines);
    lines += c;
    if (state_ == State::kScalar) return true;
    if (c == '"') state_ = State::kString;
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && --depth_ == 0) end_record(lines);
    return true;
  }

  // Commas are allowed only between the elements of an array.
  bool add_between(char c, uint64_t offset, std::string& lines) {
    if (in_array_ && c == ']' && (!comma_ || !any_element_)) {
      in_array_ = false;
      return true;
    }
    if (in_array_ && c == ',' && !comma_) {
      comma_ = true;
      return true;
    }
    if (c == ',' || c == ']' || c == '}') return break_at(offset, fmt::format("an unexpected '{}'", c));
    if (in_array_ && !comma_) return break_at(offset, "a comma is missing");
    if (!in_array_ && c == '[') {
      in_array_ = true;
      comma_ = true;  // as if there was one: an element may follow
      any_element_ = false;
      return true;
    }
    any_element_ = true;
    comma_ = false;
    lines += c;
    if (c == '{' || c == '[') {
      state_ = State::kRecord;
      depth_ = 1;
    } else {
      state_ = c == '"' ? State::kString : State::kScalar;
      depth_ = 0;
    }
    return true;
  }

  // Up to the quote that ends it, or the end of the block.
  size_t copy_string(std::string_view block, size_t from, std::string& lines) {
    size_t i = from;
    for (; i < block.size(); ++i) {
      const char c = block[i];
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        lines.append(block, from, ++i - from);
        state_ = State::kRecord;
        if (depth_ == 0) end_record(lines);
        return i;
      }
      if (c == '\n') {
        lines.append(block, from, i - from);
        break_at(offset_ + i, "a string is not closed on its line");
        return i;
      }
    }
    lines.append(block, from, i - from);
    return i;
  }

  void end_record(std::string& lines) {
    lines += '\n';
    state_ = State::kBetween;
    after_line_end_ = false;
  }

  bool break_at(uint64_t offset, std::string_view what) {
    damage_ = fmt::format("the JSON document breaks off at byte {}: {}", offset + 1, what);
    return false;
  }

  State state_ = State::kBetween;
  uint64_t offset_ = 0;  // of the block
  uint64_t depth_ = 0;   // open brackets of the record
  bool escaped_ = false;
  bool after_line_end_ = false;
  bool in_array_ = false;
  bool comma_ = false;  // an element of the array may begin
  bool any_element_ = false;
  std::string damage_;
};

class JsonDocument final : public Decompressor {
 public:
  explicit JsonDocument(std::unique_ptr<Decompressor> plain) : plain_(std::move(plain)), block_(kBlockBytes, '\0') {}

  size_t read(char* to, size_t bytes) override {
    size_t done = 0;
    while (done < bytes) {
      if (given_ == lines_.size() && !refill()) break;
      const size_t got = lines_.copy(to + done, bytes - done, given_);
      given_ += got;
      done += got;
    }
    return done;
  }
  [[nodiscard]] const std::string& damage() const noexcept override {
    return plain_->damage().empty() ? cutter_.damage() : plain_->damage();
  }
  [[nodiscard]] uint64_t consumed_bytes() const noexcept override { return plain_->consumed_bytes(); }

 private:
  // False at the end.
  bool refill() {
    lines_.clear();
    given_ = 0;
    while (lines_.empty() && !ended_) {
      const size_t got = plain_->read(block_.data(), block_.size());
      std::string_view block(block_.data(), got);
      if (!begun_ && block.starts_with(kUtf8Mark)) {
        block.remove_prefix(kUtf8Mark.size());
        cutter_.skip(kUtf8Mark.size());
      }
      begun_ = true;
      ended_ = !cutter_.add(block, lines_);
      if (ended_ || got == block_.size()) continue;
      ended_ = true;
      cutter_.end(lines_);
    }
    return !lines_.empty();
  }

  const std::unique_ptr<Decompressor> plain_;
  DocumentCutter cutter_;
  std::string block_;
  std::string lines_;
  size_t given_ = 0;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decompressor> make_json_document(std::unique_ptr<Decompressor> plain) {
  return std::make_unique<JsonDocument>(std::move(plain));
}

}  // namespace neardup
