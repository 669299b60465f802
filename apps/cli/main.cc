#include <string>
#include <vector>

#include "interrupt.h"
#include "program.h"
#include "shared_memory.h"

int main(int argc, char** argv) {
  neardup::cli::forget_driver_counters();
  neardup::cli::catch_interrupts();
  return neardup::cli::run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
