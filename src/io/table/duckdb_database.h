// Database, Connection, Rows, Chunk: RAII wrappers of DuckDB. Everything runs in the calling thread.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "io/table/duckdb_library.h"

namespace neardup::duck {

/// DuckDB's message, in one line. The caller turns it into an Error that names the file.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DatabaseOptions {
  std::string library;        ///< as --duckdb-library; empty: searched for
  uint64_t memory_bytes = 0;  ///< of the run; DuckDB gets a quarter of it, at least kMinMemory. 0: its own default
  std::string temp_dir;
};

/// In memory; never uses the network. Any number of threads may connect.
class Database {
 public:
  static constexpr uint64_t kMinMemory = 256u << 20;
  /// Throws Error{kUsage} when there is no library, Failure.
  explicit Database(const DatabaseOptions& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  [[nodiscard]] const Api& api() const noexcept { return api_; }
  [[nodiscard]] DatabaseHandle* handle() const noexcept { return handle_; }

 private:
  const Api& api_;
  DatabaseHandle* handle_ = nullptr;
};

/// For one thread at a time.
class Connection {
 public:
  explicit Connection(const Database& database);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  [[nodiscard]] const Api& api() const noexcept { return api_; }
  [[nodiscard]] ConnectionHandle* handle() const noexcept { return handle_; }
  /// Runs a statement to its end. Throws Failure.
  void run(const std::string& sql);

 private:
  const Api& api_;
  ConnectionHandle* handle_ = nullptr;
};

/// Up to a few thousand rows by columns. Another thread may read it, and it outlives the Rows it came from.
class Chunk {
 public:
  Chunk() = default;
  Chunk(const Api& api, ChunkHandle* handle) : api_(&api), handle_(handle), rows_(api.data_chunk_get_size(handle)) {}
  ~Chunk();
  Chunk(Chunk&& other) noexcept;
  Chunk& operator=(Chunk&& other) noexcept;
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  [[nodiscard]] uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] VectorHandle* column(uint64_t at) const { return api_->data_chunk_get_vector(handle_, at); }

 private:
  const Api* api_ = nullptr;
  ChunkHandle* handle_ = nullptr;
  uint64_t rows_ = 0;
};

/// The result of a query, computed while it is fetched.
class Rows {
 public:
  /// Throws Failure.
  Rows(Connection& connection, const std::string& sql);
  ~Rows();
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  /// An empty one at the end. Throws Failure.
  Chunk fetch();
  [[nodiscard]] uint64_t columns() { return api_.column_count(&result_); }
  [[nodiscard]] std::string name(uint64_t column) { return api_.column_name(&result_, column); }
  /// For api().destroy_logical_type().
  [[nodiscard]] TypeHandle* type(uint64_t column) { return api_.column_logical_type(&result_, column); }
  [[nodiscard]] const Api& api() const noexcept { return api_; }

 private:
  void release() noexcept;
  const Api& api_;
  StatementHandle* statement_ = nullptr;
  PendingHandle* pending_ = nullptr;
  Result result_{};
  bool ended_ = false;
};

/// True if the row of the vector is not null.
inline bool is_valid(const uint64_t* validity, uint64_t row) noexcept {
  return validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0;
}

/// 'it''s', "a ""name""".
std::string quote_text(std::string_view text);
std::string quote_name(std::string_view name);

}  // namespace neardup::duck
