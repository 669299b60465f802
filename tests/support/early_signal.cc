// Preloaded into a program (LD_PRELOAD), sends it the signal that NEARDUP_EARLY_SIGNAL names by its number: while the constructors of its
// libraries run, before main().
#include <csignal>
#include <cstdlib>

namespace {

[[gnu::constructor]] void send() {
  if (const char* number = std::getenv("NEARDUP_EARLY_SIGNAL")) std::raise(std::atoi(number));
}

}  // namespace
