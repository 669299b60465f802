// Verdicts: the verdicts of a run in memory, and its summary. VerdictSink collects them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrow/table.h"
#include "neardup/document.h"
#include "neardup/sink.h"
#include "neardup/source.h"
#include "neardup/tools/summary.h"

namespace neardup::python {

/// One entry a document that was not rejected, in input order. Sources are numbered as in the run: those of a reference come first.
struct Verdicts {
  std::vector<uint32_t> source;
  std::vector<uint64_t> row;  ///< from 1
  std::vector<Reason> reason;
  std::vector<uint8_t> removed;
  std::vector<uint32_t> keeper_source;  ///< of a kept document: its own
  std::vector<uint64_t> keeper_row;
  std::vector<double> similarity;  ///< 0 of a kept one
  std::vector<uint64_t> cluster_size;
  std::string id_bytes;
  std::vector<int64_t> id_ends;
  std::vector<bool> has_id;
  std::unordered_map<uint64_t, std::string> reference_ids;  ///< of keepers that are reference documents, by entry

  std::vector<std::string> source_names;
  uint32_t reference_sources = 0;
  std::string summary_json;
  std::vector<std::string> warnings;

  struct Rejected {
    DocumentId where;
    std::string kind;
    std::string problem;
  };
  std::vector<Rejected> rejected;

  [[nodiscard]] size_t size() const noexcept { return row.size(); }
  /// The entry of a document, or -1.
  [[nodiscard]] int64_t find(const DocumentId& where) const noexcept;
  /// Of each entry that of its keeper: itself if it is kept, -1 for a keeper of a reference.
  [[nodiscard]] std::vector<int64_t> keepers() const;
  [[nodiscard]] std::string_view id(size_t entry) const noexcept;
  /// The columns of a verdict file.
  [[nodiscard]] std::shared_ptr<const Table> table() const;
  /// source, row, kind, problem.
  [[nodiscard]] std::shared_ptr<const Table> rejected_table() const;
};

class VerdictSink final : public Sink {
 public:
  explicit VerdictSink(Verdicts& verdicts) : verdicts_(verdicts) {}
  [[nodiscard]] bool needs_raw() const noexcept override { return false; }
  void format(const Record& record, const Verdict& verdict, std::string& out) const override;
  void append(uint32_t source, std::string_view bytes) override;
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  Verdicts& verdicts_;
};

/// Keeps the places of rejected records and why.
class RejectCollector final : public RejectSink {
 public:
  explicit RejectCollector(Verdicts& verdicts) : verdicts_(verdicts) {}
  void append(const Record& record) override;
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  Verdicts& verdicts_;
};

/// Collects pairs: id_a, id_b, similarity as in a file of pairs, and the places.
class PairCollector final : public PairSink {
 public:
  explicit PairCollector(const DocumentSource& source) : source_(source) {}
  void append(const End& a, const End& b, double similarity) override;
  void commit() override {}
  void withdraw() noexcept override {}
  /// `containment`: the columns are contained, container, containment. Ends the collection.
  [[nodiscard]] std::shared_ptr<const Table> table(bool containment);

 private:
  struct Side {
    std::string names;
    std::vector<int64_t> ends;
    std::vector<int32_t> sources;
    std::vector<int64_t> rows;
  };
  void append(const End& end, Side& side);

  const DocumentSource& source_;
  Side a_, b_;
  std::vector<double> similarities_;
};

}  // namespace neardup::python
