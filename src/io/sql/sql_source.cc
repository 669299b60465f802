// Tables and queries as sources: batches are ranges of the key, read in parallel, each over its own connection.
//
// The first reading cuts the ranges, a batch at a time, by the key alone, and later ones reuse them. The number of rows and the keys of
// each range are compared in every later reading.
#include "io/sql/sql_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "io/bytes/buffer.h"
#include "io/files/line_batch.h"
#include "io/json/field_text.h"
#include "io/port/retry.h"
#include "io/sql/sql_connection.h"
#include "io/sql/sql_selection.h"
#include "neardup/source.h"

namespace neardup {
namespace {

constexpr uint64_t kSampleRows = 256;
constexpr uint64_t kMaxRows = 20'000;  // of a batch
constexpr size_t kMaxShownKey = 200;
constexpr uint64_t kMaxAhead = 4;  // batches of usual size

// The contents of a range.
struct SqlHeld {
  uint64_t rows = 0;
  uint64_t keys = 0;  // a hash

  void add(SqlConnection::Row row) {
    ++rows;
    keys = mix64(keys ^ hash64(row[0].bytes));
  }
};

// The key is the default id.
SourceOptions line_options(const SourceOptions& options, const SqlSelection& selection) {
  SourceOptions changed = options;
  if (options.id_field == kAutoIdField) changed.id_field = selection.key();
  return changed;
}

// Shared by the batches of a source.
struct SqlContext {
  // `connections` is not owned.
  SqlContext(const SqlAddress& at, SqlPool& connections, SqlSelection selected, const SourceOptions& options)
      : address(at), pool(connections), selection(std::move(selected)), lines(line_options(options, selection)) {
    for (const SqlColumn& column : selection.columns()) {
      std::string member;
      append_json_string(column.name, member);
      members.push_back(member + ":");
    }
  }

  // A row of SqlSelection::rows(), with its line break.
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
  LineContext lines;
  std::vector<std::string> members;  // of columns, as JSON has them
  std::mutex mutex;                  // of what follows
  std::map<size_t, SqlHeld> held;    // at the first reading, by ordinal of the batch
};

// The rows of one range of keys as lines of JSON, asked for when they are read.
class SqlBatch final : public Batch {
 public:
  // `context` is not owned.
  SqlBatch(SqlContext& context, size_t ordinal, SqlRange range, uint64_t input_bytes)
      : context_(context), ordinal_(ordinal), range_(std::move(range)), input_bytes_(input_bytes) {}

  void fetch(Need need) override {
    if (need == Need::kPlace) return;
    Ahead ahead{.need = need, .lines = {}, .held = {}};
    const std::vector<size_t>& which = columns(need);
    const uint64_t most = kMaxAhead * context_.lines.batch_bytes;
    context_.pool.with([&](SqlConnection& connection) {
      ahead.lines.clear();
      ahead.held = {};
      connection.query(context_.selection.rows(connection, which, range_), [&](SqlConnection::Row row) {
        if (ahead.lines.size() > most) return;  // rows much longer than the first ones
        context_.append_line(which, row, ahead.lines);
        ahead.held.add(row);
      });
    });
    if (ahead.lines.size() <= most) ahead_ = std::move(ahead);
  }
  // Throws Error{kInput} when the range changed.
  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    if (ahead_ && ahead_->need == need) return read_ahead(wanted, visit);
    if (need == Need::kPlace && has_row_count()) return read_places(wanted, visit);
    return read_rows(need, wanted, visit);
  }
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  // All rows, fetched in advance.
  struct Ahead {
    Need need;
    std::string lines;
    SqlHeld held;
  };

  [[nodiscard]] const std::vector<size_t>& columns(Need need) const {
    return need == Need::kText ? context_.selection.needed() : context_.selection.all();
  }
  // True if the range was read before.
  bool has_row_count() {
    const std::lock_guard lock(context_.mutex);
    const auto found = context_.held.find(ordinal_);
    if (found == context_.held.end()) return false;
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
    ahead.lines.reserve(ahead.lines.size() + kJsonPadding);
    visit_lines(context_.lines, 0, ahead.lines, {}, ahead.need, wanted, visit);
    return checked(ahead.held);
  }
  uint32_t read_rows(Need need, const Filter& wanted, const Visitor& visit) {
    const std::vector<size_t>& which = columns(need);
    SqlRange range = range_;
    SqlHeld done;
    std::string lines;
    const auto flush = [&](const SqlHeld& upto, const SqlValue& last) {
      const auto base = static_cast<uint32_t>(done.rows);
      lines.reserve(lines.size() + kJsonPadding);
      const Filter shifted = wanted ? Filter([&](uint32_t record) { return wanted(record + base); }) : Filter();
      visit_lines(context_.lines, 0, lines, {}, need, shifted, [&](uint32_t record, const Record& found) {
        if (base == 0) return visit(record, found);
        Record moved = found;
        moved.where.row += base;
        visit(record + base, moved);
      });
      lines.clear();
      done = upto;
      range.after = last;
    };
    // An attempt continues after the last row that was visited.
    context_.pool.with([&](SqlConnection& connection) {
      lines.clear();
      SqlHeld reading = done;
      SqlValue last;
      connection.query(context_.selection.rows(connection, which, range), [&](SqlConnection::Row row) {
        context_.append_line(which, row, lines);
        reading.add(row);
        last.kind = row[0].kind;
        last.bytes = row[0].bytes;
        if (lines.size() >= 2 * context_.lines.batch_bytes) flush(reading, last);
      });
      if (!lines.empty()) flush(reading, last);
    });
    return checked(done);
  }
  uint32_t checked(const SqlHeld& now) {
    const std::lock_guard lock(context_.mutex);
    const auto [before, first] = context_.held.try_emplace(ordinal_, now);
    if (!first && (before->second.rows != now.rows || before->second.keys != now.keys)) {
      std::string upto;
      append_json_value(range_.upto.cell(), upto);
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}': rows changed while they were read: up to the key {} there were {}, now {}{}", context_.address.shown,
                              upto, before->second.rows, now.rows, before->second.rows == now.rows ? " with other keys" : ""));
    }
    rows_ = now.rows;
    return static_cast<uint32_t>(now.rows);
  }

  SqlContext& context_;
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
          context_ = std::make_unique<SqlContext>(address_, pool_, SqlSelection(connection, address_, options), options);
          if (!address_.is_query()) identity_ = connection.identity(address_.table);
          const SqlSelection& selection = context_->selection;
          row_count_ = std::stoull(connection.value(selection.count()).bytes);
          min_ = connection.value(selection.min_key());
          max_ = connection.value(selection.max_key());
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
    return fmt::format("{} rows, keys {} to {}, {} to a batch", row_count_, shown(min_), shown(max_), rows_of_batch_);
  }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return row_count_ * row_bytes_; }

  // SQLite reads in this process.
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
    return text.size() <= kMaxShownKey ? text : fmt::format("{:016x}", hash64(text));
  }

  // The number of rows of a batch, estimated from the first ones. The same table gives the same batches.
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
    rows_of_batch_ = std::clamp<uint64_t>(context_->lines.batch_bytes / row_bytes_, 1, kMaxRows);
  }

  // After a complete reading. Without a snapshot, rows may have been added or deleted since the run began.
  void check_count() const {
    if (at_ < cuts_.size() || cuts_.empty() || cuts_.back().bytes != max_.bytes) return;
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
    if (max_.kind == SqlKind::kNull) return false;
    const bool begun = !cuts_.empty();
    if (begun && cuts_.back().bytes == max_.bytes) return false;
    const SqlRange rest{.after = begun ? std::optional(cuts_.back()) : std::nullopt, .upto = max_};
    SqlValue cut;
    pool_.with([&](SqlConnection& connection) { cut = connection.value(context_->selection.cut(connection, rest, rows_of_batch_)); });
    cuts_.push_back(cut.kind == SqlKind::kNull ? max_ : std::move(cut));
    return true;
  }

  const SqlAddress address_;
  mutable SqlPool pool_;
  std::unique_ptr<SqlContext> context_;
  std::string identity_;
  uint64_t row_count_ = 0;
  SqlValue min_;
  SqlValue max_;
  uint64_t row_bytes_ = 1;
  uint64_t rows_of_batch_ = 1;
  std::vector<SqlValue> cuts_;  // the last key of each batch
  size_t at_ = 0;
};

bool takes(const std::string& input, InputFormat) {
  return is_sql_uri(input);
}

std::unique_ptr<DocumentSource> open(const std::string& input, const SourceOptions& options) {
  return std::make_unique<SqlSource>(parse_sql_address(input), options);
}

}  // namespace

const SourceKind& sql_source_kind() {
  static const SourceKind kind{.name = "sql", .takes = takes, .open = open};
  return kind;
}

}  // namespace neardup
