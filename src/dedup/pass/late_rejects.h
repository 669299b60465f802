// LateRejects: rejected records of a pass that is not the end of its run. They go to the run's sink, and who runs the pass commits it with
// its other outputs: all or none.
#pragma once

#include "neardup/sink.h"

namespace neardup {

class LateRejects final : public RejectSink {
 public:
  /// Not owned; null: nowhere.
  explicit LateRejects(RejectSink* sink) : sink_(sink) {}
  void append(const Record& record) override {
    if (sink_ != nullptr) sink_->append(record);
  }
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  RejectSink* sink_;
};

}  // namespace neardup
