// RunTexts: reads documents of a finished run again, by their places.
//
// A document in an uncompressed file is read at its offset; one of a database is asked for by its id; of any other source the rows up to
// the last wanted one are read, each source once for all wanted documents. Nothing but the sources that are needed is opened.
//
// For one thread. Implemented in src/jobs/files/run_texts.cc.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/document.h"
#include "neardup/io.h"
#include "neardup/tools/run_record.h"

namespace neardup {

class RunTexts {
 public:
  /// `record` outlives it. `inputs`: everything that the run read, as its command line named it, but for reference indexes; databases are
  /// opened by them, because the names of sources hide passwords. `options`: those that the run read its inputs by.
  RunTexts(const RunRecord& record, std::vector<std::string> inputs, SourceOptions options);
  ~RunTexts();
  RunTexts(const RunTexts&) = delete;
  RunTexts& operator=(const RunTexts&) = delete;

  /// The views of the record are valid until it returns. `where` is that of the run.
  using Visit = std::function<void(const DocumentId& where, const Record& record)>;
  /// Visits each of these documents once, in input order, with everything but Record::block and rank values. Places of reference documents
  /// are allowed, entries of indexes are not: they have no text. Throws Error{kInput} when a source cannot be read or changed since the
  /// run.
  void read(std::span<const DocumentId> wanted, const Visit& visit);

 private:
  class Sources;
  const RunRecord& record_;
  std::unique_ptr<Sources> sources_;
};

}  // namespace neardup
