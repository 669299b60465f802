// MongoDB's client library, libmongoc, and libbson that comes with it. Bson: owns one document.
//
// The library is not linked: load_mongo_library() loads it when a run first needs it. So the functions below have the names of those that
// its headers declare, and hide them inside the namespace neardup: code in it calls the loaded ones, and cannot call others without a
// linker error.
#pragma once

#include <mongoc/mongoc.h>

#include <utility>

#include "io/port/client_library.h"

namespace neardup {

/// Throws Error{kUsage} that names the package if the library is not installed. Thread-safe; the functions can be called afterwards.
void load_mongo_library();

#define NEARDUP_MONGO_FUNCTIONS(X)                     \
  X(bson_append_array_begin)                           \
  X(bson_append_array_end)                             \
  X(bson_append_document)                              \
  X(bson_append_document_begin)                        \
  X(bson_append_document_end)                          \
  X(bson_append_int32)                                 \
  X(bson_append_int64)                                 \
  X(bson_append_iter)                                  \
  X(bson_append_utf8)                                  \
  X(bson_as_canonical_extended_json)                   \
  X(bson_as_relaxed_extended_json)                     \
  X(bson_concat)                                       \
  X(bson_copy)                                         \
  X(bson_copy_to_excluding_noinit)                     \
  X(bson_decimal128_to_string)                         \
  X(bson_destroy)                                      \
  X(bson_equal)                                        \
  X(bson_free)                                         \
  X(bson_get_data)                                     \
  X(bson_init_static)                                  \
  X(bson_iter_as_int64)                                \
  X(bson_iter_binary)                                  \
  X(bson_iter_bool)                                    \
  X(bson_iter_date_time)                               \
  X(bson_iter_decimal128)                              \
  X(bson_iter_double)                                  \
  X(bson_iter_find_w_len)                              \
  X(bson_iter_init)                                    \
  X(bson_iter_init_find)                               \
  X(bson_iter_key)                                     \
  X(bson_iter_next)                                    \
  X(bson_iter_oid)                                     \
  X(bson_iter_recurse)                                 \
  X(bson_iter_type)                                    \
  X(bson_iter_utf8)                                    \
  X(bson_new)                                          \
  X(bson_new_from_json)                                \
  X(bson_oid_to_string)                                \
  X(bson_sized_new)                                    \
  X(bson_strfreev)                                     \
  X(mongoc_bulk_operation_destroy)                     \
  X(mongoc_bulk_operation_execute)                     \
  X(mongoc_bulk_operation_insert_with_opts)            \
  X(mongoc_bulk_operation_update_one_with_opts)        \
  X(mongoc_client_command_simple)                      \
  X(mongoc_client_get_collection)                      \
  X(mongoc_client_get_database)                        \
  X(mongoc_client_pool_destroy)                        \
  X(mongoc_client_pool_new_with_error)                 \
  X(mongoc_client_pool_pop)                            \
  X(mongoc_client_pool_push)                           \
  X(mongoc_client_pool_set_error_api)                  \
  X(mongoc_collection_count_documents)                 \
  X(mongoc_collection_create_bulk_operation_with_opts) \
  X(mongoc_collection_delete_many)                     \
  X(mongoc_collection_destroy)                         \
  X(mongoc_collection_estimated_document_count)        \
  X(mongoc_collection_find_with_opts)                  \
  X(mongoc_cursor_destroy)                             \
  X(mongoc_cursor_error)                               \
  X(mongoc_cursor_next)                                \
  X(mongoc_database_destroy)                           \
  X(mongoc_database_get_collection_names_with_opts)    \
  X(mongoc_init)                                       \
  X(mongoc_log_set_handler)                            \
  X(mongoc_uri_destroy)                                \
  X(mongoc_uri_get_appname)                            \
  X(mongoc_uri_get_option_as_int32)                    \
  X(mongoc_uri_has_option)                             \
  X(mongoc_uri_new_with_error)                         \
  X(mongoc_uri_set_appname)                            \
  X(mongoc_uri_set_option_as_int32)

NEARDUP_MONGO_FUNCTIONS(NEARDUP_DECLARE_FUNCTION)

/// Owns one BSON document. (std::unique_ptr warns about the alignment that bson_t asks for.)
class Bson {
 public:
  Bson() noexcept = default;
  Bson(std::nullptr_t) noexcept {}
  explicit Bson(bson_t* document) noexcept : document_(document) {}
  ~Bson() { reset(); }
  Bson(Bson&& other) noexcept : document_(std::exchange(other.document_, nullptr)) {}
  Bson& operator=(Bson&& other) noexcept {
    if (this != &other) {
      reset(other.document_);
      other.document_ = nullptr;
    }
    return *this;
  }
  Bson(const Bson&) = delete;
  Bson& operator=(const Bson&) = delete;

  void reset(bson_t* document = nullptr) noexcept {
    if (document_ != nullptr) bson_destroy(document_);
    document_ = document;
  }
  [[nodiscard]] bson_t* get() const noexcept { return document_; }
  [[nodiscard]] bson_t& operator*() const noexcept { return *document_; }
  [[nodiscard]] bson_t* operator->() const noexcept { return document_; }
  [[nodiscard]] explicit operator bool() const noexcept { return document_ != nullptr; }

 private:
  bson_t* document_ = nullptr;
};

}  // namespace neardup
