// NearestNames: of many names, those that a mistyped one most likely means.
//
//   NearestNames nearest("doc-1O0", 3);
//   for (const std::string& id : ids) nearest.look(id);
//   for (const std::string& name : nearest.names()) ...
//
// One thread. Any bytes are names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

class NearestNames {
 public:
  static constexpr size_t kMaxEdits = 8;
  /// At most `most` names. A name is near if at most a third of its bytes, or one, but not more than kMaxEdits, must be inserted, deleted,
  /// replaced or swapped with their neighbours to make the other of it, or if one of both, of three bytes or more, begins with or ends in
  /// the other.
  NearestNames(std::string name, size_t most);
  /// Takes a few microseconds at most, whatever the names.
  void look(std::string_view candidate);
  /// The nearest first; of equally near ones the first seen. Each once.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Near {
    size_t distance;
    std::string name;
  };
  // Optimal string alignment; bound + 1 if it is more than the bound, which is at most kMaxEdits.
  [[nodiscard]] size_t distance_to(std::string_view candidate, size_t bound) const noexcept;

  const std::string name_;
  const size_t most_;
  const size_t max_edits_;
  std::vector<Near> nearest_;  // ascending
};

}  // namespace neardup
