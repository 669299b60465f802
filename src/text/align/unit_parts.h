// UnitPart: a part of an alignment in units. The passes that make an alignment easier to read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/align/common_runs.h"
#include "text/align/unit_sequence.h"

namespace neardup {

struct UnitPart {
  bool same = false;
  SequenceGap units;
};

/// The runs and what is between them, in order; neighbours differ in kind.
std::vector<UnitPart> parts_of_runs(const std::vector<CommonRun>& runs, uint32_t size_a, uint32_t size_b);

/// Two texts in units.
struct UnitTexts {
  std::string_view a;
  std::string_view b;
  const UnitNumbers& numbers;
  const UnitSequence& units_a;
  const UnitSequence& units_b;
};

/// Moves insertions and deletions that could begin earlier or later, so that they begin and end at lines, sentences or words.
void slide_changes(const UnitTexts& texts, std::vector<UnitPart>& parts);

/// Joins changes if what is between them is less than a quarter of each.
void join_changes(const UnitTexts& texts, std::vector<UnitPart>& parts);

}  // namespace neardup
