// Which kernels to use. The table is in order of preference, best last; the choice is made once, at first use.
#include <array>
#include <cstdlib>
#include <string>

#include "kernels/units.h"

namespace neardup::kernels {
namespace {

constexpr size_t kUnits = 4;

bool always() noexcept {
  return true;
}

#if defined(__x86_64__) || defined(__i386__)
bool has_avx2() noexcept {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

bool has_avx512() noexcept {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq");
}

bool has_avx512vbmi2() noexcept {
  return has_avx512() && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("gfni");
}
#else
bool has_avx2() noexcept {
  return false;
}
bool has_avx512() noexcept {
  return false;
}
bool has_avx512vbmi2() noexcept {
  return false;
}
#endif

struct Unit {
  const Kernels* kernels;
  bool (*is_supported)() noexcept;
};

constexpr Unit kAllUnits[kUnits] = {{&k_baseline, always}, {&k_avx2, has_avx2}, {&k_avx512, has_avx512}, {&k_avx512vbmi2, has_avx512vbmi2}};

struct Choice {
  std::array<const Kernels*, kUnits> usable{};
  size_t usable_count = 0;
  const Kernels* chosen = nullptr;
  std::string error;  // empty: none
};

Choice choose() {
  Choice choice;
  for (const Unit& unit : kAllUnits) {
    if (unit.is_supported()) choice.usable[choice.usable_count++] = unit.kernels;
  }
  choice.chosen = choice.usable[choice.usable_count - 1];

  const char* wanted = std::getenv("NEARDUP_KERNELS");
  if (wanted == nullptr || *wanted == '\0') return choice;
  std::string names;
  for (size_t i = 0; i < choice.usable_count; ++i) {
    if (std::string(wanted) == choice.usable[i]->name) {
      choice.chosen = choice.usable[i];
      return choice;
    }
    names += (i == 0 ? "" : ", ") + std::string(choice.usable[i]->name);
  }
  choice.error = "NEARDUP_KERNELS is \"" + std::string(wanted) + "\"; this processor has: " + names;
  for (char& c : choice.error) {  // one line, whatever the variable holds
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return choice;
}

const Choice& choice() noexcept {
  static const Choice chosen = choose();
  return chosen;
}

}  // namespace

const Kernels& kernels() noexcept {
  return *choice().chosen;
}

const Kernels* const* available(size_t* count) noexcept {
  *count = choice().usable_count;
  return choice().usable.data();
}

const char* requested_kernels_error() noexcept {
  return choice().error.empty() ? nullptr : choice().error.c_str();
}

}  // namespace neardup::kernels
