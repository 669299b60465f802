// Interrupt: SIGINT and SIGTERM ask a run to stop cleanly; a second one ends the program at once. SIGPIPE becomes an error of write(),
// so that a reader that goes away leaves no partial outputs behind.
#pragma once

namespace neardup::cli {

/// Installs the handlers. Called once, before a run.
void catch_interrupts() noexcept;
/// For a command that waits for its input and leaves nothing half done: an interrupt ends the process at once.
void end_by_interrupts() noexcept;
/// True once a signal has come.
bool interrupted() noexcept;
/// True if nobody reads standard output any more.
bool output_reader_gone() noexcept;
/// Ends the program the way an unhandled SIGPIPE does: without a word.
void end_by_broken_pipe() noexcept;

}  // namespace neardup::cli
