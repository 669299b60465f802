#include "io/files/charset.h"

#include <fmt/format.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>

#include "base/ascii.h"
#include "io/files/html_charset.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr size_t kSampleBytes = 64u << 10;
constexpr size_t kMetaBytes = 1024;
constexpr size_t kPairsForOneCommon = 32;
constexpr std::string_view kUtf8 = "UTF-8";

struct Mark {
  std::string_view bytes;
  std::string_view charset;
};
// UTF-32LE before UTF-16LE, whose mark it begins with.
constexpr std::array<Mark, 5> kMarks{{{"\xEF\xBB\xBF", kUtf8},
                                      {{"\xFF\xFE\0\0", 4}, "UTF-32LE"},
                                      {{"\0\0\xFE\xFF", 4}, "UTF-32BE"},
                                      {"\xFF\xFE", "UTF-16LE"},
                                      {"\xFE\xFF", "UTF-16BE"}}};
constexpr std::array<std::string_view, 6> kDetected{"GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "ISO-8859-1"};

// ICU's name, or empty.
std::string known_name(std::string_view given) {
  const std::string name = ascii_lower(given);
  if (name == "gb2312" || name == "gbk" || name == "gb18030") return "GB18030";
  if (name == "utf8" || name == "utf-8") return std::string(kUtf8);
  if (name == "iso-8859-1" || name == "latin1") return "windows-1252";  // as browsers read it
  if (name.empty() || name.size() > 60 || name.find_first_of(std::string_view(",\0", 2)) != std::string::npos) return {};
  UErrorCode error = U_ZERO_ERROR;
  UConverter* converter = ucnv_open(name.c_str(), &error);
  if (U_FAILURE(error)) return {};
  const char* found = ucnv_getName(converter, &error);
  std::string result = U_SUCCESS(error) ? found : "";
  ucnv_close(converter);
  return result;
}

bool is_common(uint32_t unit) {
  return (unit >= ' ' && unit < 0x7F) || unit == '\t' || unit == '\n' || unit == '\r' || unit == 0x3001 || unit == 0x3002 || unit == 0xFF0C;
}

// In text that is not UTF-16, few byte pairs form a common character.
std::string_view utf16_by_pairs(std::string_view bytes) {
  const size_t pairs = std::min(bytes.size(), kSampleBytes) / 2;
  size_t little = 0;
  size_t big = 0;
  for (size_t i = 0; i < pairs; ++i) {
    const auto first = static_cast<uint8_t>(bytes[2 * i]);
    const auto second = static_cast<uint8_t>(bytes[2 * i + 1]);
    little += static_cast<size_t>(is_common(first | uint32_t{second} << 8));
    big += static_cast<size_t>(is_common(second | uint32_t{first} << 8));
  }
  const size_t least = std::max<size_t>(pairs / kPairsForOneCommon, 1);
  if (little >= least && little > 2 * big) return "UTF-16LE";
  if (big >= least && big > 2 * little) return "UTF-16BE";
  return {};
}

bool is_mostly_utf8(std::string_view bytes) {
  constexpr size_t kLongest = 4;  // a character may be cut at the end of the sample
  const size_t end = bytes.size() <= kSampleBytes ? bytes.size() : kSampleBytes - kLongest;
  size_t good = 0;
  size_t bad = 0;
  for (size_t at = 0; at < end;) {
    const auto decoded = decode_utf8(bytes, at);
    at += decoded.length;
    good += static_cast<size_t>(decoded.valid && decoded.length > 1);
    bad += static_cast<size_t>(!decoded.valid);
  }
  return good > 0 && good >= 10 * bad;
}

// The charset of <meta charset=...> or of <meta ... content="...; charset=...">, or empty.
std::string charset_of_meta(std::string_view bytes) {
  const std::string head = ascii_lower(bytes.substr(0, kMetaBytes));
  for (size_t at = head.find("<meta"); at != std::string::npos; at = head.find("<meta", at + 1)) {
    const std::string_view tag = std::string_view(head).substr(at, head.find('>', at) - at);
    size_t name = tag.find("charset");
    if (name == std::string_view::npos) continue;
    name = tag.find_first_not_of(" \t\r\n\f", name + 7);
    if (name == std::string_view::npos || tag[name] != '=') continue;
    name = tag.find_first_not_of(" \t\r\n\f\"'", name + 1);
    if (name == std::string_view::npos) continue;
    std::string found = known_name(tag.substr(name, tag.find_first_of(" \t\r\n\f\"'/;", name) - name));
    if (!found.empty() && found != kUtf8 && !found.starts_with("UTF-16") && !found.starts_with("UTF-32")) return found;
  }
  return {};
}

// ICU calls it for every malformed or unmapped sequence.
void replace_and_count(const void* context, UConverterToUnicodeArgs* arguments, const char*, int32_t, UConverterCallbackReason reason,
                       UErrorCode* error) {
  if (reason > UCNV_IRREGULAR) return;  // reset, close, clone
  *error = U_ZERO_ERROR;
  ++*static_cast<uint64_t*>(const_cast<void*>(context));
  constexpr UChar kReplaced = 0xFFFD;
  ucnv_cbToUWriteUChars(arguments, &kReplaced, 1, 0, error);
}

}  // namespace

Charset Charset::parse(std::string_view name) {
  if (name == "auto") return Charset("auto");
  std::string found = known_name(name);
  if (found.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("charset: '{}' is not known; expected auto, utf-8, gb18030, big5, utf-16, utf-16le, utf-16be, "
                            "shift_jis, euc-kr, windows-1252 or another name of an ICU converter",
                            name));
  }
  return Charset(std::move(found));
}

std::optional<Charset> Charset::find(std::string_view name) {
  std::string found = known_name(name);
  if (found.empty()) return std::nullopt;
  return Charset(std::move(found));
}

struct TextDecoder::Converters {
  struct Closer {
    void operator()(UConverter* converter) const { ucnv_close(converter); }
    void operator()(UCharsetDetector* opened) const { ucsdet_close(opened); }
  };
  using Converter = std::unique_ptr<UConverter, Closer>;

  std::map<std::string, Converter, std::less<>> from;
  Converter to_utf8;
  std::unique_ptr<UCharsetDetector, Closer> detector;
  uint64_t malformed = 0;

  UConverter* open(const std::string& name) {
    Converter& converter = from[name];
    if (converter) return converter.get();
    UErrorCode error = U_ZERO_ERROR;
    converter.reset(ucnv_open(name.c_str(), &error));
    ucnv_setToUCallBack(converter.get(), replace_and_count, &malformed, nullptr, nullptr, &error);
    if (U_FAILURE(error)) throw Error(ErrorCode::kInput, fmt::format("charset {}: {}", name, u_errorName(error)));
    return converter.get();
  }
};

TextDecoder::TextDecoder(const Charset& charset) : charset_(charset), converters_(std::make_unique<Converters>()) {}
TextDecoder::~TextDecoder() = default;

TextDecoder::Text TextDecoder::decode(std::string_view bytes) {
  return decode_by(charset_, bytes, false);
}

TextDecoder::Text TextDecoder::decode_declared(std::string_view bytes, std::string_view declared, bool html) {
  std::optional<Charset> charset = Charset::find(declared);
  if (!charset && html) charset = Charset::find(declared_charset(bytes));
  return decode_by(charset ? *charset : charset_, bytes, html);
}

TextDecoder::Text TextDecoder::decode_by(const Charset& charset, std::string_view bytes, bool page) {
  for (const Mark& mark : kMarks) {
    if (!bytes.starts_with(mark.bytes)) continue;
    bytes.remove_prefix(mark.bytes.size());
    return mark.charset == kUtf8 ? from_utf8(bytes) : convert(bytes, std::string(mark.charset));
  }
  if (charset.is_utf8()) return from_utf8(bytes);
  if (!charset.is_auto()) return convert(bytes, charset.name());
  const std::string_view wide = utf16_by_pairs(bytes);
  if (!wide.empty()) return convert(bytes, std::string(wide));
  if (is_valid_utf8(bytes)) return {bytes, 0, kUtf8};
  // The page's own declaration was already checked, and a name in a comment does not count.
  std::string found = page ? std::string() : charset_of_meta(bytes);
  if (found.empty()) found = is_mostly_utf8(bytes) ? std::string(kUtf8) : detect(bytes);
  return found == kUtf8 ? from_utf8(bytes) : convert(bytes, found);
}

TextDecoder::Text TextDecoder::from_utf8(std::string_view bytes) {
  if (is_valid_utf8(bytes)) return {bytes, 0, kUtf8};
  const uint64_t malformed = repair_utf8(bytes, text_);
  return {text_, malformed, kUtf8};
}

TextDecoder::Text TextDecoder::convert(std::string_view bytes, const std::string& charset) {
  if (bytes.data() == nullptr) bytes = "";  // of an empty file; ICU refuses the pointer
  UErrorCode error = U_ZERO_ERROR;
  UConverter* const from = converters_->open(charset);
  if (!converters_->to_utf8) converters_->to_utf8.reset(ucnv_open("UTF-8", &error));
  if (U_FAILURE(error)) throw Error(ErrorCode::kInput, fmt::format("charset UTF-8: {}", u_errorName(error)));
  converters_->malformed = 0;
  std::array<UChar, 4096> pivot;
  UChar* pivot_source = pivot.data();
  UChar* pivot_target = pivot.data();
  const char* source = bytes.data();
  size_t written = 0;
  text_.resize(bytes.size() + bytes.size() / 2 + 64);
  for (bool first = true;; first = false) {
    error = U_ZERO_ERROR;
    char* target = text_.data() + written;
    ucnv_convertEx(converters_->to_utf8.get(), from, &target, text_.data() + text_.size(), &source, bytes.data() + bytes.size(),
                   pivot.data(), &pivot_source, &pivot_target, pivot.data() + pivot.size(), static_cast<UBool>(first),
                   static_cast<UBool>(true), &error);
    written = static_cast<size_t>(target - text_.data());
    if (error != U_BUFFER_OVERFLOW_ERROR) break;
    text_.resize(text_.size() * 2);
  }
  if (U_FAILURE(error)) throw Error(ErrorCode::kInput, fmt::format("charset {}: {}", charset, u_errorName(error)));
  text_.resize(written);
  std::string_view text = text_;
  if (text.starts_with(kMarks[0].bytes)) text.remove_prefix(kMarks[0].bytes.size());  // of a charset whose mark is not in the list
  return {text, converters_->malformed, converters_->from.find(charset)->first};
}

std::string TextDecoder::detect(std::string_view bytes) {
  const std::string_view sample = bytes.substr(0, kSampleBytes);
  UErrorCode error = U_ZERO_ERROR;
  if (!converters_->detector) converters_->detector.reset(ucsdet_open(&error));
  UCharsetDetector* const detector = converters_->detector.get();
  ucsdet_setText(detector, sample.data(), static_cast<int32_t>(sample.size()), &error);
  int32_t count = 0;
  const UCharsetMatch** const matches = ucsdet_detectAll(detector, &count, &error);
  if (U_FAILURE(error)) return std::string(kUtf8);
  for (int32_t i = 0; i < count; ++i) {
    UErrorCode ignored = U_ZERO_ERROR;
    const char* const name = ucsdet_getName(matches[i], &ignored);
    if (name == nullptr || std::find(kDetected.begin(), kDetected.end(), name) == kDetected.end()) continue;
    std::string found = known_name(name);
    if (!found.empty()) return found;
  }
  return std::string(kUtf8);
}

std::string to_utf8(std::string_view bytes, const std::string& charset, uint64_t* malformed) {
  TextDecoder decoder(Charset::parse(charset));
  const auto decoded = decoder.decode(bytes);
  if (malformed != nullptr) *malformed += decoded.malformed;
  return std::string(decoded.text);
}

}  // namespace neardup
