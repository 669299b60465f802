// MySQL in a build without its connector (NEARDUP_MYSQL).
#include "io/sql/sql_connection.h"
#include "neardup/error.h"

namespace neardup {

std::unique_ptr<SqlConnection> connect_mysql(const SqlAddress& address, const SqlAccess&) {
  throw Error(ErrorCode::kUsage, "'" + address.shown + "': this neardup was built without MySQL (NEARDUP_MYSQL=ON)");
}

}  // namespace neardup
