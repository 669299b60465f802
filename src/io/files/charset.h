// Charset, TextDecoder: decode the bytes of a text file to UTF-8.
//
// A byte order mark overrides any declaration: UTF-8, UTF-16, UTF-32. Without one, `auto` chooses, in this order:
//   1. UTF-16 if, of the pairs of bytes in the first 64 KiB, one in 32 at least is a printable ASCII character, tab, line feed, carriage
//      return or one of U+3001, U+3002, U+FF0C in one byte order, and less than half as many are in the other;
//   2. UTF-8 if the whole file is well-formed UTF-8;
//   3. the charset that `<meta ... charset=NAME` names in the first 1024 bytes, if it is a known one and not UTF-8, UTF-16 or UTF-32;
//   4. UTF-8 if the first 64 KiB hold a well-formed character beyond ASCII, and ten for each malformed part;
//   5. the first of what ICU's detector finds in the first 64 KiB, with its confidence falling, that is GB18030, Big5, Shift_JIS, EUC-JP,
//      EUC-KR or windows-1252 (also found as ISO-8859-1);
//   6. UTF-8.
// A mark is not part of the text. Bytes that are malformed, or without a Unicode character, become U+FFFD and are counted.
//
// charset.cc also implements to_utf8() of neardup/io.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

class Charset {
 public:
  /// "auto", "utf-8", or a name or alias that ICU knows, in any case: gb18030, big5, utf-16le, shift_jis, euc-kr, windows-1252 ...
  /// gb2312 and gbk are read as gb18030, which contains them, as browsers do. Throws Error{kUsage} that names the value.
  static Charset parse(std::string_view name);
  /// From the name in a page or a server's reply, which may be anything: nothing if it is unknown, or "auto".
  static std::optional<Charset> find(std::string_view name);

  [[nodiscard]] bool is_auto() const noexcept { return name_ == "auto"; }
  [[nodiscard]] bool is_utf8() const noexcept { return name_ == "UTF-8"; }
  /// "auto" or ICU's name.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  explicit Charset(std::string name) : name_(std::move(name)) {}
  std::string name_;
};

/// Of one thread; keeps its converters.
class TextDecoder {
 public:
  explicit TextDecoder(const Charset& charset);
  ~TextDecoder();
  TextDecoder(const TextDecoder&) = delete;
  TextDecoder& operator=(const TextDecoder&) = delete;

  struct Text {
    std::string_view text;   ///< well-formed UTF-8: a part of `bytes`, or valid until the next call
    uint64_t malformed = 0;  ///< number of U+FFFD that replace other bytes
    std::string_view charset;
  };
  /// Any bytes give a text; only a failure of ICU itself throws.
  Text decode(std::string_view bytes);
  /// A page, or another text with a Content-Type: a mark decides; then `declared`, the server's charset (empty: none); then, for HTML, the
  /// page's own declaration (html_charset.h); then decode(). Unknown names are ignored.
  Text decode_declared(std::string_view bytes, std::string_view declared, bool html);

 private:
  struct Converters;
  Text decode_by(const Charset& charset, std::string_view bytes, bool page);
  Text from_utf8(std::string_view bytes);
  Text convert(std::string_view bytes, const std::string& charset);
  std::string detect(std::string_view bytes);

  const Charset charset_;
  std::string text_;
  std::unique_ptr<Converters> converters_;
};

}  // namespace neardup
