// run_dedup(), run_pairs(): the two jobs over data of Python. read_texts(): single documents of them again. RecordReader: all records of
// files.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/table.h"
#include "dedup/data.h"
#include "dedup/settings.h"
#include "dedup/verdicts.h"

namespace neardup::python {

struct DedupCall {
  const Data& data;
  const Settings& settings;
  const Data* reference = nullptr;         ///< DedupRun::reference_sources; null: none
  std::string work{};                      ///< DedupRun::checkpoint_directory
  std::optional<Threshold> rethreshold{};  ///< of the run in `work`
};
/// Holds the lock of the interpreter, and gives it up while the job runs. `progress`: see ProgressBox. Throws Error, KeyboardInterrupt, and
/// what the data and `progress` raise.
std::shared_ptr<const Verdicts> run_dedup(const DedupCall& call, nanobind::handle progress);

struct FoundPairs {
  std::shared_ptr<const Table> table;
  std::string summary_json;
  std::vector<std::string> warnings;
};
/// The same.
FoundPairs run_pairs(const Data& data, const Settings& settings, nanobind::handle progress);

/// The texts at these places, of sources numbered as in the run; nothing for a place without a text. Throws Error{kInput}.
std::vector<std::optional<std::string>> read_texts(const Data& data, const Data* reference,
                                                   const std::vector<std::pair<uint32_t, uint64_t>>& places);

/// All records in order. Guarded by a mutex.
class RecordReader {
 public:
  explicit RecordReader(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  struct Item {
    bool rejected = false;
    std::string raw;  ///< the line; empty if the record is a text file
    std::string id;
    std::string text;  ///< of a text file
  };
  /// The records of the next batch that has some; empty at the end. Without the lock of the interpreter.
  std::vector<Item> next();

 private:
  std::mutex mutex_;
  std::shared_ptr<const Data> data_;
  std::unique_ptr<DocumentSource> source_;
};

}  // namespace neardup::python
