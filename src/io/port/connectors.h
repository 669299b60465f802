// The interfaces of a connector: SourceKind, one kind of input that is not a JSON Lines or text file; LineTarget and TargetKind, which
// receive the lines of a sink: a file, standard output, or a target that stores them as rows or documents.
//
// Of targets: a line is a JSON object and '\n'. Lines come in input order from one thread at a time. Nothing appears under its final name
// before commit() (law 6); a target that is destroyed without commit() leaves no trace if the server allows it; otherwise its header says
// what remains. withdraw() undoes commit() as far as the server allows.
//
// A new kind has a room of its own and a line in src/io/connectors.cc, which is not in this room because it names all kinds. Other places:
//   a file format
//     neardup/options.h, the row "format" of the option table   InputFormat, and its name for --format
//     io/files/input_list.cc                                    the endings that select it, also in folders
//     io/bytes/name_ending.h                                    TableKind, for tables and outputs with such an ending
//     io/files/content.cc                                       its first bytes, if files of other names are to be recognized or rejected
//     io/open_source.cc                                         instead of that line, if it is one of the files of a run, as WARC is
//     io/port/source_traits.h, neardup/tools/input_kinds.h      what sinks and the checks of options ask about an input
//     apps/cli/options/check_invocation.h                       the endings of outputs, if it is written
//   a URI scheme
//     io/bytes/uri.h                                            kDatabaseSchemes; any other scheme is an error
//     io/sql/sql_address.h, io/sql/sql_connection.cc            of an SQL server: SqlServer, connect_sql()
//     *_absent.cc in its room, cmake/Connectors.cmake           for builds without the headers of its client library, which a run loads
//                                                               (client_library.h)
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/io.h"

namespace neardup {

struct SourceKind {
  std::string_view name;
  /// True if `input`, as the user named it, is of this kind.
  bool (*takes)(const std::string& input, InputFormat format);
  /// Opens one input; it may have several sources. Throws Error{kInput}, kUsage.
  std::unique_ptr<DocumentSource> (*open)(const std::string& input, const SourceOptions& options);
  /// The same for consecutive inputs of this kind, if they should be one source. May be null.
  std::unique_ptr<DocumentSource> (*open_all)(const std::vector<std::string>& inputs, const SourceOptions& options) = nullptr;
};

/// The kind that accepts `input`; null: it is a file.
const SourceKind* source_kind_of(const std::string& input, InputFormat format);

class LineTarget : public Committable {
 public:
  /// Whole lines. Throws Error{kOutput}.
  virtual void append(std::string_view lines) = 0;
  /// The member that every line must have, the key of rows ("_id"); empty: none.
  [[nodiscard]] virtual std::string_view key_member() const noexcept { return {}; }
  /// True if a line changes the row of its key: it has the key and the members to set, and no others.
  [[nodiscard]] virtual bool updates() const noexcept { return false; }
};

/// One kind of target that is not a plain file.
struct TargetKind {
  std::string_view name;
  /// True if `target`, as the user named it, is of this kind.
  bool (*takes)(const std::string& target);
  /// Throws Error{kOutput}, kUsage.
  std::unique_ptr<LineTarget> (*open)(const std::string& target, const TargetOptions& options);
};

/// The target that `target` names; a file, compressed by its ending, if no kind accepts it.
std::unique_ptr<LineTarget> open_target(const std::string& target, const TargetOptions& options);

/// A file of exactly the appended bytes, with any name.
std::unique_ptr<LineTarget> open_file_target(const std::string& path);

}  // namespace neardup
