#include "io/foreign_formats.h"

#include <fmt/format.h>

namespace neardup {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  ForeignFormat format;
  size_t offset = 0;
};

constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kExtract = "extract its text first";

constexpr Magic kMagics[] = {
    {"\xFD"
     "7zXZ\0"sv,
     {"xz data", {}}},
    {"\x04\x22\x4D\x18"sv, {"lz4 data", {}}},
    {"LZIP"sv, {"lzip data", {}}},
    {"PK\x03\x04"sv, {"a ZIP archive, as .xlsx and .docx files are", kUnpack}},
    {"PK\x05\x06"sv, {"a ZIP archive", kUnpack}},
    {"7z\xBC\xAF\x27\x1C"sv, {"a 7z archive", kUnpack}},
    {"Rar!\x1A\x07"sv, {"a RAR archive", kUnpack}},
    {"ustar"sv, {"a tar archive", kUnpack}, 257},
    {"PAR1"sv, {"Parquet data", "give --format parquet, or a name that ends in .parquet"}},
    {"ARROW1"sv, {"Arrow data", "convert it to Parquet"}},
    {"FEA1"sv, {"Feather data", "convert it to Parquet"}},
    {"\xFF\xFF\xFF\xFF"sv, {"an Arrow stream", "convert it to Parquet"}},
    {"ORC"sv, {"ORC data", "convert it to Parquet"}},
    {"Obj\x01"sv, {"Avro data", "convert it to Parquet or JSON Lines"}},
    {"SQLite format 3\0"sv, {"a SQLite database", "name one of its tables: sqlite:///FILE?table=NAME"}},
    {"%PDF-"sv, {"a PDF file", kExtract}},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, {"a document of an older Microsoft Office", kExtract}},
    {"{\\rtf"sv, {"an RTF document", kExtract}},
    {"\x89PNG\r\n\x1A\n"sv, {"a PNG image", {}}},
    {"\xFF\xD8\xFF"sv, {"a JPEG image", {}}},
    {"GIF8"sv, {"a GIF image", {}}},
    {"\x7F"
     "ELF"sv,
     {"a program (ELF)", {}}},
    {"\x89HDF\r\n\x1A\n"sv, {"HDF5 data", {}}},
    {"\x93NUMPY"sv, {"a NumPy array", {}}},
};

}  // namespace

ForeignFormat foreign_format(std::string_view head) noexcept {
  for (const Magic& magic : kMagics) {
    if (head.size() > magic.offset && head.substr(magic.offset).starts_with(magic.bytes)) return magic.format;
  }
  return {};
}

std::string foreign_message(std::string_view path, const ForeignFormat& format, std::string_view read) {
  return fmt::format("'{}' is {}; {}", path, format.name, format.advice.empty() ? read : format.advice);
}

}  // namespace neardup
