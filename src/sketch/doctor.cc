#include "neardup/tools/doctor.h"

#include <bzlib.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <unicode/uversion.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <boost/version.hpp>

#include "base/parallel.h"
#include "base/temp_file.h"
#include "kernels/kernels.h"
#include "neardup/error.h"
#include "text/clean/cleaner.h"
#include "text/jieba/jieba_dictionary.h"
#include "text/normalize/unicode_version.h"

namespace neardup {

const char* kernels_in_use() noexcept {
  return kernels::kernels().name;
}

std::vector<std::string_view> kernels_available() {
  size_t count = 0;
  const kernels::Kernels* const* rows = kernels::available(&count);
  std::vector<std::string_view> names;
  for (size_t i = 0; i < count; ++i) names.emplace_back(rows[i]->name);
  return names;
}

std::string kernels_problem() {
  const char* problem = kernels::requested_kernels_error();
  return problem != nullptr ? problem : "";
}

namespace {

// Why html_v1 is refused, or nothing.
std::string html_problem() {
  try {
    static_cast<void>(make_cleaner("\"html_v1\""));
    return {};
  } catch (const Error&) {
    return "none: html_v1 is refused";
  }
}

std::string dictionary_label() {
  try {
    return fmt::format("{:016x}", JiebaDictionary::open(find_jieba_dictionary()).id());
  } catch (const Error&) {
    return "none: the jieba tokenizers are refused";
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

uint32_t machine_cores() noexcept {
  return resolve_threads(0);
}

uint64_t machine_memory_bytes() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) : 0;
}

uint64_t peak_memory_bytes() noexcept {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

std::string temp_dir_problem(const std::string& directory) {
  try {
    TempFile file(directory);
    file.append("x", 1);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace neardup
