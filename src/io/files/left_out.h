// LeftOut: what a run does not read of a folder, by the endings of the names, for a warning or an error.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/options.h"

namespace neardup {

class LeftOut {
 public:
  /// Side files (file_kind.h) are not counted.
  void add_file(const std::string& path);
  /// A pipe, a socket, a device.
  void add_special(const std::string& path);
  /// A link to nothing.
  void add_dangling(std::string path) { dangling_.push_back(std::move(path)); }
  /// A link to a folder: it is not followed, because links may form a circle.
  void add_linked_folder(std::string path) { linked_folders_.push_back(std::move(path)); }
  /// Sorts the paths, which the file system gives in any order.
  void sort();

  /// "only 2 .parquet, 1 .rst", the most frequent first; "no files". For a folder of which nothing is read.
  [[nodiscard]] std::string contents() const;
  [[nodiscard]] uint64_t files() const noexcept { return files_; }
  /// "1 link leads nowhere: 'x'; 1 link to a folder is not followed: 'y'"; empty: there are none.
  [[nodiscard]] std::string links() const;
  /// The warning about the folder; empty: nothing is left out.
  [[nodiscard]] std::string warning(std::string_view folder, InputFormat format) const;

 private:
  [[nodiscard]] std::string advice(InputFormat format) const;
  [[nodiscard]] std::string endings() const;
  void count(const std::string& ending, const std::string& path);

  std::map<std::string, uint64_t> by_ending_;
  std::vector<std::string> examples_;  // the first few
  std::vector<std::string> dangling_;
  std::vector<std::string> linked_folders_;
  uint64_t files_ = 0;
  bool has_side_files_ = false;
};

}  // namespace neardup
