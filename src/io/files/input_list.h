// list_inputs(): turns the inputs of the command line into the files of a run, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/bytes/input_file.h"
#include "io/files/file_kind.h"
#include "neardup/options.h"

namespace neardup {

struct InputEntry {
  using Kind = FileKind;  ///< kLines, kText and kTable are regular files; kWarc may be a stream, too
  std::string path;       ///< as the user gave it, or below that; also the name of the source
  Kind kind = Kind::kLines;
  FileStamp stamp;        ///< of a regular file
  bool html = false;      ///< a page by its name, or an archive that may hold pages
  bool streamed = false;  ///< standard input or a pipe
  uint32_t input = 0;     ///< the ordinal of the input that gave it
};

/// Throws Error{kInput}: an input does not exist or gives no file; kUsage: it is given twice. The same file under two names inside one
/// directory or glob (links) is two documents, not an error. Order and rules: SourceOptions. `warn` (may be empty) is called for each
/// folder in which files are left out, or links lead nowhere or to a folder, which are not followed. A nonempty file with a size of 0
/// (/proc) is read as a stream.
std::vector<InputEntry> list_inputs(const std::vector<std::string>& inputs, InputFormat format,
                                    const std::function<void(const std::string&)>& warn = {});

}  // namespace neardup
