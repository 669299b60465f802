// TextLines: reads a file or standard input line by line, decompressed. For small inputs that are read once and are not documents. One
// thread. kUtf8Mark and is_blank(): bytes allowed before and between the lines of any input.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/bytes/decompress.h"

namespace neardup {

inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

/// True for a line of white space; `line` is without '\n'.
inline bool is_blank(std::string_view line) noexcept {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class TextLines {
 public:
  /// "-" is standard input. A line longer than `max_line_bytes` is truncated. Throws Error{kInput} for files that cannot be opened.
  TextLines(const std::string& path, size_t max_line_bytes);
  ~TextLines();
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// The next line without '\n', valid until the next call; false at the end. The last line may lack its '\n'. Throws Error{kInput} for
  /// read errors, and for damage of a compressed file.
  bool next(std::string_view& line);
  /// True if next() may have to wait for more data: no complete line is buffered.
  [[nodiscard]] bool waiting() const noexcept;
  /// Of the last line given, from 1.
  [[nodiscard]] uint64_t number() const noexcept { return number_; }
  [[nodiscard]] bool cut() const noexcept { return cut_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }  ///< for messages

 private:
  bool fill();

  const std::string name_;
  const size_t max_line_bytes_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<Decompressor> decompressor_;
  std::string buffer_;
  size_t at_ = 0;   // start of the unread bytes in buffer_
  size_t end_ = 0;  // end of the bytes in buffer_
  std::string line_;
  uint64_t number_ = 0;
  bool cut_ = false;
};

}  // namespace neardup
