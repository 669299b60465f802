#include "cli/interrupt.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>

namespace neardup::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kExitAfterSignal = 128;  // what shells add to the number of a signal

volatile std::sig_atomic_t first_signal = 0;
volatile std::sig_atomic_t caught[3] = {0, 0, 0};  // which of kSignals have our handler

// Nothing but functions that are safe in a handler.
void give_back_signals() {
  struct sigaction normal {};
  normal.sa_handler = SIG_DFL;
  for (size_t i = 0; i < 3; ++i) {
    if (caught[i] != 0) sigaction(kSignals[i], &normal, nullptr);
    caught[i] = 0;
  }
}

void remember(int number) {
  first_signal = number;
  give_back_signals();  // a second signal ends the program
}

void ignore(int number) {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  sigaction(number, &action, nullptr);
}

}  // namespace

void catch_interrupts() noexcept {
  if (first_signal != 0) return;
  struct sigaction action {};
  action.sa_handler = remember;
  for (size_t i = 0; i < 3; ++i) {
    struct sigaction before {};
    if (sigaction(kSignals[i], nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    caught[i] = 1;
    sigaction(kSignals[i], &action, nullptr);
  }
  ignore(SIGPIPE);
  ignore(SIGXFSZ);
}

void end_by_interrupts() noexcept {
  give_back_signals();
  if (first_signal != 0) std::raise(first_signal);
}

bool interrupted() noexcept {
  return first_signal != 0;
}

int interrupt_code() noexcept {
  return kExitAfterSignal + first_signal;
}

bool output_reader_closed() noexcept {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

void end_by_broken_pipe() noexcept {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

}  // namespace neardup::cli
