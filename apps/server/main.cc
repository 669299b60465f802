// neardup-server: the command line with the service in it. `neardup serve` becomes this program; it may be started by itself, too:
// neardup-server serve ...
#include <string>
#include <vector>

#include "cli/interrupt.h"
#include "cli/program.h"
#include "neardup/tools/mapped_files.h"

int main(int argc, char** argv) {
  neardup::cli::catch_interrupts();
  neardup::guard_mapped_files();
  return neardup::cli::run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
