#include "jobs/files/id_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

#include "io/bytes/uri.h"
#include "io/sql/sql_source.h"

namespace neardup {
namespace {

// What MongoDB may call by this name: a string, an ObjectId, a number.
std::string mongo_condition(const std::string& field, const std::string& id, const std::string& where) {
  namespace json = boost::json;
  json::array values{json::string(id)};
  constexpr size_t kObjectIdDigits = 24;
  if (id.size() == kObjectIdDigits && id.find_first_not_of("0123456789abcdef") == std::string::npos) {
    values.push_back(json::object{{"$oid", id}});
  }
  int64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error == std::errc() && end == id.data() + id.size()) values.emplace_back(number);
  const std::string wanted = json::serialize(json::object{{field, json::object{{"$in", std::move(values)}}}});
  return where.empty() ? wanted : fmt::format("{{\"$and\":[{},{}]}}", where, wanted);
}

// Empty: the id cannot be written as a literal that all servers read alike.
std::string sql_condition(const SqlOrigin& origin, const std::string& field, const std::string& id, const std::string& where) {
  if (id.find_first_of(std::string_view("\\\0", 2)) != std::string::npos) return {};
  const bool is_column =
      std::ranges::any_of(origin.columns(), [&](const SqlColumn& column) { return std::string_view(column.name) == field; });
  if (!is_column) return {};
  const std::string wanted =
      fmt::format("{} = {}", sql_quoted(field, origin.server() == SqlServer::kMysql ? '`' : '"'), sql_quoted(id, '\''));
  return where.empty() ? wanted : fmt::format("({}) AND {}", where, wanted);
}

}  // namespace

std::string id_condition(const std::string& input, const std::string& id, const SourceOptions& options) {
  const bool is_auto = options.id_field == kAutoIdField;
  if (!is_auto && options.id_field.empty()) return {};
  if (database_of(input) == Database::kMongo) return mongo_condition(is_auto ? "_id" : options.id_field, id, options.where);
  SourceOptions none = options;
  none.where = "1 = 0";  // opens the table without counting its rows
  const std::unique_ptr<DocumentSource> source = open_source({input}, none);
  const auto* const origin = dynamic_cast<const SqlOrigin*>(source.get());
  if (origin == nullptr) return {};
  return sql_condition(*origin, is_auto ? origin->key() : options.id_field, id, options.where);
}

}  // namespace neardup
