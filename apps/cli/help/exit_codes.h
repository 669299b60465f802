// What the exit codes mean, for the overview and the manual pages; ExitCode in command.h has their names.
#pragma once

#include <array>
#include <string_view>

namespace neardup::cli {

struct ExitMeaning {
  std::string_view codes;
  std::string_view meaning;
};

inline constexpr std::array<ExitMeaning, 5> kExitMeanings{{{"0", "done"},
                                                           {"1", "failed, or unusable or damaged input"},
                                                           {"2", "wrong usage or configuration"},
                                                           {"3", "done, but records were rejected under --strict"},
                                                           {"129, 130, 143", "stopped by SIGHUP, SIGINT or SIGTERM"}}};

}  // namespace neardup::cli
