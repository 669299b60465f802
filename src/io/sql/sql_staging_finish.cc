// The end of SqlStaging: how rows come from the staging table into the table itself.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/sql/sql_staging.h"

namespace neardup {

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

// Rows that are there must be the same: then a run can be repeated, and nothing is lost unseen.
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

// May be tried again after an answer was lost: without a staging table it is done.
void SqlStaging::come_in() {
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
  server.execute("DROP TABLE IF EXISTS " + server.qualified(plan_.staging));  // in the same transaction, where the server can
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
      // Where dropping a table ends a transaction, rows without a key may have come in before it.
      const bool came_in = plan_.how == SqlPlan::How::kAdd && key_.empty() && count(plan_.address.table) == rows_;
      if (came_in) {
        server.execute("DROP TABLE " + server.qualified(plan_.staging));
        return;
      }
    }
    // On the connection that moves them: a server that went away and came back may have lost what it said it had.
    require_rows(rows_);
    come_in();
  });
  finished_ = true;
}

void SqlStaging::withdraw() noexcept {
  if (plan_.how != SqlPlan::How::kCreate) return;  // what was there before cannot be told apart any more
  try {
    connected().execute("DROP TABLE IF EXISTS " + connection_->qualified(plan_.address.table));
  } catch (const std::exception&) {
  }
}

}  // namespace neardup
