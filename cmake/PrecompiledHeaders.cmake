# Headers of the standard library and of fmt that most files include, compiled once a target: a third of the processor time of a clean build.
# The preset tsan does without them, so that every file is also compiled with nothing but its own includes.
option(NEARDUP_PRECOMPILE "Precompile headers of the standard library and of fmt" ON)

# neardup_precompile(TARGET [HEADER...]): further headers, such as <gtest/gtest.h>.
function(neardup_precompile target)
  if(NEARDUP_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cstdint> <cstring> <filesystem>
      <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view> <thread> <unordered_map> <unordered_set> <utility>
      <variant> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()
