// Tables and queries as sources: batches are ranges of the key, read in parallel, each over a connection of its own.
//
// The ranges are cut in the first reading, a batch at a time, by a look at the key alone, and are kept for the later ones. What each range
// held, by number of rows and their keys, is compared in every later reading.
#include "io/sql_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "base/hash.h"
#include "io/field_text.h"
#include "io/line_batch.h"
#include "io/sql_pool.h"
#include "io/sql_selection.h"

namespace neardup {
namespace {

constexpr uint64_t kSampleRows = 256;
constexpr uint64_t kMostRows = 20'000;  // of a batch
constexpr size_t kMostShownKey = 200;

SourceOptions line_options(const SourceOptions& options, const SqlSelection& selection) {
  SourceOptions changed = options;
  if (options.id_field == kAutoIdField) changed.id_field = selection.key();
  return changed;
}

// What a range held when it was read first.
struct Held {
  uint64_t rows = 0;
  uint64_t keys = 0;  // a hash

  void add(SqlConnection::Row row) {
    ++rows;
    keys = mix64(keys ^ hash64(row[0].bytes));
  }
};

struct Shared {
  Shared(const SqlAddress& at, SqlPool& connections, SqlSelection selected, const SourceOptions& options)
      : address(at), pool(connections), selection(std::move(selected)), context(line_options(options, selection)) {
    for (const SqlColumn& column : selection.columns()) {
      std::string member;
      append_json_string(column.name, member);
      members.push_back(member + ":");
    }
  }

  void append_line(const std::vector<size_t>& which, SqlConnection::Row row, std::string& out) const {
    out.push_back('{');
    for (size_t i = 0; i < which.size(); ++i) {
      if (i > 0) out.push_back(',');
      out += members[which[i]];
      append_json_value(row[i + 1], out);
    }
    out += "}\n";
  }

  const SqlAddress address;
  SqlPool& pool;
  const SqlSelection selection;
  LineContext context;
  std::vector<std::string> members;  // of columns, as JSON has them
  std::mutex mutex;
  std::map<size_t, Held> held;  // by ordinal of the batch
};

class SqlBatch final : public Batch {
 public:
  SqlBatch(Shared& shared, size_t ordinal, SqlRange range, uint64_t input_bytes)
      : shared_(shared), ordinal_(ordinal), range_(std::move(range)), input_bytes_(input_bytes) {}

  void fetch(Need need) override {
    if (need == Need::kPlace) return;
    Ahead ahead{.need = need, .lines = {}, .held = {}};
    const std::vector<size_t>& which = columns(need);
    shared_.pool.with([&](SqlConnection& connection) {
      ahead.lines.clear();
      ahead.held = {};
      connection.query(shared_.selection.rows(connection, which, range_), [&](SqlConnection::Row row) {
        if (ahead.lines.size() > kMostAhead * shared_.context.batch_bytes) return;  // rows much longer than the first ones
        shared_.append_line(which, row, ahead.lines);
        ahead.held.add(row);
      });
    });
    if (ahead.lines.size() <= kMostAhead * shared_.context.batch_bytes) ahead_ = std::move(ahead);
  }

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    if (ahead_ && ahead_->need == need) return read_ahead(wanted, visit);
    if (need == Need::kPlace && know_rows()) return read_places(wanted, visit);
    const std::vector<size_t>& which = columns(need);
    SqlRange range = range_;
    Held done;
    std::string lines;
    const auto flush = [&](const Held& upto, const SqlValue& last) {
      const auto base = static_cast<uint32_t>(done.rows);
      lines.reserve(lines.size() + simdjson::SIMDJSON_PADDING);
      const Filter shifted = wanted ? Filter([&](uint32_t record) { return wanted(record + base); }) : Filter();
      visit_lines(shared_.context, 0, lines, {}, need, shifted, [&](uint32_t record, const Record& found) {
        if (base == 0) return visit(record, found);
        Record moved = found;
        moved.where.row += base;
        visit(record + base, moved);
      });
      lines.clear();
      done = upto;
      range.after = last;
    };
    // An attempt goes on behind the last row that was visited.
    shared_.pool.with([&](SqlConnection& connection) {
      lines.clear();
      Held reading = done;
      SqlValue last;
      connection.query(shared_.selection.rows(connection, which, range), [&](SqlConnection::Row row) {
        shared_.append_line(which, row, lines);
        reading.add(row);
        last.kind = row[0].kind;
        last.bytes = row[0].bytes;
        if (lines.size() >= 2 * shared_.context.batch_bytes) flush(reading, last);
      });
      if (!lines.empty()) flush(reading, last);
    });
    check(done);
    rows_ = done.rows;
    return static_cast<uint32_t>(done.rows);
  }
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  // All rows, got before they were asked for.
  struct Ahead {
    Need need;
    std::string lines;
    Held held;
  };
  static constexpr uint64_t kMostAhead = 4;  // batches of usual size

  [[nodiscard]] const std::vector<size_t>& columns(Need need) const {
    return need == Need::kText ? shared_.selection.needed() : shared_.selection.all();
  }

  // True if the range was read before.
  bool know_rows() {
    const std::lock_guard lock(shared_.mutex);
    const auto found = shared_.held.find(ordinal_);
    if (found == shared_.held.end()) return false;
    rows_ = found->second.rows;
    return true;
  }
  uint32_t read_places(const Filter& wanted, const Visitor& visit) const {
    for (uint32_t i = 0; i < rows_; ++i) {
      if (wanted && !wanted(i)) continue;
      Record record;
      record.where = {.source = 0, .row = uint64_t{i} + 1};
      visit(i, record);
    }
    return static_cast<uint32_t>(rows_);
  }

  uint32_t read_ahead(const Filter& wanted, const Visitor& visit) {
    Ahead ahead = std::move(*ahead_);
    ahead_.reset();
    ahead.lines.reserve(ahead.lines.size() + simdjson::SIMDJSON_PADDING);
    visit_lines(shared_.context, 0, ahead.lines, {}, ahead.need, wanted, visit);
    check(ahead.held);
    rows_ = ahead.held.rows;
    return static_cast<uint32_t>(ahead.held.rows);
  }

  void check(const Held& now) const {
    const std::lock_guard lock(shared_.mutex);
    const auto [before, first] = shared_.held.try_emplace(ordinal_, now);
    if (first || (before->second.rows == now.rows && before->second.keys == now.keys)) return;
    std::string upto;
    append_json_value(range_.upto.cell(), upto);
    throw Error(ErrorCode::kInput,
                fmt::format("'{}': rows changed while they were read: up to the key {} there were {}, now {}{}", shared_.address.shown,
                            upto, before->second.rows, now.rows, before->second.rows == now.rows ? " with other keys" : ""));
  }

  Shared& shared_;
  const size_t ordinal_;
  const SqlRange range_;
  const uint64_t input_bytes_;
  uint64_t rows_ = 0;
  std::optional<Ahead> ahead_;
};

class SqlSource final : public DocumentSource, public SqlOrigin {
 public:
  SqlSource(const SqlAddress& address, const SourceOptions& options) : address_(address), pool_(address, {}) {
    pool_.with(
        [&](SqlConnection& connection) {
          shared_ = std::make_unique<Shared>(address_, pool_, SqlSelection(connection, address_, options), options);
          if (!address_.is_query()) identity_ = connection.identity(address_.table);
          const SqlSelection& selection = shared_->selection;
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
    return std::make_unique<SqlBatch>(*shared_, ordinal, std::move(range), rows * row_bytes_);
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
  [[nodiscard]] const std::vector<SqlColumn>& columns() const noexcept override { return shared_->selection.columns(); }
  [[nodiscard]] const std::string& key() const noexcept override { return shared_->selection.key(); }
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
    connection.query(shared_->selection.first_rows(connection, std::min(kSampleRows, std::max<uint64_t>(row_count_, 1))),
                     [&](SqlConnection::Row row) {
                       line.clear();
                       shared_->append_line(shared_->selection.all(), row, line);
                       ++rows;
                       bytes += line.size();
                     });
    row_bytes_ = rows == 0 ? 1 : bytes / rows;
    rows_of_batch_ = std::clamp<uint64_t>(shared_->context.batch_bytes / row_bytes_, 1, kMostRows);
  }

  // After a whole reading. Without a snapshot, rows may have come or gone since the run began.
  void check_count() const {
    if (at_ < cuts_.size() || cuts_.empty() || cuts_.back().bytes != greatest_.bytes) return;
    const std::lock_guard lock(shared_->mutex);
    if (shared_->held.size() < cuts_.size()) return;
    uint64_t rows = 0;
    for (const auto& [ordinal, held] : shared_->held) rows += held.rows;
    if (rows == row_count_) return;
    throw Error(ErrorCode::kInput, fmt::format("'{}': rows changed while they were read: there were {} when the run began, {} were read",
                                               address_.shown, row_count_, rows));
  }

  // False behind the last row.
  bool add_cut() {
    if (greatest_.kind == SqlKind::kNull) return false;
    const bool begun = !cuts_.empty();
    if (begun && cuts_.back().bytes == greatest_.bytes) return false;
    const SqlRange rest{.after = begun ? std::optional(cuts_.back()) : std::nullopt, .upto = greatest_};
    SqlValue cut;
    pool_.with([&](SqlConnection& connection) { cut = connection.value(shared_->selection.cut(connection, rest, rows_of_batch_)); });
    cuts_.push_back(cut.kind == SqlKind::kNull ? greatest_ : std::move(cut));
    return true;
  }

  const SqlAddress address_;
  mutable SqlPool pool_;
  std::unique_ptr<Shared> shared_;
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
