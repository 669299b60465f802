#include "io/table/parquet_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr const char* kFunction = "neardup_chosen";

struct Choice {
  const duck::Api* api;
  const std::vector<std::vector<bool>>* rows;  // by file, then row from 0
};

// The state of the query in this thread. The library passes such a state through its own interface, for which the function would need the
// library; and a query runs in one thread (Database).
thread_local const Choice* current_choice = nullptr;

// neardup_chosen(file, row) in SQL. Outside our queries nothing is chosen, and missing rows are counted.
void chosen(duck::FunctionInfo*, duck::ChunkHandle* arguments, duck::VectorHandle* result) {
  const Choice* const choice = current_choice;
  if (choice == nullptr) return;
  const duck::Api& api = *choice->api;
  const auto* files = static_cast<const int64_t*>(api.vector_get_data(api.data_chunk_get_vector(arguments, 0)));
  const auto* rows = static_cast<const int64_t*>(api.vector_get_data(api.data_chunk_get_vector(arguments, 1)));
  auto* truth = static_cast<bool*>(api.vector_get_data(result));
  for (uint64_t i = 0; i < api.data_chunk_get_size(arguments); ++i) {
    const auto& of_file = (*choice->rows)[static_cast<size_t>(files[i])];
    const auto row = static_cast<size_t>(rows[i]);
    truth[i] = row < of_file.size() && of_file[row];
  }
}

class CurrentChoice {
 public:
  explicit CurrentChoice(const Choice& choice) { current_choice = &choice; }
  ~CurrentChoice() { current_choice = nullptr; }
  CurrentChoice(const CurrentChoice&) = delete;
  CurrentChoice& operator=(const CurrentChoice&) = delete;
};

void register_choice(duck::Connection& connection) {
  const duck::Api& api = connection.api();
  duck::TypeHandle* number = api.create_logical_type(duck::Type::kBigint);
  duck::TypeHandle* truth = api.create_logical_type(duck::Type::kBoolean);
  duck::FunctionHandle* function = api.create_scalar_function();
  api.scalar_function_set_name(function, kFunction);
  api.scalar_function_add_parameter(function, number);
  api.scalar_function_add_parameter(function, number);
  api.scalar_function_set_return_type(function, truth);
  api.scalar_function_set_function(function, chosen);
  const int state = api.register_scalar_function(connection.handle(), function);
  api.destroy_scalar_function(&function);
  api.destroy_logical_type(&truth);
  api.destroy_logical_type(&number);
  if (state != 0) throw duck::Failure("cannot register a function");
}

}  // namespace

ParquetCopy::ParquetCopy(const std::string& path, std::vector<const TableFile*> files, const TargetOptions& options, bool added)
    : output_(path, options), files_(std::move(files)), chosen_(files_.size()) {
  if (added) fields_.emplace(options.temp_dir);
}

void ParquetCopy::add(size_t file, uint64_t row, std::string_view fields) {
  auto& rows = chosen_[file];
  if (rows.empty()) {
    uint64_t total = 0;
    for (const RowGroup& group : files_[file]->groups) total += group.rows;
    rows.resize(total);
  }
  rows.at(row - 1) = true;
  ++count_;
  if (fields_) fields_->append(fields.data(), fields.size());
}

std::string ParquetCopy::query() const {
  std::string paths;
  for (const TableFile* file : files_) paths += (paths.empty() ? "" : ", ") + table_path_sql(file->path);
  std::string columns;
  for (const TableColumn& column : files_.front()->columns) {
    const std::string name = duck::quote_name(column.name);
    columns += columns.empty() ? "" : ", ";
    columns += column.milliseconds ? fmt::format("CAST({} AS TIMESTAMP_MS) AS {}", name, name) : name;
  }
  std::string rows = fmt::format(
      "SELECT {} FROM read_parquet([{}], file_row_number=true, hive_partitioning=false, union_by_name=false) "
      "WHERE {}(CAST(file_index AS BIGINT), CAST(file_row_number AS BIGINT))",
      columns, paths, kFunction);
  if (!fields_) return rows;
  return fmt::format(
      "SELECT r.*, f.* FROM ({}) r POSITIONAL JOIN read_json({}, format='newline_delimited', compression='uncompressed', columns={{"
      "neardup_verdict: 'VARCHAR', neardup_reason: 'VARCHAR', neardup_keeper_id: 'VARCHAR', neardup_keeper_source: 'VARCHAR', "
      "neardup_keeper_row: 'BIGINT', neardup_similarity: 'DOUBLE', neardup_cluster_id: 'VARCHAR', neardup_cluster_size: 'BIGINT'}}) f",
      rows, duck::quote_text(descriptor_path(fields_->descriptor())));
}

// Metadata of Arrow, pandas and others about the columns, beyond their types in Parquet.
std::string ParquetCopy::metadata() const {
  std::string pairs;
  for (const auto& [key, value] : files_.front()->metadata) {
    pairs += fmt::format("{}{}: {}", pairs.empty() ? "" : ", ", duck::quote_text(key), duck::quote_text(value));
  }
  return pairs.empty() ? "" : fmt::format(", KV_METADATA {{{}}}", pairs);
}

void ParquetCopy::finish() {
  if (finished_) return;
  for (const TableFile* file : files_) file->check_unchanged();
  try {
    duck::Connection connection(output_.database());
    register_choice(connection);
    const Choice choice{&connection.api(), &chosen_};
    const CurrentChoice current(choice);
    const uint64_t written = output_.write(connection, query(), metadata(), files_.front()->codec);
    if (written != count_) {
      throw Error(ErrorCode::kOutput, fmt::format("'{}': {} of {} rows were written", output_.path(), written, count_));
    }
  } catch (const duck::Failure& failure) {
    throw Error(ErrorCode::kOutput, fmt::format("cannot write '{}': {}", output_.path(), failure.what()));
  }
  for (const TableFile* file : files_) file->check_unchanged();
  output_.finish();
  finished_ = true;
}

void ParquetCopy::commit() {
  finish();
  output_.commit();
}

}  // namespace neardup
