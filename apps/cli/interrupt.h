// Interrupt: SIGINT, SIGTERM and SIGHUP ask a run to stop cleanly; a second one ends the program at once. A signal that was ignored at the
// start of the program stays ignored (nohup). SIGPIPE and SIGXFSZ become errors of write(), so that a closed pipe or a limit on the size of
// files leaves no partial outputs.
#pragma once

namespace neardup::cli {

/// Installs the handlers. On Linux it is called before the constructors of all libraries; main() calls it again, which changes nothing.
void catch_interrupts() noexcept;
/// For a command that waits for its input and leaves nothing incomplete: an interrupt ends the process at once.
void end_by_interrupts() noexcept;
/// True once a signal has come.
bool interrupted() noexcept;
/// The exit code of a run that a signal ended: 128 and the number of the signal; 130 after SIGINT. Requires interrupted().
int interrupt_code() noexcept;
/// True if nobody reads standard output any more.
bool output_reader_closed() noexcept;
/// Ends the program silently, as an unhandled SIGPIPE does.
void end_by_broken_pipe() noexcept;

}  // namespace neardup::cli
