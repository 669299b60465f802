// NearestNames: of many names, those that a mistyped one most likely means.
//
//   NearestNames nearest("doc-1O0", 3);
//   for (const std::string& id : ids) nearest.look(id);
//   for (const std::string& name : nearest.names()) ...
//
// One thread. Any bytes are names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

class NearestNames {
 public:
  /// At most `most` names. A name is near if at most a third of its bytes, or one, must be inserted, deleted, replaced or swapped with
  /// their neighbours to make the other of it, or if one of both, of three bytes or more, begins with or ends in the other.
  NearestNames(std::string name, size_t most);
  /// Of a name of at most 64 bytes, a few nanoseconds for each byte of the candidate.
  void look(std::string_view candidate);
  /// The nearest first; of equally near ones the first seen. Each once.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Near {
    size_t distance;
    std::string name;
  };
  [[nodiscard]] size_t distance_to(std::string_view candidate, size_t bound);
  [[nodiscard]] size_t bit_distance(std::string_view candidate) const noexcept;
  [[nodiscard]] size_t table_distance(std::string_view candidate, size_t bound);

  const std::string name_;
  const size_t most_;
  std::vector<Near> nearest_;              // ascending
  std::vector<size_t> rows_[3];            // of a long name
  std::array<uint64_t, 256> positions_{};  // of a short one: the bits of each byte's positions in it
};

}  // namespace neardup
