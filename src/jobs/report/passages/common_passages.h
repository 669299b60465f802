// CommonPassages: the passages that many documents of a sample share: what boilerplate, templates and quotations look like.
//
// A passage is a run of at least kGramUnits units (passage_units.h). Its grams are counted once per document; where all grams of a run are
// frequent, and about equally so, the run is a candidate. The documents of the best ones are then counted exactly. The result is a function
// of the texts in their order. For one thread; time and memory grow with the texts added, of which only the first kTextBytes count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/report/passages/passage_units.h"

namespace neardup {

struct CommonPassage {
  std::string text;  ///< of the first document that has it
  std::vector<uint64_t> units;
  uint64_t documents = 0;  ///< texts added that have it
};

class CommonPassages {
 public:
  static constexpr size_t kGramUnits = 8;
  static constexpr size_t kMaxUnits = 400;  ///< of a passage; of a longer one only the beginning is looked for
  static constexpr size_t kTextBytes = 16u << 10;

  void add(std::string_view text);
  [[nodiscard]] uint64_t documents() const noexcept { return texts_.size(); }
  /// Throws Error{kStopped}, see neardup/stop.h. At most `most` passages that at least `min_documents` documents have (at least 2), the one
  /// that stands for most units first. None lies mostly in a better one.
  [[nodiscard]] std::vector<CommonPassage> find(size_t most, uint64_t min_documents) const;

 private:
  struct Text {
    std::string text;  // clipped
    PassageUnits units;
  };
  PassageUnitCutter cutter_;
  std::vector<Text> texts_;
};

}  // namespace neardup
