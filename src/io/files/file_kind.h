// The kind of a file: by the end of its name, by --format, and, for names that say nothing, by its first bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/bytes/input_file.h"
#include "neardup/options.h"

namespace neardup {

enum class FileKind : uint8_t {
  kLines,   ///< JSON Lines, or one JSON document
  kText,    ///< one document
  kStream,  ///< JSON Lines of standard input or a pipe
  kWarc,    ///< a crawl archive
  kTable,   ///< Parquet, CSV or TSV
};

/// What the end of a name says, before the ending of a compression.
enum class NamedKind : uint8_t {
  kLines,
  kText,
  kHtml,
  kWarc,
  kTable,
  kUnnamed,  ///< without an ending, or with one of digits only: "part-00000", "shard.17.gz"
  kOther,
};

/// The endings that select a kind, in lower case; a name may have them in upper case, too.
inline constexpr std::array<std::string_view, 3> kLineEndings{".jsonl", ".ndjson", ".json"};
inline constexpr std::array<std::string_view, 3> kTextEndings{".txt", ".text", ".md"};
inline constexpr std::array<std::string_view, 3> kHtmlEndings{".html", ".htm", ".xhtml"};
inline constexpr std::array<std::string_view, 2> kWarcEndings{".warc", ".wet"};
inline constexpr std::array<std::string_view, 3> kTableEndings{".parquet", ".csv", ".tsv"};

NamedKind named_kind(std::string_view path) noexcept;

/// True for names that other programs give to files of their own: they begin with '.' or '_'.
bool is_side_file(std::string_view path) noexcept;

/// The kind of a regular file that the user names; under kAuto an unknown name is JSON Lines.
FileKind kind_of_named(std::string_view path, InputFormat format) noexcept;

/// The kind of a regular file found in a folder; nothing: it is left out. Under kAuto, reads the first bytes of a file whose name says
/// nothing: JSON, WARC and Parquet are recognized. Another format leaves out names that say another kind, except that kText takes every
/// file and kJsonl also names of text files. A table must have the ending of its format, or under kParquet a name that says nothing and the
/// bytes of Parquet. Side files are never tables, and never recognized by their bytes.
std::optional<FileKind> kind_in_folder(const std::string& path, const FileStamp& stamp, InputFormat format);

/// A page by its name, or an archive that may hold pages: all but WET, which is text extracted from them.
bool may_be_html(std::string_view path, FileKind kind) noexcept;

}  // namespace neardup
