// DuckDB's C library, which reads and writes tables: found and loaded when a run first needs it, never linked; and the used part of its C
// interface, as types and as a table of functions found at run time. No header of DuckDB is needed to build: these layouts and names are
// stable there, and the interface only grows.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::duck {

using Index = uint64_t;
struct DatabaseHandle;
struct ConnectionHandle;
struct ConfigHandle;
struct StatementHandle;
struct PendingHandle;
struct ChunkHandle;
struct VectorHandle;
struct TypeHandle;
struct FunctionHandle;
struct FunctionInfo;

/// By value in calls. The fields are the library's own business.
struct Result {
  Index unused_counts[3];
  void* unused_pointers[2];
  void* internal;
};

/// A string in a vector: short ones are stored inline, long ones are referenced by a pointer.
struct String {
  uint32_t length;
  char bytes[12];  // the text itself, or its first four bytes and a pointer
  [[nodiscard]] std::string_view view() const noexcept {
    if (length <= sizeof(bytes)) return {bytes, length};
    const char* begin = nullptr;
    std::memcpy(&begin, bytes + 4, sizeof(begin));
    return {begin, length};
  }
};
static_assert(sizeof(String) == 16);

struct ListEntry {
  uint64_t offset;
  uint64_t length;
};
struct Huge {
  uint64_t lower;
  int64_t upper;
};

/// duckdb_type: only those that we name.
enum class Type : uint32_t {
  kInvalid = 0,
  kBoolean = 1,
  kTinyint = 2,
  kSmallint = 3,
  kInteger = 4,
  kBigint = 5,
  kUtinyint = 6,
  kUsmallint = 7,
  kUinteger = 8,
  kUbigint = 9,
  kFloat = 10,
  kDouble = 11,
  kTimestamp = 12,
  kDate = 13,
  kTime = 14,
  kHugeint = 16,
  kVarchar = 17,
  kBlob = 18,
  kDecimal = 19,
  kTimestampS = 20,
  kTimestampMs = 21,
  kTimestampNs = 22,
  kEnum = 23,
  kList = 24,
  kStruct = 25,
  kMap = 26,
  kUuid = 27,
  kTimestampTz = 31,
  kUhugeint = 32,
  kArray = 33,
  kNull = 36,
};

using ScalarFunction = void (*)(FunctionInfo*, ChunkHandle*, VectorHandle*);

// clang-format off
/// X(result, name without duckdb_, arguments). A state of 0 means success.
#define NEARDUP_DUCKDB_FUNCTIONS(X)                                         \
  X(const char*, library_version, ())                                       \
  X(int, create_config, (ConfigHandle**))                                   \
  X(int, set_config, (ConfigHandle*, const char*, const char*))             \
  X(void, destroy_config, (ConfigHandle**))                                 \
  X(int, open_ext, (const char*, DatabaseHandle**, ConfigHandle*, char**))  \
  X(void, close, (DatabaseHandle**))                                        \
  X(int, connect, (DatabaseHandle*, ConnectionHandle**))                    \
  X(void, disconnect, (ConnectionHandle**))                                 \
  X(int, prepare, (ConnectionHandle*, const char*, StatementHandle**))      \
  X(const char*, prepare_error, (StatementHandle*))                         \
  X(void, destroy_prepare, (StatementHandle**))                             \
  X(int, pending_prepared_streaming, (StatementHandle*, PendingHandle**))   \
  X(const char*, pending_error, (PendingHandle*))                           \
  X(int, execute_pending, (PendingHandle*, Result*))                        \
  X(void, destroy_pending, (PendingHandle**))                               \
  X(void, destroy_result, (Result*))                                        \
  X(const char*, result_error, (Result*))                                   \
  X(Index, column_count, (Result*))                                         \
  X(const char*, column_name, (Result*, Index))                             \
  X(TypeHandle*, column_logical_type, (Result*, Index))                     \
  X(ChunkHandle*, fetch_chunk, (Result))                                    \
  X(void, destroy_data_chunk, (ChunkHandle**))                              \
  X(Index, data_chunk_get_size, (ChunkHandle*))                             \
  X(VectorHandle*, data_chunk_get_vector, (ChunkHandle*, Index))            \
  X(void*, vector_get_data, (VectorHandle*))                                \
  X(uint64_t*, vector_get_validity, (VectorHandle*))                        \
  X(VectorHandle*, list_vector_get_child, (VectorHandle*))                  \
  X(VectorHandle*, struct_vector_get_child, (VectorHandle*, Index))         \
  X(VectorHandle*, array_vector_get_child, (VectorHandle*))                 \
  X(TypeHandle*, create_logical_type, (Type))                               \
  X(void, destroy_logical_type, (TypeHandle**))                             \
  X(Type, get_type_id, (TypeHandle*))                                       \
  X(uint8_t, decimal_scale, (TypeHandle*))                                  \
  X(Type, decimal_internal_type, (TypeHandle*))                             \
  X(Type, enum_internal_type, (TypeHandle*))                                \
  X(uint32_t, enum_dictionary_size, (TypeHandle*))                          \
  X(char*, enum_dictionary_value, (TypeHandle*, Index))                     \
  X(TypeHandle*, list_type_child_type, (TypeHandle*))                       \
  X(TypeHandle*, array_type_child_type, (TypeHandle*))                      \
  X(Index, array_type_array_size, (TypeHandle*))                            \
  X(TypeHandle*, map_type_key_type, (TypeHandle*))                          \
  X(TypeHandle*, map_type_value_type, (TypeHandle*))                        \
  X(Index, struct_type_child_count, (TypeHandle*))                          \
  X(char*, struct_type_child_name, (TypeHandle*, Index))                    \
  X(TypeHandle*, struct_type_child_type, (TypeHandle*, Index))              \
  X(void, free, (void*))                                                    \
  X(FunctionHandle*, create_scalar_function, ())                            \
  X(void, destroy_scalar_function, (FunctionHandle**))                      \
  X(void, scalar_function_set_name, (FunctionHandle*, const char*))         \
  X(void, scalar_function_add_parameter, (FunctionHandle*, TypeHandle*))    \
  X(void, scalar_function_set_return_type, (FunctionHandle*, TypeHandle*))  \
  X(void, scalar_function_set_function, (FunctionHandle*, ScalarFunction))  \
  X(int, register_scalar_function, (ConnectionHandle*, FunctionHandle*))
// clang-format on

struct Api {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a type and a list of parameters take none
#define NEARDUP_DUCKDB_MEMBER(result, name, arguments) result(*name) arguments = nullptr;
  NEARDUP_DUCKDB_FUNCTIONS(NEARDUP_DUCKDB_MEMBER)
#undef NEARDUP_DUCKDB_MEMBER
};

/// A possible place of the library.
struct LibraryPlace {
  std::string path;
  std::string named_by;  ///< "--duckdb-library" or "NEARDUP_DUCKDB" when the user named it: then it must exist; else empty
};

/// In the order in which they are tried: the option, the environment (NEARDUP_DUCKDB), next to the program and in the lib folder of its
/// prefix, the cache folder (~/.cache/neardup/duckdb, XDG_CACHE_HOME) where `neardup doctor --fetch-duckdb` puts it, ~/.local/lib, the
/// environment of conda (CONDA_PREFIX), the path of the loader (LD_LIBRARY_PATH, the folders of the system), /usr/local/lib. The first that
/// the user named is the only one.
std::vector<LibraryPlace> library_places(const std::string& option, const std::function<std::string(const char*)>& environment,
                                         const std::string& program_folder);

/// Loads it, once in a process for each path. Throws Error{kUsage}: one line that says what to install, or what is wrong with the file.
const Api& load_library(const std::string& option);
/// The file that a loaded library came from, without links.
std::string path_of(const Api& api);

}  // namespace neardup::duck
