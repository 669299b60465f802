#include "neardup/stop.h"

namespace neardup {
namespace {

thread_local const StopFunction* stop_of_this_thread = nullptr;

}  // namespace

StopScope::StopScope(const StopFunction* stop) noexcept : before_(stop_of_this_thread) {
  stop_of_this_thread = stop;
}

StopScope::~StopScope() {
  stop_of_this_thread = before_;
}

const StopFunction* current_stop() noexcept {
  return stop_of_this_thread;
}

void check_stop() {
  if (stop_of_this_thread != nullptr) check_stop(*stop_of_this_thread);
}

void check_stop(const StopFunction& stop) {
  if (stop && stop()) throw Error(ErrorCode::kStopped, "stopped on request");
}

}  // namespace neardup
