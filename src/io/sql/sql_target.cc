// A separate thread writes the lines (WriteBehind).
#include "io/sql/sql_target.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/port/retry.h"
#include "io/port/write_behind.h"
#include "io/sql/sql_staging.h"

namespace neardup {
namespace {

constexpr size_t kBlockBytes = 1u << 20;  // of lines: a transaction
constexpr size_t kMaxBlocks = 4;          // that wait

class SqlTarget final : public LineTarget {
 public:
  SqlTarget(const SqlAddress& address, const TargetOptions& options) {
    retried(kFirstConnection, [&] {
      auto connection = connect_sql(address, {.code = ErrorCode::kOutput, .writes = true});
      SqlPlan plan = plan_sql_target(options, *connection, address);
      staging_ = std::make_unique<SqlStaging>(std::move(plan), std::move(connection), options.stop);
    });
    writer_.emplace(kMaxBlocks, [this](std::string& block) { staging_->write(block); });
  }

  void append(std::string_view lines) override {
    block_ += lines;
    if (block_.size() >= kBlockBytes) push();
  }
  void commit() override {
    push();
    writer_->finish();
    staging_->finish();
  }
  void withdraw() noexcept override { staging_->withdraw(); }

 private:
  void push() { writer_->put(std::exchange(block_, {})); }

  std::unique_ptr<SqlStaging> staging_;  // of the writer, until it has finished
  std::string block_;
  std::optional<WriteBehind<std::string>> writer_;
};

bool takes(const std::string& target) {
  return is_sql_uri(target);
}

std::unique_ptr<LineTarget> open(const std::string& target, const TargetOptions& options) {
  return std::make_unique<SqlTarget>(parse_sql_address(target), options);
}

}  // namespace

const TargetKind& sql_target_kind() {
  static const TargetKind kind{.name = "sql", .takes = takes, .open = open};
  return kind;
}

}  // namespace neardup
