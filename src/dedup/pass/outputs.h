// Outputs: the outputs of a run, committed together or not at all.
#pragma once

#include <functional>
#include <vector>

#include "neardup/sink.h"

namespace neardup {

/// Outputs of whatever kind: anything with commit() and withdraw(). Null is not an output.
class Outputs {
 public:
  template <typename AnySink>
  void add(AnySink* sink) {
    if (sink != nullptr) outputs_.push_back({[sink] { sink->commit(); }, [sink] { sink->withdraw(); }});
  }
  /// Commits all or none, in the order they were added: if one fails, withdraws those before it and rethrows the error.
  void commit() const;

 private:
  struct Output {
    std::function<void()> commit;
    std::function<void()> withdraw;
  };
  std::vector<Output> outputs_;
};

/// Rejected records of a pass that is not the last of its run. Writes to the run's sink, which the run commits with its other outputs.
class BorrowedRejectSink final : public RejectSink {
 public:
  /// Not owned; null: nowhere.
  explicit BorrowedRejectSink(RejectSink* sink) : sink_(sink) {}
  void append(const Record& record) override {
    if (sink_ != nullptr) sink_->append(record);
  }
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  RejectSink* sink_;
};

}  // namespace neardup
