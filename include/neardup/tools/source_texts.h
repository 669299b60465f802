// SourceTexts: reads single documents again by their places, as an earlier run named them: in a run record or a verdict file.
//
//   - A line of an uncompressed file with a known offset is read alone.
//   - A document of a database is asked for by its id, where the server can compare it; otherwise, and of all other sources, the rows up
//     to the last wanted one are read, twice: first to find the records, then their contents.
//
// Opens only the sources that are needed, each once for all wanted documents. For one thread. Implemented in
// src/jobs/files/source_texts.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/document.h"
#include "neardup/io.h"

namespace neardup {

/// A document as an earlier run named it.
struct TextPlace {
  std::string source;  ///< DocumentSource::source_name()
  uint64_t row = 0;
  std::optional<uint64_t> offset{};  ///< Record::offset; nothing: unknown
  std::string id{};
  bool has_id = false;
  std::string state{};    ///< DocumentSource::state_of() of that run; empty: unknown
  bool lossy_id = false;  ///< the id lost bytes, as in a table of verdicts, so it can neither be asked for nor compared
};

class SourceTexts {
 public:
  /// `inputs`: what the run read, as its command line named it; only databases are looked up there, because the names of sources hide
  /// passwords. `options`: those by which the run read its inputs; fields are not checked.
  SourceTexts(std::vector<std::string> inputs, SourceOptions options);

  /// The views of the record are valid until it returns; its `where` is that of another reading.
  using Visit = std::function<void(size_t place, const Record& record)>;
  /// Visits each place once, by source and then by row. Throws Error{kInput} when a document cannot be read, or is another one than it was.
  void read(std::span<const TextPlace> places, const Visit& visit) const;

 private:
  class Group;
  [[nodiscard]] std::string input_of(const std::string& source) const;

  std::vector<std::string> inputs_;
  SourceOptions options_;
};

}  // namespace neardup
