#include "io/sql/sql_staging.h"

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using SqlStagings = IoTest;

TEST_F(SqlStagings, AStopIsNoErrorOfTheTable) {
  const SqlAddress address = parse_sql_address("sqlite://" + path("a.db") + "?table=docs");
  auto connection = connect_sql(address, {.code = ErrorCode::kOutput, .writes = true});
  SqlPlan plan = plan_sql_target({}, *connection, address);
  try {
    const SqlStaging staging(std::move(plan), std::move(connection), [] { return true; });
    ADD_FAILURE() << "not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kStopped) << error.what();
  }
}

}  // namespace
}  // namespace neardup::testing
