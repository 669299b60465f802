// LeftOut: the files of a folder that a run does not take, by the endings of their names, for a warning or an error.
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
  /// Names that begin with '.' or '_' are what other programs leave behind, and do not count.
  void add_file(std::string_view path);
  /// A pipe, a socket, a device.
  void add_special() { ++by_ending_[kSpecial]; }
  void add_dangling(std::string path) { dangling_.push_back(std::move(path)); }

  [[nodiscard]] uint64_t files() const noexcept;
  /// "2 .parquet, 1 .rst", the most frequent first.
  [[nodiscard]] std::string endings() const;
  /// What is to be said about the folder; empty: nothing. `taken`: how many files it gave under `format`.
  [[nodiscard]] std::string warning(std::string_view folder, uint64_t taken, InputFormat format) const;

 private:
  static constexpr const char* kSpecial = "special";
  [[nodiscard]] std::string advice(InputFormat format) const;

  std::map<std::string, uint64_t> by_ending_;
  std::vector<std::string> dangling_;
};

}  // namespace neardup
