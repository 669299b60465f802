#include "io/sql/sql_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/json/json_path.h"

namespace neardup {
namespace {

[[noreturn]] void fail_to_select(const SqlAddress& address, const std::string& what) {
  throw Error(ErrorCode::kInput, fmt::format("'{}': {}", address.shown, what));
}

std::string names_of(const std::vector<SqlColumn>& columns) {
  constexpr size_t kMaxNames = 30;
  std::vector<std::string> names;
  for (const SqlColumn& column : columns) {
    if (names.size() == kMaxNames) return joined(names) + ", ...";
    names.push_back(column.name);
  }
  return joined(names);
}

size_t position_of(const std::vector<SqlColumn>& columns, std::string_view name) {
  return static_cast<size_t>(std::ranges::find(columns, name, &SqlColumn::name) - columns.begin());
}

}  // namespace

SqlSelection::SqlSelection(SqlConnection& connection, const SqlAddress& address, const SourceOptions& options) {
  if (address.is_query()) {
    from_ = "(\n" + address.query + "\n) AS neardup_rows";  // a line of its own, in case the query ends with a comment
    columns_ = connection.columns_of(from_);
  } else {
    from_ = connection.qualified(address.table);
    columns_ = connection.columns(address.table);
    if (columns_.empty()) fail_to_select(address, fmt::format("there is no table {}", from_));
  }
  if (!options.where.empty()) condition_ = "(\n" + options.where + "\n)";
  find_key(connection, address, options);
  check_condition(connection);
  all_.resize(columns_.size());
  std::iota(all_.begin(), all_.end(), size_t{0});
  find_needed(address, options);
  check_key(connection, address);
}

void SqlSelection::find_key(SqlConnection& connection, const SqlAddress& address, const SourceOptions& options) {
  const std::vector<std::string> primary = address.is_query() ? std::vector<std::string>() : connection.primary_key(address.table);
  std::string name = options.key;
  if (name.empty()) {
    if (address.is_query()) fail_to_select(address, "a query is read in the order of a key: name a column with unique values by --key");
    const bool sqlite = address.server == SqlServer::kSqlite;
    const std::string_view advice =
        sqlite ? "name a column with unique values by --key, or --key rowid" : "name a column with unique values by --key";
    if (primary.empty()) fail_to_select(address, fmt::format("the table has no primary key; {}", advice));
    if (primary.size() > 1)
      fail_to_select(address, fmt::format("the primary key has {} columns ({}); {}", primary.size(), joined(primary), advice));
    name = primary.front();
  }
  key_ = position_of(columns_, name);
  if (key_ == columns_.size()) {
    if (address.server != SqlServer::kSqlite || address.is_query() || name != "rowid") {
      fail_to_select(address, fmt::format("there is no column '{}' to be the key; the columns are {}", name, names_of(columns_)));
    }
    columns_.push_back({.name = "rowid", .type = "INTEGER"});
  }
  if (!columns_[key_].unordered.empty()) {
    fail_to_select(address, fmt::format("the column '{}' cannot be the key: {}", name, columns_[key_].unordered));
  }
  key_is_unique_ = primary.size() == 1 && primary.front() == name && address.server != SqlServer::kSqlite;
  quoted_key_ = connection.identifier(name);
}

// Asks for no row, so that an error in the condition is reported as one of the option, not as one of a query that the user did not write.
void SqlSelection::check_condition(SqlConnection& connection) const {
  if (condition_.empty()) return;
  try {
    connection.query(fmt::format("SELECT 1 FROM {} WHERE {} LIMIT 0", from_, condition_), [](SqlConnection::Row) {});
  } catch (const TransientError&) {
    throw;
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage, fmt::format("where: {}", error.what()));
  }
}

// A primary key of SQLite may have NULLs; other columns may have anything.
void SqlSelection::check_key(SqlConnection& connection, const SqlAddress& address) {
  if (key_is_unique_) return;
  bool any = false;
  connection.query("SELECT 1 FROM " + from_ + where({quoted_key_ + " IS NULL"}) + " LIMIT 1", [&](SqlConnection::Row) { any = true; });
  if (any) fail_to_select(address, fmt::format("the key '{}' is NULL in some rows; a key must identify rows", key()));
  std::string twice;
  connection.query("SELECT " + quoted_key_ + " FROM " + from_ + where({}) + " GROUP BY " + quoted_key_ + " HAVING COUNT(*) > 1 LIMIT 1",
                   [&](SqlConnection::Row row) { append_json_value(row[0], twice); });
  if (!twice.empty()) fail_to_select(address, fmt::format("several rows have the key '{}' = {}; a key must be unique", key(), twice));
}

void SqlSelection::find_needed(const SqlAddress& address, const SourceOptions& options) {
  std::vector<bool> wanted(columns_.size());
  wanted[key_] = true;
  const auto want = [&](std::string_view field) {
    bool found = false;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!leads_into(columns_[i].name, field)) continue;
      wanted[i] = found = true;
    }
    return found;
  };
  bool any_text = false;
  for (const std::string& field : options.text_field) any_text = want(field) || any_text;
  if (!any_text) {
    fail_to_select(address, fmt::format("there is no column '{}' with the text; name it with --text-field: the columns are {}",
                                        joined(options.text_field, "', '"), names_of(columns_)));
  }
  if (!options.id_field.empty() && options.id_field != kAutoIdField && !want(options.id_field)) {
    fail_to_select(address, fmt::format("there is no column '{}' with the id; the columns are {}", options.id_field, names_of(columns_)));
  }
  if (!options.rank_field.empty() && !want(options.rank_field)) {
    fail_to_select(address, fmt::format("there is no column '{}' to rank by; the columns are {}", options.rank_field, names_of(columns_)));
  }
  if (!options.block_field.empty() && !want(options.block_field)) {
    fail_to_select(address,
                   fmt::format("there is no column '{}' (--block-on); the columns are {}", options.block_field, names_of(columns_)));
  }
  for (const FieldValue& rule : options.protect) {
    if (!want(rule.field)) {
      fail_to_select(address, fmt::format("there is no column '{}' (--protect); the columns are {}", rule.field, names_of(columns_)));
    }
  }
  for (const std::string& field : options.required_fields) {
    if (std::ranges::any_of(columns_, [&](const SqlColumn& column) { return leads_into(column.name, field); })) continue;
    fail_to_select(address, fmt::format("there is no column '{}' (--fields); the columns are {}", field, names_of(columns_)));
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (wanted[i]) needed_.push_back(i);
  }
}

std::string SqlSelection::where(const std::vector<std::string>& conditions) const {
  std::vector<std::string> all = conditions;
  if (!condition_.empty()) all.push_back(condition_);
  return all.empty() ? std::string() : " WHERE " + joined(all, " AND ");
}

std::vector<std::string> SqlSelection::bounds(SqlConnection& connection, const SqlRange& range) const {
  std::vector<std::string> conditions;
  if (range.after) conditions.push_back(quoted_key_ + " > " + connection.literal(range.after->cell()));
  conditions.push_back(quoted_key_ + " <= " + connection.literal(range.upto.cell()));
  return conditions;
}

std::string SqlSelection::select(SqlConnection& connection, const std::vector<size_t>& which) const {
  std::vector<std::string> list{quoted_key_};
  for (const size_t i : which) list.push_back(columns_[i].read.empty() ? connection.identifier(columns_[i].name) : columns_[i].read);
  return "SELECT " + joined(list) + " FROM " + from_;
}

std::string SqlSelection::rows(SqlConnection& connection, const std::vector<size_t>& which, const SqlRange& range) const {
  return select(connection, which) + where(bounds(connection, range)) + " ORDER BY " + quoted_key_;
}

std::string SqlSelection::first_rows(SqlConnection& connection, uint64_t most) const {
  return select(connection, all_) + where({}) + fmt::format(" ORDER BY {} LIMIT {}", quoted_key_, most);
}

std::string SqlSelection::cut(SqlConnection& connection, const SqlRange& range, uint64_t n) const {
  return "SELECT " + quoted_key_ + " FROM " + from_ + where(bounds(connection, range)) +
         fmt::format(" ORDER BY {} LIMIT 1 OFFSET {}", quoted_key_, n - 1);
}

std::string SqlSelection::count() const {
  return "SELECT COUNT(*) FROM " + from_ + where({});
}

std::string SqlSelection::min_key() const {
  return first_key("");
}

std::string SqlSelection::max_key() const {
  return first_key(" DESC");
}

std::string SqlSelection::first_key(std::string_view order) const {
  return fmt::format("SELECT {0} FROM {1}{2} ORDER BY {0}{3} LIMIT 1", quoted_key_, from_, where({}), order);
}

}  // namespace neardup
