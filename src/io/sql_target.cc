// Lines go through a bounded queue to a thread that talks to the server, so that a slow server hides behind the run, and the other way
// round.
#include "io/sql_target.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "io/retry.h"
#include "io/sql_staging.h"

namespace neardup {
namespace {

constexpr size_t kBlockBytes = 1u << 20;  // of lines: a transaction
constexpr size_t kMostBlocks = 4;         // that wait

class SqlTarget final : public LineTarget {
 public:
  SqlTarget(const SqlAddress& address, const TargetOptions& options) {
    retried(kFirstConnection, [&] {
      auto connection = connect_sql(address, {.code = ErrorCode::kOutput, .writes = true});
      SqlPlan plan = plan_sql_target(options, *connection, address);
      staging_ = std::make_unique<SqlStaging>(std::move(plan), std::move(connection), options.stop);
    });
    writer_ = std::thread([this] { write_blocks(); });
  }
  ~SqlTarget() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      blocks_.clear();
    }
    changed_.notify_all();
    if (writer_.joinable()) writer_.join();
  }
  SqlTarget(const SqlTarget&) = delete;
  SqlTarget& operator=(const SqlTarget&) = delete;

  void append(std::string_view lines) override {
    block_ += lines;
    if (block_.size() >= kBlockBytes) push();
  }
  void commit() override {
    push();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    writer_.join();
    if (failure_) std::rethrow_exception(failure_);
    staging_->finish();
  }
  void withdraw() noexcept override { staging_->withdraw(); }

 private:
  void push() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || blocks_.size() < kMostBlocks; });
    if (failure_) std::rethrow_exception(failure_);
    blocks_.push_back(std::exchange(block_, {}));
    lock.unlock();
    changed_.notify_all();
  }

  void write_blocks() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ended_ || !blocks_.empty(); });
      if (blocks_.empty()) return;
      const std::string block = std::move(blocks_.front());
      blocks_.pop_front();
      lock.unlock();
      changed_.notify_all();
      try {
        staging_->write(block);
        lock.lock();
      } catch (...) {
        lock.lock();
        failure_ = std::current_exception();
        blocks_.clear();
        changed_.notify_all();
        return;
      }
    }
  }

  std::unique_ptr<SqlStaging> staging_;  // of the thread, until it has ended
  std::string block_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> blocks_;
  bool ended_ = false;
  std::exception_ptr failure_;
  std::thread writer_;
};

bool takes(const std::string& target) {
  return is_sql_uri(target);
}

std::unique_ptr<LineTarget> open(const std::string& target, const TargetOptions& options) {
  return std::make_unique<SqlTarget>(parse_sql_address(target, ErrorCode::kOutput), options);
}

}  // namespace

const TargetKind kSqlTarget{.name = "sql", .takes = takes, .open = open};

}  // namespace neardup
