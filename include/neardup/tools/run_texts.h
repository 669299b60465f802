// RunTexts: reads documents of a finished run again, by their places.
//
// A document in an uncompressed file is read at its offset; one of a database is asked for by its id; of any other source the rows up to
// the last wanted one are read, each source once for all wanted documents. Nothing but the sources that are needed is opened.
//
// For one thread. Implemented in src/jobs/files/run_texts.cc.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "neardup/document.h"
#include "neardup/io.h"
#include "neardup/tools/run_record.h"
#include "neardup/tools/source_texts.h"

namespace neardup {

/// A document of the run, or of its reference corpus. Throws Error{kInput} for an entry of an index, which has no text.
TextPlace text_place(const RunRecord& record, const DocumentId& where);

class RunTexts {
 public:
  /// `record` outlives it. `inputs`: everything that the run read, as its command line named it, but for reference indexes; databases are
  /// opened by them, because the names of sources hide passwords. `options`: those that the run read its inputs by.
  RunTexts(const RunRecord& record, std::vector<std::string> inputs, SourceOptions options);

  /// The views of the record are valid until it returns. `where` is that of the run.
  using Visit = std::function<void(const DocumentId& where, const Record& record)>;
  /// Visits each of these documents once, in input order, with everything but rank values. Places of reference documents
  /// are allowed, entries of indexes are not: they have no text. Throws Error{kInput} when a source cannot be read or changed since the
  /// run.
  void read(std::span<const DocumentId> wanted, const Visit& visit) const;

 private:
  const RunRecord& record_;
  SourceTexts sources_;
};

}  // namespace neardup
