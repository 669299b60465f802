#include "io/sql/sql_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/port/source_traits.h"

namespace neardup {
namespace {

using Lines = TargetOptions::Lines;
using Existing = TargetOptions::Existing;

[[noreturn]] void fail(const SqlAddress& address, const std::string& what) {
  throw Error(ErrorCode::kOutput, fmt::format("'{}': {}", address.shown, what));
}

const SqlOrigin* origin_of(const DocumentSource& source, uint32_t ordinal) {
  return dynamic_cast<const SqlOrigin*>(&TraitsOf(source).part(ordinal));
}

// The table of all documents of the run, if there is exactly one.
const SqlOrigin* single_origin(const DocumentSource* source, SqlServer server) {
  if (source == nullptr) return nullptr;
  const uint32_t first = TraitsOf(*source).reference_sources();
  if (source->source_count() != first + 1) return nullptr;
  const SqlOrigin* const origin = origin_of(*source, first);
  return origin != nullptr && origin->server() == server ? origin : nullptr;
}

bool is_input(const DocumentSource* source, const std::string& identity) {
  if (source == nullptr) return false;
  for (uint32_t i = 0; i < source->source_count(); ++i) {
    const SqlOrigin* const origin = origin_of(*source, i);
    if (origin != nullptr && origin->identity() == identity) return true;
  }
  return false;
}

bool has_rows(SqlConnection& connection, const std::string& table) {
  bool any = false;
  connection.query("SELECT 1 FROM " + table + " LIMIT 1", [&](SqlConnection::Row) { any = true; });
  return any;
}

void plan_annotation(SqlPlan& plan, SqlConnection& connection) {
  plan.how = SqlPlan::How::kAnnotate;
  plan.key = {plan.origin->key()};
  const auto& columns = plan.origin->columns();
  const auto key = std::ranges::find(columns, plan.origin->key(), &SqlColumn::name);
  plan.columns = {*key};
  plan.only_these = true;
  for (const SqlAddedColumn& added : added_columns(plan.lines)) {
    plan.columns.push_back({.name = added.name, .type = connection.type_for(added.need, false)});
  }
}

// "NAME=COLUMN,...": a selected column keeps its type under its new name; a computed one has the type of its values.
void plan_chosen(SqlPlan& plan, std::string_view fields) {
  const auto& columns = plan.origin->columns();
  const bool key_is_given = !plan.key.empty();
  while (!fields.empty()) {
    const std::string_view pair = fields.substr(0, fields.find(','));
    fields.remove_prefix(std::min(pair.size() + 1, fields.size()));
    const size_t equals = std::min(pair.find('='), pair.size());
    const auto found = std::ranges::find(columns, pair.substr(std::min(equals + 1, pair.size())), &SqlColumn::name);
    if (found == columns.end()) continue;
    plan.columns.push_back(*found);
    plan.columns.back().name = pair.substr(0, equals);
    if (!key_is_given && plan.key.empty() && found->name == plan.origin->key()) plan.key = {plan.columns.back().name};
  }
}

void plan_existing(SqlPlan& plan, SqlConnection& connection, const TargetOptions& options, const std::vector<SqlColumn>& columns) {
  const bool empty = !has_rows(connection, connection.qualified(plan.address.table));
  if (options.existing == Existing::kReplace) {
    plan.how = SqlPlan::How::kReplace;
    return;
  }
  if (!empty && options.existing == Existing::kRefuse) {
    fail(plan.address, "the table already has rows; --append adds to them, --replace replaces them");
  }
  plan.how = SqlPlan::How::kAdd;
  plan.is_empty = empty;
  plan.columns = columns;
  plan.only_these = true;
  const std::vector<std::string> primary = connection.primary_key(plan.address.table);
  if (!primary.empty()) plan.key = primary;
  if (!empty && plan.key.empty()) {
    fail(plan.address, "rows can be added only to a table with a primary key, or with a unique column named by --key");
  }
}

}  // namespace

std::vector<SqlAddedColumn> added_columns(TargetOptions::Lines lines) {
  if (lines == Lines::kDocuments) return {};
  const std::string prefix = lines == Lines::kAnnotated ? "neardup_" : "";
  std::vector<SqlAddedColumn> columns;
  if (lines == Lines::kVerdicts) columns = {{"id", SqlNeed::kText}, {"source", SqlNeed::kText}, {"row", SqlNeed::kBigInteger}};
  for (const auto& [name, need] : std::vector<SqlAddedColumn>{{"verdict", SqlNeed::kText},
                                                              {"reason", SqlNeed::kText},
                                                              {"keeper_id", SqlNeed::kText},
                                                              {"keeper_source", SqlNeed::kText},
                                                              {"keeper_row", SqlNeed::kBigInteger},
                                                              {"similarity", SqlNeed::kDouble},
                                                              {"cluster_id", SqlNeed::kText},
                                                              {"cluster_size", SqlNeed::kBigInteger}}) {
    columns.push_back({prefix + name, need});
  }
  return columns;
}

SqlPlan plan_sql_target(const TargetOptions& options, SqlConnection& connection, const SqlAddress& address) {
  if (address.is_query()) fail(address, "a query cannot be written to; name a table by table=");
  SqlPlan plan;
  plan.address = address;
  plan.staging = neighbour_table(address.table, "_neardup_partial");
  plan.lines = options.lines;
  plan.origin = single_origin(options.source, address.server);
  if (options.lines == Lines::kVerdicts) {
    plan.key = {"source", "row"};
  } else if (!options.key.empty()) {
    plan.key = {options.key};
  }
  const std::vector<SqlColumn> columns = connection.columns(address.table);
  const bool same = !columns.empty() && is_input(options.source, connection.identity(address.table));
  if (same) {
    const bool annotates =
        plan.lines == Lines::kAnnotated && plan.origin != nullptr && plan.origin->identity() == connection.identity(address.table);
    if (!annotates) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("'{}': the output is also an input; only --annotate writes back, to a table that is the only input", address.shown));
    }
    plan_annotation(plan, connection);
    return plan;
  }
  if (!columns.empty()) plan_existing(plan, connection, options, columns);
  if (plan.how == SqlPlan::How::kAdd) return plan;
  if (plan.lines == Lines::kDocuments && plan.origin != nullptr && !options.fields.empty()) {
    plan_chosen(plan, options.fields);
  } else if (plan.lines != Lines::kVerdicts && plan.origin != nullptr) {
    plan.columns = plan.origin->columns();
    if (plan.key.empty()) plan.key = {plan.origin->key()};
  }
  for (const SqlAddedColumn& added : added_columns(plan.lines)) {
    std::erase_if(plan.columns, [&](const SqlColumn& column) { return column.name == added.name; });
    const bool key = std::ranges::find(plan.key, added.name) != plan.key.end();
    plan.columns.push_back({.name = added.name, .type = connection.type_for(added.need, key)});
  }
  for (SqlColumn& column : plan.columns) column.is_generated = false;  // of the other table
  return plan;
}

}  // namespace neardup
