#include "io/table/duckdb_database.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/temp_file.h"
#include "io/table/duckdb_library.h"

namespace neardup::duck {
namespace {

// DuckDB's messages have several lines, with hints for authors of SQL.
std::string one_line(const char* message) {
  if (message == nullptr) return "unknown error";
  std::string line(message);
  for (const char* hint : {"\n\n", "Possible fixes:", "Possible Solution:"}) {
    if (const size_t at = line.find(hint); at != std::string::npos && at > 0) line.resize(at);
  }
  std::string shown;
  for (const char c : line) {
    const bool white = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!white) shown.push_back(c);
    if (white && !shown.empty() && shown.back() != ' ') shown.push_back(' ');
  }
  while (!shown.empty() && shown.back() == ' ') shown.pop_back();
  return shown;
}

class Config {
 public:
  explicit Config(const Api& api) : api_(api) {
    if (api_.create_config(&handle_) != 0) throw Failure("out of memory");
  }
  ~Config() { api_.destroy_config(&handle_); }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;
  void set(const char* name, const std::string& value) {
    if (api_.set_config(handle_, name, value.c_str()) != 0) throw Failure(fmt::format("no setting {} = {}", name, value));
  }
  [[nodiscard]] ConfigHandle* handle() const noexcept { return handle_; }

 private:
  const Api& api_;
  ConfigHandle* handle_ = nullptr;
};

std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out.push_back(quote);
    out.push_back(c);
  }
  out.push_back(quote);
  return out;
}

}  // namespace

Database::Database(const DatabaseOptions& options) : api_(load_library(options.library)) {
  Config config(api_);
  // Each query runs in the thread that fetches from it: the run has enough threads, and rows stay in order.
  config.set("threads", "1");
  config.set("preserve_insertion_order", "true");
  config.set("autoinstall_known_extensions", "false");
  config.set("autoload_known_extensions", "false");
  config.set("temp_directory",
             fmt::format("{}/neardup-duckdb-{}-{}.tmp", temp_folder(options.temp_dir), ::getpid(), fmt::ptr(this)));  // ours alone
  if (options.memory_bytes > 0) {
    config.set("memory_limit", fmt::format("{}MiB", std::max(options.memory_bytes / 4, kMinMemory) >> 20));
  }
  char* problem = nullptr;
  if (api_.open_ext(nullptr, &handle_, config.handle(), &problem) != 0) {
    const std::string message = one_line(problem);
    if (problem != nullptr) api_.free(problem);
    throw Failure(message);
  }
}

Database::~Database() {
  api_.close(&handle_);
}

Connection::Connection(const Database& database) : api_(database.api()) {
  if (api_.connect(database.handle(), &handle_) != 0) throw Failure("cannot connect");
}

Connection::~Connection() {
  api_.disconnect(&handle_);
}

void Connection::run(const std::string& sql) {
  Rows rows(*this, sql);
  while (rows.fetch()) continue;
}

Chunk::~Chunk() {
  if (handle_ != nullptr) api_->destroy_data_chunk(&handle_);
}

Chunk::Chunk(Chunk&& other) noexcept : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)), rows_(other.rows_) {}

Chunk& Chunk::operator=(Chunk&& other) noexcept {
  std::swap(api_, other.api_);
  std::swap(handle_, other.handle_);
  std::swap(rows_, other.rows_);
  return *this;
}

Rows::Rows(Connection& connection, const std::string& sql) : api_(connection.api()) {
  std::string problem;
  if (api_.prepare(connection.handle(), sql.c_str(), &statement_) != 0) {
    problem = one_line(api_.prepare_error(statement_));
  } else if (api_.pending_prepared_streaming(statement_, &pending_) != 0) {
    problem = one_line(api_.pending_error(pending_));
  } else if (api_.execute_pending(pending_, &result_) != 0) {
    problem = one_line(api_.result_error(&result_));
  } else {
    return;
  }
  release();
  throw Failure(problem);
}

Rows::~Rows() {
  release();
}

void Rows::release() noexcept {
  api_.destroy_result(&result_);
  api_.destroy_pending(&pending_);
  api_.destroy_prepare(&statement_);
}

Chunk Rows::fetch() {
  if (ended_) return {};
  ChunkHandle* const handle = api_.fetch_chunk(result_);
  if (handle != nullptr) return {api_, handle};
  ended_ = true;
  // Only this distinguishes the end from a failure.
  const char* problem = api_.result_error(&result_);
  if (problem != nullptr && *problem != '\0') throw Failure(one_line(problem));
  return {};
}

std::string quote_text(std::string_view text) {
  return quoted(text, '\'');
}

std::string quote_name(std::string_view name) {
  return quoted(name, '"');
}

}  // namespace neardup::duck
