#include "neardup/tools/library_versions.h"

#include <bzlib.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <unicode/uversion.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <boost/version.hpp>
#include <string_view>

#include "io/table/duckdb_library.h"
#include "neardup/error.h"
#include "text/clean/cleaner.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/utf8/code_points.h"

namespace neardup {
namespace {

// The reason that html_v1 is not available, or nothing.
std::string html_problem() {
  try {
    static_cast<void>(make_cleaner("\"html_v1\""));
    return {};
  } catch (const Error&) {
    return "none: html_v1 is not available";
  }
}

std::string dictionary_label() {
  try {
    return fmt::format("{:016x}", JiebaDictionary::open(find_jieba_dictionary()).id());
  } catch (const Error&) {
    return "none: the jieba tokenizers are not available";
  }
}

}  // namespace

std::vector<LibraryVersion> library_versions() {
  UVersionInfo icu{};
  u_getVersion(icu);
  const std::string_view bzip2 = BZ2_bzlibVersion();  // "1.0.8, 13-Jul-2019"
  const unsigned xxhash = XXH_VERSION_NUMBER;
  return {{"ICU", fmt::format("{}.{}", icu[0], icu[1])},
          {"Unicode", unicode_version()},
          {"xxHash", fmt::format("{}.{}.{}", xxhash / 10000, xxhash / 100 % 100, xxhash % 100)},
          {"simdjson", fmt::format("{}.{}.{}", int{simdjson::SIMDJSON_VERSION_MAJOR}, int{simdjson::SIMDJSON_VERSION_MINOR},
                                   int{simdjson::SIMDJSON_VERSION_REVISION})},
          {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
          {"zstd", ZSTD_versionString()},
          {"zlib", zlibVersion()},
          {"bzip2", std::string(bzip2.substr(0, bzip2.find(',')))},
          {"HTML", html_problem().empty() ? "lexbor" : html_problem()},
          {"jieba dictionary", dictionary_label()}};
}

TableLibrary table_library(const std::string& option) {
  try {
    const duck::Api& api = duck::load_library(option);
    return {.version = api.library_version(), .path = duck::path_of(api), .problem = {}};
  } catch (const Error& error) {
    return {.version = {}, .path = {}, .problem = error.what()};
  }
}

}  // namespace neardup
