#include "io/output_tree.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "io/bytes/compression.h"
#include "io/port/source_traits.h"
#include "neardup/error.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path(std::string_view name) {
  std::error_code error;
  const fs::path absolute = fs::absolute(fs::path(name), error);
  return (error ? fs::path(name) : absolute).lexically_normal();
}

// a.warc.gz -> a.warc.jsonl.gz
fs::path lines_name(std::string_view name) {
  const std::string_view plain = without_compression_suffix(name);
  return std::string(plain) + ".jsonl" + std::string(name.substr(plain.size()));
}

fs::path common_folder(const fs::path& a, const fs::path& b) {
  fs::path common;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j) common /= *i;
  return common;
}

}  // namespace

std::vector<std::string> output_names(const std::string& directory, const DocumentSource& source, uint32_t first) {
  std::vector<fs::path> paths;
  fs::path common;
  for (uint32_t i = first; i < source.source_count(); ++i) {
    const std::string_view name = source.source_name(i);
    if (name == "-") throw Error(ErrorCode::kOutput, "standard input has no name that a file in '" + directory + "' could have");
    paths.push_back(absolute_path(name));
    if (TraitsOf(source).is_archive(i)) paths.back() = lines_name(paths.back().native());
    common = i == first ? paths.back().parent_path() : common_folder(common, paths.back().parent_path());
  }
  std::vector<std::string> names;
  std::map<std::string, std::string_view> taken;
  for (size_t i = 0; i < paths.size(); ++i) {
    names.push_back((fs::path(directory) / paths[i].lexically_relative(common)).native());
    const std::string_view input = source.source_name(first + static_cast<uint32_t>(i));
    const auto [before, inserted] = taken.try_emplace(names.back(), input);
    if (!inserted) {
      throw Error(ErrorCode::kOutput,
                  "'" + std::string(before->second) + "' and '" + std::string(input) + "' would both be written to '" + names.back() + "'");
    }
  }
  return names;
}

}  // namespace neardup
