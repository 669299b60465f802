// Rows: the documents of a piece of the caller's data, as columns by their role. RowBatch: a part of it as a Batch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dedup/column.h"
#include "neardup/options.h"
#include "neardup/source.h"

namespace neardup::python {

/// The fields of documents that a run reads.
struct Fields {
  std::vector<std::string> text;
  std::string id;  ///< kAutoIdField: "id", if there is such a column; empty: none
  std::string rank;
  std::string block;
  std::vector<FieldValue> protect;
  uint64_t max_text_bytes = 0;

  /// Those that must be columns: all but an automatic id. The first of them is the text.
  [[nodiscard]] std::vector<std::string> required() const;
  /// All, the automatic id included.
  [[nodiscard]] std::vector<std::string> wanted() const;
};

/// Immutable; shared by threads.
class Rows {
 public:
  using NamedColumn = std::pair<std::string, std::shared_ptr<const Column>>;
  /// `columns` have those of fields.required(). Throws Error{kUsage} if they differ in length.
  Rows(const Fields& fields, const std::vector<NamedColumn>& columns);

  [[nodiscard]] uint64_t size() const noexcept { return size_; }
  /// Fills everything but the place. The views live as long as this and the strings of `scratch`.
  struct Scratch {
    std::string text, piece, id, block, protection, problem;
  };
  void fill(uint64_t row, Batch::Need need, Scratch& scratch, Record& record) const;
  /// Bytes of the text; 0 for a rejected record.
  [[nodiscard]] uint64_t text_bytes(uint64_t row, Scratch& scratch) const;

  /// Where batches end: each has about a megabyte of texts.
  struct Part {
    uint64_t first = 0;
    uint64_t end = 0;
    uint64_t bytes = 0;
  };
  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }

 private:
  struct Rule {
    std::shared_ptr<const Column> column;
    std::string value;
  };
  void cut();
  void fill_text(uint64_t row, Scratch& scratch, Record& record) const;
  void join_texts(uint64_t row, Scratch& scratch, Record& record) const;

  uint64_t size_ = 0;
  uint64_t max_text_bytes_;
  std::vector<NamedColumn> texts_;
  std::shared_ptr<const Column> id_, rank_, block_;  // null: none
  std::vector<Rule> protect_;
  std::vector<Part> parts_;
};

/// Source 0, or the one that is given.
class RowBatch final : public Batch {
 public:
  RowBatch(std::shared_ptr<const Rows> rows, const Rows::Part& part) : rows_(std::move(rows)), part_(part) {}
  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override;
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return part_.end - part_.first; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return part_.bytes; }

 private:
  std::shared_ptr<const Rows> rows_;
  Rows::Part part_;
};

}  // namespace neardup::python
