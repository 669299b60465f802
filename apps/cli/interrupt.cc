#include "interrupt.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>

namespace neardup::cli {
namespace {

volatile std::sig_atomic_t signals = 0;

void remember(int) {
  signals = 1;
}

}  // namespace

void catch_interrupts() noexcept {
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the next one has its default effect
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
}

void end_by_interrupts() noexcept {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() noexcept {
  return signals != 0;
}

bool output_reader_gone() noexcept {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

void end_by_broken_pipe() noexcept {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

}  // namespace neardup::cli
