#include "io/files/file_kind.h"

#include <algorithm>
#include <span>

#include "base/ascii.h"
#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/files/content.h"
#include "neardup/error.h"

namespace neardup {
namespace {

std::string_view file_name(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1);
}

bool ends_in(std::string_view name, std::span<const std::string_view> endings) noexcept {
  return std::ranges::any_of(endings, [name](std::string_view ending) { return has_ending(name, ending); });
}

bool says_nothing(std::string_view name) noexcept {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos || std::ranges::all_of(name.substr(dot + 1), is_ascii_digit);
}

std::optional<FileKind> kind_by_content(const std::string& path, const FileStamp& stamp) {
  try {
    FileStream stream(path, stamp);
    switch (recognize_unnamed(stream)) {
      case UnnamedContent::kJson:
        return FileKind::kLines;
      case UnnamedContent::kArchive:
        return FileKind::kWarc;
      case UnnamedContent::kParquet:
        return FileKind::kTable;
      case UnnamedContent::kOther:
        break;
    }
  } catch (const Error&) {
    // Unreadable or damaged, without a name that says what it is: left out, and counted.
  }
  return std::nullopt;
}

std::optional<FileKind> automatic_kind(const std::string& path, const FileStamp& stamp) {
  switch (named_kind(path)) {
    case NamedKind::kLines:
      return FileKind::kLines;
    case NamedKind::kText:
    case NamedKind::kHtml:
      return FileKind::kText;
    case NamedKind::kWarc:
      return FileKind::kWarc;
    case NamedKind::kTable:
      return is_side_file(path) ? std::nullopt : std::optional(FileKind::kTable);
    case NamedKind::kUnnamed:
      return is_side_file(path) ? std::nullopt : kind_by_content(path, stamp);
    case NamedKind::kOther:
      break;
  }
  return std::nullopt;
}

// By the ending of the format; the bytes of CSV say nothing, but those of Parquet do.
bool is_table_of(const std::string& path, const FileStamp& stamp, InputFormat format) {
  if (is_side_file(path)) return false;
  if (table_kind_of(file_name(path)) == table_kind_of(format)) return true;
  return format == InputFormat::kParquet && named_kind(path) == NamedKind::kUnnamed && kind_by_content(path, stamp) == FileKind::kTable;
}

}  // namespace

NamedKind named_kind(std::string_view path) noexcept {
  const std::string_view name = file_name(path);
  if (table_kind_of(name) != TableKind::kNone) return NamedKind::kTable;
  const std::string_view plain = without_compression_suffix(name);
  if (ends_in(plain, kLineEndings)) return NamedKind::kLines;
  if (ends_in(plain, kTextEndings)) return NamedKind::kText;
  if (ends_in(plain, kHtmlEndings)) return NamedKind::kHtml;
  if (ends_in(plain, kWarcEndings)) return NamedKind::kWarc;
  return says_nothing(plain) ? NamedKind::kUnnamed : NamedKind::kOther;
}

bool is_side_file(std::string_view path) noexcept {
  const std::string_view name = file_name(path);
  return name.starts_with('.') || name.starts_with('_');
}

FileKind kind_of_named(std::string_view path, InputFormat format) noexcept {
  switch (format) {
    case InputFormat::kText:
      return FileKind::kText;
    case InputFormat::kJsonl:
      return FileKind::kLines;
    case InputFormat::kWarc:
      return FileKind::kWarc;
    case InputFormat::kParquet:
    case InputFormat::kCsv:
    case InputFormat::kTsv:
      return FileKind::kTable;
    case InputFormat::kAuto:
      break;
  }
  switch (named_kind(path)) {
    case NamedKind::kText:
    case NamedKind::kHtml:
      return FileKind::kText;
    case NamedKind::kWarc:
      return FileKind::kWarc;
    case NamedKind::kTable:
      return FileKind::kTable;
    default:
      return FileKind::kLines;
  }
}

std::optional<FileKind> kind_in_folder(const std::string& path, const FileStamp& stamp, InputFormat format) {
  const NamedKind named = named_kind(path);
  const bool says_no_kind = named == NamedKind::kUnnamed || named == NamedKind::kOther;
  switch (format) {
    case InputFormat::kAuto:
      return automatic_kind(path, stamp);
    case InputFormat::kText:
      return FileKind::kText;
    case InputFormat::kJsonl:
      if (says_no_kind || named == NamedKind::kLines || named == NamedKind::kText) return FileKind::kLines;
      break;
    case InputFormat::kWarc:
      if (says_no_kind || named == NamedKind::kWarc) return FileKind::kWarc;
      break;
    case InputFormat::kParquet:
    case InputFormat::kCsv:
    case InputFormat::kTsv:
      if (is_table_of(path, stamp, format)) return FileKind::kTable;
      break;
  }
  return std::nullopt;
}

bool may_be_html(std::string_view path, FileKind kind) noexcept {
  if (kind == FileKind::kWarc) return !has_ending(without_compression_suffix(path), ".wet");
  return kind == FileKind::kText && named_kind(path) == NamedKind::kHtml;
}

}  // namespace neardup
