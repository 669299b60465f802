// Where the dictionary is at run time.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/open_file.h"
#include "neardup/error.h"
#include "text/jieba/jieba_dictionary.h"

#ifndef NEARDUP_DICT_BUILT
#define NEARDUP_DICT_BUILT ""
#endif
#ifndef NEARDUP_DICT_INSTALLED
#define NEARDUP_DICT_INSTALLED ""
#endif

namespace neardup {
namespace {

constexpr const char* kBesideTheProgram = "share/neardup/jieba.dict";

// Whether one of the places that nobody named has it: a folder of somebody else's that cannot be looked into does not.
bool has_file(const std::filesystem::path& place) {
  std::error_code ignored;
  return !place.empty() && std::filesystem::is_regular_file(place, ignored);
}

}  // namespace

std::string find_jieba_dictionary() {
  // What was asked for by name is never replaced by something else.
  const char* named = std::getenv("NEARDUP_DICT");  // NOLINT(concurrency-mt-unsafe): nobody changes the environment
  if (named != nullptr && *named != '\0') {
    if (path_kind(named) != PathKind::kFile) throw Error(ErrorCode::kInput, fmt::format("NEARDUP_DICT: there is no file '{}'", named));
    return named;
  }
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::filesystem::path> places;
  if (!error) places.push_back(program.parent_path().parent_path() / kBesideTheProgram);
  places.emplace_back(NEARDUP_DICT_BUILT);
  places.emplace_back(NEARDUP_DICT_INSTALLED);
  for (const auto& place : places) {
    if (has_file(place)) return place.string();
  }
  throw Error(ErrorCode::kInput,
              "no dictionary of Chinese words: install the package python3-jieba, then configure and build neardup again (target "
              "neardup_product); or make one with 'neardup dict build' and name it in NEARDUP_DICT");
}

}  // namespace neardup
