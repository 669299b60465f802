// StageObject: a stage as an object of Python: one call at a time, none after finish() or after an error.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "neardup/error.h"
#include "unlocked.h"

namespace neardup::python {

template <typename Stage>
class StageObject {
 public:
  explicit StageObject(std::unique_ptr<Stage> stage) : stage_(std::move(stage)) {}

  /// use(stage) without the lock of the interpreter; `last`: as the last call of its kind.
  template <typename Use>
  auto call(const Use& use, bool last = false) {
    const Unlocked unlocked;
    const std::lock_guard lock(mutex_);
    if (finished_) throw Error(ErrorCode::kUsage, "this stage is finished: make a new one");
    finished_ = true;  // also if it throws
    if constexpr (std::is_void_v<decltype(use(*stage_))>) {
      use(*stage_);
      finished_ = last;
    } else {
      auto result = use(*stage_);
      finished_ = last;
      return result;
    }
  }
  /// The same after finish().
  template <typename Use>
  auto after(const Use& use) {
    const Unlocked unlocked;
    const std::lock_guard lock(mutex_);
    return use(*stage_);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Stage> stage_;
  bool finished_ = false;
};

}  // namespace neardup::python
