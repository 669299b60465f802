// SQLite in a build without its connector (NEARDUP_SQLITE).
#include "io/sql/sql_connection.h"
#include "neardup/error.h"

namespace neardup {

std::unique_ptr<SqlConnection> connect_sqlite(const SqlAddress& address, const SqlAccess&) {
  throw Error(ErrorCode::kUsage, "'" + address.shown + "': this neardup was built without SQLite (NEARDUP_SQLITE=ON)");
}

}  // namespace neardup
