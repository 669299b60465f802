#include <string>
#include <vector>

#include "cli/interrupt.h"
#include "cli/program.h"
#include "neardup/tools/mapped_files.h"

// The loader calls this after it has mapped the libraries and before it runs the constructor of any. A signal that comes before has its
// default effect, which is harmless: nothing is open yet. The runtimes of the sanitizers are not ready that early.
#if defined(__linux__) && !defined(NEARDUP_SANITIZE)
namespace {

void catch_early(int, char**, char**) {
  neardup::cli::catch_interrupts();
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const kEarly)(int, char**, char**) = catch_early;

}  // namespace
#endif

int main(int argc, char** argv) {
  neardup::cli::catch_interrupts();
  neardup::guard_mapped_files();
  return neardup::cli::run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
