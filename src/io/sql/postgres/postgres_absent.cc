// PostgreSQL in a build without its connector (NEARDUP_POSTGRES).
#include "io/sql/sql_connection.h"
#include "neardup/error.h"

namespace neardup {

std::unique_ptr<SqlConnection> connect_postgres(const SqlAddress& address, const SqlAccess&) {
  throw Error(ErrorCode::kUsage, "'" + address.shown + "': this neardup was built without PostgreSQL (NEARDUP_POSTGRES=ON)");
}

}  // namespace neardup
