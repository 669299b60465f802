#include "io/table/table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

// DuckDB decodes this many rows at a time.
constexpr uint64_t kVectorRows = 2048;
// Queries that may be reused; the oldest unused one is dropped.
constexpr size_t kMaxWaiting = 16;

std::string place(const TableFile& file, const RowRange& range) {
  const bool several = range.query_rows != file.groups[range.group].rows;
  return fmt::format(", {} {} (rows {} to {})", several ? "row groups from" : "row group", range.group, range.query_first + 1,
                     range.query_first + range.query_rows);
}

}  // namespace

// One query over the row groups of a range, and its position.
struct ParquetRows::Query {
  const TableFile* file;
  std::string columns;
  uint64_t first;  // of the query
  uint64_t end;
  uint64_t at;  // the next row
  std::unique_ptr<duck::Connection> connection;
  std::unique_ptr<duck::Rows> rows;
  std::shared_ptr<const duck::Chunk> chunk;  // partly consumed
  uint64_t in_chunk = 0;

  [[nodiscard]] bool serves(const TableFile& other, const RowRange& range, const std::string& wanted) const {
    return file == &other && first == range.query_first && columns == wanted;
  }
  // Up to `most` rows from its position. No rows: the file ends here.
  ChunkRows next(uint64_t most) {
    if (!chunk || in_chunk == chunk->rows()) {
      chunk.reset();
      duck::Chunk fetched = rows->fetch();
      if (!fetched) return {};
      chunk = std::make_shared<const duck::Chunk>(std::move(fetched));
      in_chunk = 0;
    }
    const uint64_t count = std::min(most, chunk->rows() - in_chunk);
    ChunkRows taken{chunk, in_chunk, in_chunk + count};
    in_chunk += count;
    at += count;
    return taken;
  }
};

std::vector<RowRange> cut_rows(const std::vector<RowGroup>& groups, uint64_t batch_bytes) {
  std::vector<RowRange> ranges;
  uint64_t first = 0;
  uint64_t together = 0;  // bytes of the last range, while more row groups may join it; 0: none may
  for (uint32_t g = 0; g < groups.size(); ++g) {
    const RowGroup& group = groups[g];
    if (group.rows == 0) continue;
    const uint64_t bytes = std::max<uint64_t>(group.bytes, 1);
    if (together > 0 && together + bytes <= batch_bytes) {
      ranges.back().rows = ranges.back().query_rows += group.rows;
      together += bytes;
    } else if (bytes <= 2 * batch_bytes) {
      ranges.push_back({first, group.rows, first, group.rows, g});
      together = bytes;
    } else {
      const uint64_t parts = (bytes - 1) / batch_bytes + 1;
      const uint64_t part = (group.rows / parts / kVectorRows + 1) * kVectorRows;
      for (uint64_t at = 0; at < group.rows; at += part) {
        ranges.push_back({first + at, std::min(part, group.rows - at), first, group.rows, g});
      }
      together = 0;
    }
    first += group.rows;
  }
  return ranges;
}

ParquetRows::ParquetRows(const duck::Database& database) : database_(database) {}

ParquetRows::~ParquetRows() = default;

// The query positioned nearest before the range, or a new one, not yet open.
std::unique_ptr<ParquetRows::Query> ParquetRows::take(const TableFile& file, const RowRange& range, const std::string& columns) {
  std::unique_lock lock(mutex_);
  if (range.rows < range.query_rows) {
    // A range before this one is being fetched, and its query can be continued.
    changed_.wait(lock, [&] {
      return std::ranges::none_of(busy_,
                                  [&](const Busy& busy) { return busy.at <= range.first && busy.query->serves(file, range, columns); });
    });
  }
  auto best = waiting_.end();
  for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
    if (!(*it)->serves(file, range, columns) || (*it)->at > range.first) continue;
    if (best == waiting_.end() || (*it)->at > (*best)->at) best = it;
  }
  std::unique_ptr<Query> query;
  if (best != waiting_.end()) {
    query = std::move(*best);
    waiting_.erase(best);
  } else {
    query = std::make_unique<Query>();
    query->file = &file;
    query->columns = columns;
    query->first = query->at = range.query_first;
    query->end = range.query_first + range.query_rows;
  }
  busy_.push_back({query.get(), query->at});
  return query;
}

void ParquetRows::open(Query& query) {
  query.connection = connections_.take();
  if (!query.connection) query.connection = std::make_unique<duck::Connection>(database_);
  query.rows =
      std::make_unique<duck::Rows>(*query.connection, fmt::format("SELECT {} FROM {} WHERE file_row_number BETWEEN {} AND {}",
                                                                  query.columns, query.file->scan(true), query.first, query.end - 1));
}

void ParquetRows::give(std::unique_ptr<Query> query, bool reusable) {
  const std::lock_guard lock(mutex_);
  std::erase_if(busy_, [&](const Busy& busy) { return busy.query == query.get(); });
  changed_.notify_all();
  if (reusable && query->at < query->end) {
    waiting_.push_back(std::move(query));
    if (waiting_.size() > kMaxWaiting) waiting_.pop_front();
    return;
  }
  query->rows.reset();
  if (reusable) connections_.give(std::move(query->connection));
}

std::vector<ChunkRows> ParquetRows::read(const TableFile& file, const RowRange& range, const std::string& columns) {
  std::unique_ptr<Query> query = take(file, range, columns);
  try {
    if (!query->rows) open(*query);
    std::vector<ChunkRows> taken;
    for (const uint64_t end = range.first + range.rows; query->at < end;) {
      const bool before = query->at < range.first;
      ChunkRows rows = query->next((before ? range.first : end) - query->at);
      if (!rows.chunk) throw duck::Failure(fmt::format("it ends after {} rows", query->at - query->first));
      if (!before) taken.push_back(std::move(rows));
    }
    if (query->at == query->end && query->next(1).chunk) throw duck::Failure("it has more rows than stated in the footer of the file");
    give(std::move(query), true);
    file.check_unchanged();
    return taken;
  } catch (const duck::Failure& failure) {
    give(std::move(query), false);
    file.check_unchanged();
    fail_to_read_table(file.path, place(file, range), failure);
  } catch (...) {
    if (query) give(std::move(query), false);
    throw;
  }
}

void ParquetRows::clear() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
}

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

// With the separator of each value.
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
