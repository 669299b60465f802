#include "io/files/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "io/bytes/byte_stream.h"
#include "io/bytes/decompress.h"
#include "io/files/charset.h"
#include "io/files/text_lines.h"
#include "io/json/json_scan.h"
#include "neardup/error.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using namespace std::string_view_literals;

constexpr size_t kHeadBytes = 16u << 10;  // of an input, examined to decide how it is read
constexpr size_t kHeaderBytes = 16;       // of a binary format, after the magic
constexpr size_t kTypicalLines = 4;       // fewer of a longer input may be exceptions
constexpr std::string_view kRead = "JSON Lines are read plain or compressed by gzip, zstd or bzip2";

enum class Follows { kAnything, kNoText };

struct Magic {
  std::string_view bytes;
  ForeignFormat format;
  size_t offset = 0;
  Follows follows = Follows::kAnything;  // kNoText: bytes that may begin a text
};

constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kExtract = "extract its text first";

constexpr Magic kMagics[] = {
    {"\xFD"
     "7zXZ\0"sv,
     {"xz data", {}}},
    {"\x04\x22\x4D\x18"sv, {"lz4 data", {}}},
    {"LZIP\1"sv, {"lzip data", {}}},
    {"PK\x03\x04"sv, {"a ZIP archive, as .xlsx and .docx files are", kUnpack}},
    {"PK\x05\x06"sv, {"a ZIP archive", kUnpack}},
    {"7z\xBC\xAF\x27\x1C"sv, {"a 7z archive", kUnpack}},
    {"Rar!\x1A\x07"sv, {"a RAR archive", kUnpack}},
    {"ustar\0"sv, {"a tar archive", kUnpack}, 257},
    {"ustar  \0"sv, {"a tar archive", kUnpack}, 257},
    {"PAR1"sv, {"Parquet data", "give --format parquet, or a name that ends in .parquet"}, 0, Follows::kNoText},
    {"ARROW1"sv, {"Arrow data", "convert it to Parquet"}, 0, Follows::kNoText},
    {"FEA1"sv, {"Feather data", "convert it to Parquet"}, 0, Follows::kNoText},
    {"\xFF\xFF\xFF\xFF"sv, {"an Arrow stream", "convert it to Parquet"}},
    {"ORC"sv, {"ORC data", "convert it to Parquet"}, 0, Follows::kNoText},
    {"Obj\x01"sv, {"Avro data", "convert it to Parquet or JSON Lines"}},
    {"SQLite format 3\0"sv, {"a SQLite database", "name one of its tables: sqlite:///FILE?table=NAME"}},
    {"%PDF-"sv, {"a PDF file", kExtract}},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, {"a document of an older Microsoft Office", kExtract}},
    {"{\\rtf"sv, {"an RTF document", kExtract}},
    {"\x89PNG\r\n\x1A\n"sv, {"a PNG image", {}}},
    {"\xFF\xD8\xFF"sv, {"a JPEG image", {}}},
    {"GIF87a"sv, {"a GIF image", {}}, 0, Follows::kNoText},
    {"GIF89a"sv, {"a GIF image", {}}, 0, Follows::kNoText},
    {"\x7F"
     "ELF"sv,
     {"a program (ELF)", {}}},
    {"\x89HDF\r\n\x1A\n"sv, {"HDF5 data", {}}},
    {"\x93NUMPY"sv, {"a NumPy array", {}}},
};

// The letters are followed by numbers of a binary header, with bytes that do not occur in a text.
bool is_no_text(std::string_view bytes) noexcept {
  return std::ranges::any_of(bytes.substr(0, kHeaderBytes), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' && (byte < '\b' || byte > '\r') && byte != '\x1B';
  });
}

std::string_view without_mark(std::string_view head) noexcept {
  if (head.starts_with(kUtf8Mark)) head.remove_prefix(kUtf8Mark.size());
  return head;
}

// True if `text` is JSON, or becomes JSON when more follows it.
bool begins_json(std::string_view text, size_t first_line) {
  const JsonFault fault = check_json(text);
  if (fault.what.empty() || fault.offset == text.size()) return true;
  // One value ended and another one begins; the first one stands on several lines.
  return fault.what == kFollowsValue && fault.offset > first_line;
}

// An object that continues after its first line, in a text whose known part is JSON.
bool is_object_over_lines(std::string_view text) {
  const size_t first_line = text.find('\n');
  if (first_line == std::string_view::npos) return false;
  const auto is_json = [](std::string_view line) { return check_json(line).what.empty(); };
  if (!is_valid_utf8(text.substr(0, first_line)) || is_json(text.substr(0, first_line))) return false;
  // No token crosses a line end, so that the text can be cut there; a token after it is shortened to a complete one.
  const size_t cut = text.rfind('\n');
  std::string prefix(text.substr(0, std::min(cut, find_invalid_utf8(text))));
  if (prefix.size() < cut) prefix.resize(prefix.rfind('\n') + 1);
  const size_t next = json_detail::skip_white(text, prefix.size());
  const char token = next < text.size() ? text[next] : ' ';
  if (token == '"') {
    prefix += "\"\"";
  } else if (std::string_view("{[]},:").find(token) != std::string_view::npos) {
    prefix += token;
  } else if (token != ' ') {
    prefix += '0';
  }
  return begins_json(prefix, first_line);
}

// True if the lines of a live stream so far, the last of them complete, determine its kind. Depends only on them.
bool determines_layout(std::string_view lines) {
  if (sniff_compression(lines.substr(0, kSniffBytes)) != Compression::kNone || may_become_foreign(lines)) return false;
  lines = without_mark(lines);
  lines.remove_prefix(json_detail::skip_white(lines, 0));
  if (lines.empty()) return false;
  if (lines.front() != '[') return layout_of(lines, false) != Layout::kDocument;  // a later line may still contradict it
  const size_t first = json_detail::skip_white(lines, 1);
  return first < lines.size() && (lines[first] != ']' || json_detail::skip_white(lines, first + 1) < lines.size());
}

struct Head {
  std::string bytes;
  bool whole = false;  // the stream ends after them
};

// The first kHeadBytes of a stream; of a live one only the lines that determine its kind, however it is cut into pieces, so that its first
// line need not wait for more.
Head read_ahead(ByteStream& stream, bool live) {
  Head head;
  head.bytes.resize(kHeadBytes);
  size_t filled = 0;
  size_t decisive = 0;
  while (filled < kHeadBytes && decisive == 0 && !head.whole) {
    const size_t got = stream.read(head.bytes.data() + filled, kHeadBytes - filled);
    const std::string_view seen(head.bytes.data(), filled + got);
    for (size_t at = seen.find('\n', filled); live && decisive == 0 && at != std::string_view::npos; at = seen.find('\n', at + 1)) {
      if (determines_layout(seen.substr(0, at + 1))) decisive = at + 1;
    }
    filled += got;
    head.whole = got == 0;
  }
  head.bytes.resize(decisive != 0 ? decisive : filled);
  stream.rewind();
  return head;
}

// The beginning of the decompressed bytes; of a live stream only the bytes read ahead, because later bytes cannot be read again.
Head plain_head(ByteStream& stream, Compression compression, const Head& stored, bool live) {
  MemoryStream ahead(stored.bytes);
  const auto decompressor = make_decompressor(compression, live ? static_cast<ByteStream&>(ahead) : stream);
  Head head;
  head.bytes.resize(kHeadBytes);
  head.bytes.resize(decompressor->read(head.bytes.data(), head.bytes.size()));
  head.whole = head.bytes.size() < kHeadBytes && (!live || stored.whole);
  stream.rewind();
  return head;
}

// True if the first line is a JSON object, or a long one whose beginning is all that is known.
bool begins_with_object(std::string_view head, bool whole) {
  head = without_mark(head);
  head.remove_prefix(json_detail::skip_white(head, 0));
  if (!head.starts_with('{')) return false;
  const size_t end = head.find('\n');
  if (end != std::string_view::npos || whole) {
    const std::string_view line = head.substr(0, end);
    return is_valid_utf8(line) && check_json(line).what.empty();
  }
  const size_t member = json_detail::skip_white(head, 1);
  return member < head.size() && head[member] == '"';
}

}  // namespace

UnnamedContent recognize_unnamed(ByteStream& stream) {
  const Head stored = read_ahead(stream, false);
  const auto* const parquet = std::ranges::find(kMagics, "PAR1"sv, &Magic::bytes);
  const ForeignFormat foreign = foreign_format(stored.bytes);
  if (!foreign.name.empty()) return foreign.name == parquet->format.name ? UnnamedContent::kParquet : UnnamedContent::kOther;
  const Compression compression = sniff_compression(std::string_view(stored.bytes).substr(0, kSniffBytes));
  const auto [head, whole] = compression == Compression::kNone ? stored : plain_head(stream, compression, stored, false);
  if (!foreign_format(head).name.empty()) return UnnamedContent::kOther;
  const Layout layout = layout_of(head, whole);
  if (layout == Layout::kArchive) return UnnamedContent::kArchive;
  return layout == Layout::kDocument || begins_with_object(head, whole) ? UnnamedContent::kJson : UnnamedContent::kOther;
}

Layout layout_of(std::string_view head, bool whole) {
  head = without_mark(head);
  if (head.starts_with("WARC/")) return Layout::kArchive;
  head.remove_prefix(json_detail::skip_white(head, 0));
  if (head.starts_with('[')) {
    const size_t first = json_detail::skip_white(head, 1);
    const bool empty = first < head.size() && head[first] == ']' && whole && json_detail::skip_white(head, first + 1) == head.size();
    return empty || (first < head.size() && head[first] == '{') ? Layout::kDocument : Layout::kLines;
  }
  return head.starts_with('{') && is_object_over_lines(head) ? Layout::kDocument : Layout::kLines;
}

std::string foreign_charset(std::string_view head, bool whole) {
  constexpr std::string_view kWideMarks[] = {"\xFF\xFE", "\xFE\xFF"};
  const bool wide = std::ranges::any_of(kWideMarks, [&](std::string_view mark) { return head.starts_with(mark); }) ||
                    head.substr(0, 4).find('\0') != std::string_view::npos;
  const auto named = [&] { return std::string(TextDecoder(Charset::parse("auto")).decode(head).charset); };
  if (wide) {
    std::string charset = named();
    return charset.starts_with("UTF-16") || charset.starts_with("UTF-32") ? charset : "";
  }
  if (is_valid_utf8(head)) return {};
  size_t lines = 0;
  size_t invalid = 0;
  for (size_t at = 0; at < head.size();) {
    const size_t end = head.find('\n', at);
    if (end == std::string_view::npos && !whole) break;  // it may be cut inside of a character
    const std::string_view line = head.substr(at, end == std::string_view::npos ? end : end - at);
    at += line.size() + 1;
    if (line.empty()) continue;
    ++lines;
    if (!is_valid_utf8(line)) ++invalid;
  }
  if (invalid * 2 <= lines || (!whole && lines < kTypicalLines)) return {};
  std::string charset = named();
  return charset == "UTF-8" ? "" : charset;
}

Content recognize_content(ByteStream& stream, const std::string& path, bool live) {
  const Head stored = read_ahead(stream, live);
  const auto refuse_foreign = [&](std::string_view bytes) {
    const ForeignFormat foreign = foreign_format(bytes);
    if (!foreign.name.empty()) throw Error(ErrorCode::kInput, foreign_message(path, foreign, kRead));
  };
  refuse_foreign(stored.bytes);
  Content content;
  content.compression = sniff_compression(std::string_view(stored.bytes).substr(0, kSniffBytes));
  const bool plain = content.compression == Compression::kNone;
  const auto [head, whole] = plain ? stored : plain_head(stream, content.compression, stored, live);
  if (!plain) {
    refuse_foreign(head);
    const Compression inner = sniff_compression(std::string_view(head).substr(0, kSniffBytes));
    if (inner != Compression::kNone) {
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}' is {} data inside of {} data; decompress it once", path, name_of(inner), name_of(content.compression)));
    }
  }
  const std::string charset = foreign_charset(head, whole);
  if (!charset.empty()) {
    throw Error(ErrorCode::kInput, fmt::format("'{}' is not UTF-8; it looks like {}. JSON Lines are UTF-8: convert it first, iconv -f {} "
                                               "-t UTF-8. (--charset is for text files.)",
                                               path, charset, charset));
  }
  content.layout = layout_of(head, whole);
  return content;
}

ForeignFormat foreign_format(std::string_view head) noexcept {
  for (const Magic& magic : kMagics) {
    if (head.size() <= magic.offset) continue;
    const std::string_view from = head.substr(magic.offset);
    if (!from.starts_with(magic.bytes)) continue;
    if (magic.follows == Follows::kAnything || is_no_text(from.substr(magic.bytes.size()))) return magic.format;
  }
  return {};
}

bool may_become_foreign(std::string_view head) noexcept {
  return std::ranges::any_of(kMagics, [&](const Magic& magic) {
    const size_t needed = magic.bytes.size() + (magic.follows == Follows::kNoText ? kHeaderBytes : 0);
    return magic.offset == 0 && head.size() < needed && (magic.bytes.starts_with(head) || head.starts_with(magic.bytes));
  });
}

std::string foreign_message(std::string_view path, const ForeignFormat& format, std::string_view read) {
  return fmt::format("'{}' is {}; {}", path, format.name, format.advice.empty() ? read : format.advice);
}

}  // namespace neardup
