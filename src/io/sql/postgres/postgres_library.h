// PostgreSQL's client library, libpq.
//
// The library is not linked: load_postgres_library() loads it when a run first needs it. So the functions below have the names of those
// that its headers declare, and hide them inside the namespace neardup: code in it calls the loaded ones, and cannot call others without a
// linker error.
#pragma once

#include <libpq-fe.h>

#include "io/port/client_library.h"

namespace neardup {

/// Throws Error{kUsage} that names the package if the library is not installed. Thread-safe; the functions can be called afterwards.
void load_postgres_library();

#define NEARDUP_POSTGRES_FUNCTIONS(X) \
  X(PQclear)                          \
  X(PQcmdTuples)                      \
  X(PQconnectdbParams)                \
  X(PQerrorMessage)                   \
  X(PQexecParams)                     \
  X(PQfinish)                         \
  X(PQfmod)                           \
  X(PQfname)                          \
  X(PQftype)                          \
  X(PQgetResult)                      \
  X(PQgetisnull)                      \
  X(PQgetlength)                      \
  X(PQgetvalue)                       \
  X(PQnfields)                        \
  X(PQresultErrorField)               \
  X(PQresultStatus)                   \
  X(PQsendQueryParams)                \
  X(PQsetNoticeProcessor)             \
  X(PQsetSingleRowMode)               \
  X(PQstatus)

NEARDUP_POSTGRES_FUNCTIONS(NEARDUP_DECLARE_FUNCTION)

}  // namespace neardup
