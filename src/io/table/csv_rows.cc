#include "io/table/csv_rows.h"

#include <fmt/format.h>

#include <utility>

#include "neardup/error.h"

namespace neardup {

CsvRows::CsvRows(const duck::Database& database, const TableFile& file) : file_(file), connection_(database) {
  file_.check_unchanged();
  try {
    rows_.emplace(connection_, fmt::format("SELECT * FROM {}", file_.scan(false)));
  } catch (const duck::Failure& failure) {
    fail_to_read_table(file_.path, "", failure);
  }
}

bool CsvRows::fetch() {
  try {
    chunk_.reset();
    in_chunk_ = 0;
    duck::Chunk chunk = rows_->fetch();
    if (!chunk) {
      file_.check_unchanged();
      return false;
    }
    chunk_ = std::make_shared<const duck::Chunk>(std::move(chunk));
  } catch (const duck::Failure& failure) {
    file_.check_unchanged();
    fail_to_read_table(file_.path, fmt::format(", after {} rows", given_), failure);
  }
  values_.clear();
  validity_.clear();
  const duck::Api& api = connection_.api();
  for (size_t i = 0; i < file_.columns.size(); ++i) {
    values_.push_back(static_cast<const duck::String*>(api.vector_get_data(chunk_->column(i))));
    validity_.push_back(api.vector_get_validity(chunk_->column(i)));
  }
  return true;
}

// With what ends each value.
uint64_t CsvRows::row_bytes(uint64_t row) const {
  uint64_t bytes = values_.size();
  for (size_t i = 0; i < values_.size(); ++i) {
    if (duck::is_valid(validity_[i], row)) bytes += values_[i][row].length;
  }
  return bytes;
}

CsvRows::Part CsvRows::next(uint64_t batch_bytes) {
  Part part;
  for (;;) {
    if ((!chunk_ || in_chunk_ == chunk_->rows()) && !fetch()) {
      part.last = true;
      return part;
    }
    if (part.bytes >= batch_bytes) return part;
    const uint64_t begin = in_chunk_;
    while (in_chunk_ < chunk_->rows() && part.bytes < batch_bytes) part.bytes += row_bytes(in_chunk_++);
    part.pieces.push_back({chunk_, begin, in_chunk_});
    part.rows += in_chunk_ - begin;
    given_ += in_chunk_ - begin;
  }
}

}  // namespace neardup
