#include "io/files/foreign_formats.h"

#include <fmt/format.h>

#include <algorithm>

namespace neardup {
namespace {

using namespace std::string_view_literals;

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

constexpr size_t kHeaderBytes = 16;

// The letters are followed by numbers of a binary header, some byte of which does not occur in a text.
bool is_no_text(std::string_view bytes) noexcept {
  return std::ranges::any_of(bytes.substr(0, kHeaderBytes), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' && (byte < '\b' || byte > '\r') && byte != '\x1B';
  });
}

}  // namespace

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
