// Tables and queries as sources: batches are ranges of the key, read in parallel, each over a connection of its own.
//
// The ranges are cut in the first reading, a batch at a time, by a look at the key alone, and are kept for the later ones. What each range
// held, by number of rows and their keys, is compared in every later reading.
#include "io/sql/sql_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/hash.h"
#include "io/sql/sql_batch.h"
#include "io/sql/sql_pool.h"

namespace neardup {
namespace {

constexpr uint64_t kSampleRows = 256;
constexpr uint64_t kMostRows = 20'000;  // of a batch
constexpr size_t kMostShownKey = 200;

class SqlSource final : public DocumentSource, public SqlOrigin {
 public:
  SqlSource(const SqlAddress& address, const SourceOptions& options) : address_(address), pool_(address, {}) {
    pool_.with(
        [&](SqlConnection& connection) {
          context_ = std::make_unique<SqlContext>(address_, pool_, SqlSelection(connection, address_, options), options);
          if (!address_.is_query()) identity_ = connection.identity(address_.table);
          const SqlSelection& selection = context_->selection;
          row_count_ = std::stoull(connection.value(selection.count()).bytes);
          least_ = connection.value(selection.least(false));
          greatest_ = connection.value(selection.least(true));
          measure(connection);
        },
        kFirstConnection);
  }

  std::unique_ptr<Batch> next() override {
    if (at_ == cuts_.size() && !add_cut()) return nullptr;
    SqlRange range{.after = at_ == 0 ? std::nullopt : std::optional(cuts_[at_ - 1]), .upto = cuts_[at_]};
    const uint64_t rows = std::min(rows_of_batch_, row_count_ - std::min(row_count_, at_ * rows_of_batch_));
    const size_t ordinal = at_++;
    return std::make_unique<SqlBatch>(*context_, ordinal, std::move(range), rows * row_bytes_);
  }
  void rewind() override {
    check_count();
    at_ = 0;
  }

  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t) const override { return address_.shown; }
  [[nodiscard]] std::string state_of(uint32_t) const override {
    return fmt::format("{} rows, keys {} to {}, {} to a batch", row_count_, shown(least_), shown(greatest_), rows_of_batch_);
  }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return row_count_ * row_bytes_; }

  // SQLite reads in this very process.
  [[nodiscard]] bool waits() const noexcept override { return address_.server != SqlServer::kSqlite; }

  [[nodiscard]] SqlServer server() const noexcept override { return address_.server; }
  [[nodiscard]] const std::string& identity() const noexcept override { return identity_; }
  [[nodiscard]] const std::vector<SqlColumn>& columns() const noexcept override { return context_->selection.columns(); }
  [[nodiscard]] const std::string& key() const noexcept override { return context_->selection.key(); }
  void release() const override { pool_.release(); }

 private:
  static std::string shown(const SqlValue& key) {
    std::string text;
    append_json_value(key.cell(), text);
    return text.size() <= kMostShownKey ? text : fmt::format("{:016x}", hash64(text));
  }

  // How many rows make a batch, by the first ones. The same table gives the same batches.
  void measure(SqlConnection& connection) {
    std::string line;
    uint64_t rows = 0;
    uint64_t bytes = 0;
    connection.query(context_->selection.first_rows(connection, std::min(kSampleRows, std::max<uint64_t>(row_count_, 1))),
                     [&](SqlConnection::Row row) {
                       line.clear();
                       context_->append_line(context_->selection.all(), row, line);
                       ++rows;
                       bytes += line.size();
                     });
    row_bytes_ = rows == 0 ? 1 : bytes / rows;
    rows_of_batch_ = std::clamp<uint64_t>(context_->lines.batch_bytes / row_bytes_, 1, kMostRows);
  }

  // After a whole reading. Without a snapshot, rows may have come or gone since the run began.
  void check_count() const {
    if (at_ < cuts_.size() || cuts_.empty() || cuts_.back().bytes != greatest_.bytes) return;
    const std::lock_guard lock(context_->mutex);
    if (context_->held.size() < cuts_.size()) return;
    uint64_t rows = 0;
    for (const auto& [ordinal, held] : context_->held) rows += held.rows;
    if (rows == row_count_) return;
    throw Error(ErrorCode::kInput, fmt::format("'{}': rows changed while they were read: there were {} when the run began, {} were read",
                                               address_.shown, row_count_, rows));
  }

  // False after the last row.
  bool add_cut() {
    if (greatest_.kind == SqlKind::kNull) return false;
    const bool begun = !cuts_.empty();
    if (begun && cuts_.back().bytes == greatest_.bytes) return false;
    const SqlRange rest{.after = begun ? std::optional(cuts_.back()) : std::nullopt, .upto = greatest_};
    SqlValue cut;
    pool_.with([&](SqlConnection& connection) { cut = connection.value(context_->selection.cut(connection, rest, rows_of_batch_)); });
    cuts_.push_back(cut.kind == SqlKind::kNull ? greatest_ : std::move(cut));
    return true;
  }

  const SqlAddress address_;
  mutable SqlPool pool_;
  std::unique_ptr<SqlContext> context_;
  std::string identity_;
  uint64_t row_count_ = 0;
  SqlValue least_;
  SqlValue greatest_;
  uint64_t row_bytes_ = 1;
  uint64_t rows_of_batch_ = 1;
  std::vector<SqlValue> cuts_;  // the last key of each batch
  size_t at_ = 0;
};

bool takes(const std::string& input, InputFormat) {
  return is_sql_uri(input);
}

std::unique_ptr<DocumentSource> open(const std::string& input, const SourceOptions& options) {
  return std::make_unique<SqlSource>(parse_sql_address(input, ErrorCode::kInput), options);
}

}  // namespace

const SourceKind kSqlSource{.name = "sql", .takes = takes, .open = open};

}  // namespace neardup
