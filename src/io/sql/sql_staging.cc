#include "io/sql/sql_staging.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "io/port/retry.h"

namespace neardup {
namespace {

constexpr uint64_t kMaxInsertBytes = 1u << 20;  // of a statement, unless one row is larger

}  // namespace

template <typename Use>
void SqlStaging::attempt(const Use& use) {
  retried(Patience{}, [&] {
    check_stop(stop_);
    SqlConnection& server = connected();
    try {
      use(server);
    } catch (...) {
      connection_.reset();
      throw;
    }
  });
}

SqlStaging::SqlStaging(SqlPlan plan, std::unique_ptr<SqlConnection> connection, std::function<bool()> stop)
    : plan_(std::move(plan)), connection_(std::move(connection)), stop_(std::move(stop)), key_(plan_.key) {
  for (const SqlColumn& column : plan_.columns) {
    by_name_[column.name] = columns_.size();
    columns_.push_back({.column = column, .fixed = true, .skipped = column.is_generated});
  }
  attempt([&](SqlConnection& server) {
    server.prepare_writing();
    server.execute("DROP TABLE IF EXISTS " + server.qualified(plan_.staging));  // left by a killed run
  });
}

SqlStaging::~SqlStaging() {
  if (finished_) return;
  try {
    SqlConnection& server = connected();
    server.execute("DROP TABLE IF EXISTS " + server.qualified(plan_.staging));
  } catch (const std::exception&) {  // the next run drops it
  }
}

void SqlStaging::fail(const std::string& what) const {
  throw Error(ErrorCode::kOutput, fmt::format("'{}': {}", plan_.address.shown, what));
}

SqlConnection& SqlStaging::connected() {
  if (!connection_) {
    connection_ = connect_sql(plan_.address, {.code = ErrorCode::kOutput, .writes = true});
    connection_->prepare_writing();
  }
  return *connection_;
}

bool SqlStaging::is_key(const std::string& name) const {
  return std::ranges::find(key_, name) != key_.end();
}

size_t SqlStaging::column_of(const std::string& name) {
  const auto [found, added] = by_name_.try_emplace(name, columns_.size());
  if (!added) return found->second;
  if (plan_.only_these && plan_.how == SqlPlan::How::kAdd) fail(fmt::format("the table has no column '{}'", name));
  columns_.push_back({.column = {.name = name, .type = {}}, .skipped = plan_.only_these});
  return found->second;
}

void SqlStaging::write(std::string_view lines) {
  std::vector<Line> block;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    parse_sql_line(lines.substr(at, end - at), members_);
    at = end + 1;
    Line& line = block.emplace_back();
    for (SqlMember& member : members_) {
      const size_t i = column_of(member.name);
      Column& column = columns_[i];
      if (column.skipped) continue;
      column.seen = true;
      if (!column.fixed) {
        const SqlNeed need = merged(column.need, need_of(member.value.cell()));
        column.changed = column.changed || need != column.need;
        column.need = need;
      }
      line.emplace_back(i, std::move(member.value));
    }
  }
  if (block.empty()) return;
  if (!created_) create();
  for (const Line& line : block) require_key(line);
  fit_columns(false);
  try {
    attempt([&](SqlConnection&) { static_cast<void>(connected()); });
    send(statements(block), block.size());
  } catch (const TransientError&) {
    throw;
  } catch (const Error&) {
    name_duplicate(block);
    throw;
  }
  rows_ += block.size();
}

// A row without a key cannot be found again.
void SqlStaging::require_key(const Line& line) const {
  for (const std::string& name : key_) {
    const size_t key = by_name_.at(name);
    if (std::ranges::any_of(line, [&](const auto& cell) { return cell.first == key && cell.second.kind != SqlKind::kNull; })) continue;
    fail(fmt::format("a row has no '{}', which is the key of the table; name a column that all rows have by --key", name));
  }
}

// By the first lines: the key of the plan, or else "id".
void SqlStaging::create() {
  const bool add = plan_.how == SqlPlan::How::kAdd;
  if (key_.empty() && !add && by_name_.contains("id")) key_ = {"id"};
  const auto no_such = [&](const std::string& name) {
    const auto found = by_name_.find(name);
    return found == by_name_.end() || (add && !columns_[found->second].seen);
  };
  // A table may number its rows itself.
  if (add && plan_.is_empty && std::ranges::any_of(key_, no_such)) key_.clear();
  for (const std::string& name : key_) {
    const auto found = by_name_.find(name);
    if (no_such(name)) fail(fmt::format("the rows have no '{}', which is the key of the table", name));
    if (columns_[found->second].need == SqlNeed::kNothing && !columns_[found->second].fixed) columns_[found->second].need = SqlNeed::kText;
  }
  attempt([&](SqlConnection& server) {
    std::vector<std::string> parts;
    std::vector<std::string> added;  // after those of the documents
    for (Column& column : columns_) {
      column.exists =
          !column.skipped && ((column.fixed && (!add || column.seen)) || column.need != SqlNeed::kNothing || is_key(column.column.name));
      auto& place = column.column.name.starts_with("neardup_") ? added : parts;
      if (column.exists) place.push_back(server.identifier(column.column.name) + " " + type_of(column));
      column.changed = false;
      set_family(column);
    }
    parts.insert(parts.end(), added.begin(), added.end());
    if (parts.empty()) parts.push_back(server.identifier("id") + " " + server.type_for(SqlNeed::kText, false));
    std::vector<std::string> key;
    key.reserve(key_.size());
    for (const std::string& name : key_) key.push_back(server.identifier(name));
    if (!key.empty()) parts.push_back("PRIMARY KEY (" + joined(key) + ")");
    server.execute("DROP TABLE IF EXISTS " + server.qualified(plan_.staging));  // from an earlier attempt whose answer was lost
    server.execute("CREATE TABLE " + server.qualified(plan_.staging) + " (" + joined(parts) + ")");
  });
  created_ = true;
}

std::string SqlStaging::type_of(const Column& column) const {
  const bool key = is_key(column.column.name);
  if (column.fixed) return key ? connection_->key_type(column.column.type) : column.column.type;
  // If a column takes any value, a type would only convert values.
  return connection_->any_type() ? std::string() : connection_->type_for(column.need, key);
}

// Columns that occur late, and those with values that need a larger type. Columns without a value are added at the end.
void SqlStaging::fit_columns(bool last) {
  for (Column& column : columns_) {
    if (column.skipped || !column.seen) continue;
    if (!column.fixed && column.need == SqlNeed::kNothing && !last) continue;
    if (column.exists && !column.changed) continue;
    attempt([&](SqlConnection& server) {
      const std::string staging = server.qualified(plan_.staging);
      const std::string name = server.identifier(column.column.name);
      if (!column.exists) {
        const auto there = server.columns(plan_.staging);  // an attempt whose answer was lost
        if (std::ranges::find(there, column.column.name, &SqlColumn::name) == there.end()) {
          server.execute(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", staging, name, type_of(column)));
        }
      } else if (!server.any_type()) {
        server.execute(server.change_type(staging, name, type_of(column)));
      }
    });
    column.exists = true;
    column.changed = false;
    set_family(column);
  }
}

void SqlStaging::set_family(Column& column) const {
  if (!column.fixed) column.column.family = connection_->any_type() ? SqlFamily::kText : family_of(column.need);
}

std::vector<std::string> SqlStaging::statements(const std::vector<Line>& lines) {
  SqlConnection& server = *connection_;
  std::vector<size_t> order;
  std::vector<std::string> names;
  std::vector<size_t> place(columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i].exists) continue;
    place[i] = order.size();
    order.push_back(i);
    names.push_back(server.identifier(columns_[i].column.name));
  }
  const std::string head = "INSERT INTO " + server.qualified(plan_.staging) + " (" + joined(names) + ") VALUES ";
  std::vector<std::string> made;
  std::vector<std::string> values(order.size());
  std::string row;
  for (const Line& line : lines) {
    std::ranges::fill(values, "NULL");
    for (const auto& [i, value] : line) {
      if (columns_[i].exists) values[place[i]] = server.literal_for(columns_[i].column, value.cell());
    }
    row = "(" + joined(values) + ")";
    if (head.size() + row.size() > server.max_statement_bytes()) {
      fail(fmt::format("a row has {} bytes, the server takes statements of at most {}", row.size(), server.max_statement_bytes()));
    }
    const uint64_t most = std::min(kMaxInsertBytes, server.max_statement_bytes());
    if (made.empty() || made.back().size() + 1 + row.size() > most) {
      made.push_back(head + row);
    } else {
      made.back() += "," + row;
    }
  }
  return made;
}

void SqlStaging::send(const std::vector<std::string>& statements, uint64_t rows) {
  bool again = false;
  attempt([&](SqlConnection& server) {
    if (std::exchange(again, true)) {
      if (count(plan_.staging) == rows_ + rows) return;  // only the answer was lost
      require_rows(rows_);
    }
    server.begin();
    for (const std::string& statement : statements) server.execute(statement);
    server.commit();
  });
}

uint64_t SqlStaging::count(const SqlTable& table) {
  return std::stoull(connection_->value("SELECT COUNT(*) FROM " + connection_->qualified(table)).bytes);
}

void SqlStaging::require_rows(uint64_t rows) {
  const uint64_t there = count(plan_.staging);
  if (there == rows) return;
  fail(fmt::format("'{}' has {} rows, but {} were written: the server lost some, or another process writes to it; repeat the run",
                   plan_.staging.name, there, rows));
}

// Names the row if a key occurred twice: not every server does.
void SqlStaging::name_duplicate(const std::vector<Line>& lines) {
  if (key_.empty()) return;
  SqlConnection& server = connected();
  std::set<std::string> seen;
  for (const Line& line : lines) {
    std::vector<std::string> conditions;
    std::string shown;
    for (const auto& [i, value] : line) {
      const SqlColumn& column = columns_[i].column;
      if (!is_key(column.name)) continue;
      conditions.push_back(server.identifier(column.name) + " = " + server.literal_for(column, value.cell()));
      shown += (shown.empty() ? "" : ", ") + column.name + " = ";
      append_json_value(value.cell(), shown);
    }
    bool twice = !seen.insert(shown).second;
    if (!twice) {
      server.query("SELECT 1 FROM " + server.qualified(plan_.staging) + " WHERE " + joined(conditions, " AND "),
                   [&](SqlConnection::Row) { twice = true; });
    }
    if (twice) fail(fmt::format("two rows have the key {}; name a column with unique values by --key", shown));
  }
}

// Moves rows from the staging table to the table itself.

bool SqlStaging::is_there(const SqlTable& table) {
  return !connection_->columns(table).empty();
}

std::string SqlStaging::same_key() const {
  std::vector<std::string> conditions;
  conditions.reserve(key_.size());
  for (const std::string& name : key_) {
    conditions.push_back(fmt::format("t.{0} = s.{0}", connection_->identifier(name)));
  }
  return joined(conditions, " AND ");
}

// Existing rows must be equal: then a run can be repeated, and nothing is lost silently.
void SqlStaging::add_missing() {
  SqlConnection& server = *connection_;
  const std::string table = server.qualified(plan_.address.table);
  const std::string staging = server.qualified(plan_.staging);
  std::vector<std::string> names;
  std::vector<std::string> values;
  std::vector<std::string> differ;
  for (const Column& column : columns_) {
    if (!column.exists) continue;
    names.push_back(server.identifier(column.column.name));
    values.push_back("s." + names.back());
    if (by_name_.contains(column.column.name) && !is_key(column.column.name)) {
      differ.push_back(server.differs("s." + names.back(), "t." + names.back()));
    }
  }
  std::string missing;
  if (!key_.empty()) {
    if (!differ.empty()) {
      std::string other;
      server.query("SELECT s." + server.identifier(key_.front()) + " FROM " + staging + " AS s JOIN " + table + " AS t ON " + same_key() +
                       " WHERE " + joined(differ, " OR ") + " LIMIT 1",
                   [&](SqlConnection::Row row) { append_json_value(row[0], other); });
      if (!other.empty()) {
        fail(fmt::format("the table has another row with the key {} = {}; nothing was added", key_.front(), other));
      }
    }
    missing = " WHERE NOT EXISTS (SELECT 1 FROM " + table + " AS t WHERE " + same_key() + ")";
  }
  server.execute("INSERT INTO " + table + " (" + joined(names) + ") SELECT " + joined(values) + " FROM " + staging + " AS s" + missing);
}

void SqlStaging::annotate() {
  SqlConnection& server = *connection_;
  const std::string table = server.qualified(plan_.address.table);
  const auto there = server.columns(plan_.address.table);
  std::vector<std::string> names;
  for (const SqlAddedColumn& added : added_columns(plan_.lines)) {
    names.push_back(server.identifier(added.name));
    if (std::ranges::find(there, added.name, &SqlColumn::name) != there.end()) continue;
    server.execute("ALTER TABLE " + table + " ADD COLUMN " + names.back() + " " + server.type_for(added.need, false));
  }
  server.execute(server.update_from(table, server.qualified(plan_.staging), names, same_key()));
}

// May be retried after a lost answer: without a staging table it is done.
void SqlStaging::insert_rows() {
  SqlConnection& server = *connection_;
  server.begin();
  switch (plan_.how) {
    case SqlPlan::How::kCreate:
    case SqlPlan::How::kReplace:
      server.move_into_place(plan_.staging, plan_.address.table, plan_.how == SqlPlan::How::kReplace && is_there(plan_.address.table));
      break;
    case SqlPlan::How::kAdd:
      add_missing();
      break;
    case SqlPlan::How::kAnnotate:
      annotate();
  }
  server.execute("DROP TABLE IF EXISTS " + server.qualified(plan_.staging));  // in the same transaction, if the server supports it
  server.commit();
}

void SqlStaging::finish() {
  if (!created_) {
    if (plan_.how == SqlPlan::How::kAdd || plan_.how == SqlPlan::How::kAnnotate) {
      finished_ = true;  // there is nothing to add
      return;
    }
    std::erase_if(key_, [&](const std::string& name) { return !by_name_.contains(name); });
    create();
  }
  fit_columns(true);
  if (plan_.origin != nullptr) plan_.origin->release();
  bool again = false;
  attempt([&](SqlConnection& server) {
    if (std::exchange(again, true)) {
      if (!is_there(plan_.staging)) return;  // only the answer was lost
      // If dropping a table ends a transaction, rows without a key may already be added.
      const bool inserted = plan_.how == SqlPlan::How::kAdd && key_.empty() && count(plan_.address.table) == rows_;
      if (inserted) {
        server.execute("DROP TABLE " + server.qualified(plan_.staging));
        return;
      }
    }
    // On the connection that moves them: a restarted server may have lost rows that it had acknowledged.
    require_rows(rows_);
    insert_rows();
  });
  finished_ = true;
}

void SqlStaging::withdraw() noexcept {
  if (plan_.how != SqlPlan::How::kCreate) return;  // earlier rows can no longer be distinguished
  try {
    connected().execute("DROP TABLE IF EXISTS " + connection_->qualified(plan_.address.table));
  } catch (const std::exception&) {
  }
}

}  // namespace neardup
