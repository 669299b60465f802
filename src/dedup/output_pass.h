// Pass 3: read everything once more and give every document with its verdict to the sinks, in input order.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dedup/pass/batch_line.h"
#include "dedup/verdicts.h"

namespace neardup {

/// Rejected records and the reference corpus go to no sink. Does not commit.
void run_output_pass(DocumentSource& source, const DocumentTable& table, const Verdicts& verdicts, std::span<Sink* const> sinks,
                     uint32_t threads, const PassMonitor& monitor);

/// The outputs of a run, of whatever kind: anything with commit() and withdraw(). Null is not an output.
class Outputs {
 public:
  template <typename AnySink>
  void add(AnySink* sink) {
    if (sink != nullptr) outputs_.push_back({[sink] { sink->commit(); }, [sink] { sink->withdraw(); }});
  }
  /// Commits all or none, in the order they were added: when one cannot, those before it are withdrawn and the error goes on.
  void commit() const;

 private:
  struct Output {
    std::function<void()> commit;
    std::function<void()> withdraw;
  };
  std::vector<Output> outputs_;
};

}  // namespace neardup
