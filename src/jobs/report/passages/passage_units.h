// PassageUnitCutter: cuts a text into units, in which the report looks for shared passages: words, and single ideographs, kana and
// syllables.
//
// Units are compared by hashes of their clue form (text/clue/clue_form.h): case, width, punctuation and white space make no difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/clue/clue_form.h"

namespace neardup {

struct PassageUnits {
  std::vector<uint64_t> units;          ///< hashes, in text order
  std::vector<ClueForm::Place> places;  ///< of each: its bytes in the text
};

/// For one thread. Texts are below 2^32 bytes.
class PassageUnitCutter {
 public:
  PassageUnitCutter() : form_(false) {}

  void cut(std::string_view text, PassageUnits& out);

 private:
  // The unit of these bytes and code points of the form.
  void append(size_t begin, size_t end, size_t first_point, size_t end_point, PassageUnits& out) const;

  ClueForm form_;
  ClueForm::Scratch scratch_;
  std::string formed_;
  std::vector<ClueForm::Place> places_;
};

/// Calls `found` with the number of each place of `units` where `wanted`, which is not empty, begins; places do not overlap, and
/// the first ones count. Time is linear in both.
void find_units(std::span<const uint64_t> units, std::span<const uint64_t> wanted, const std::function<void(size_t)>& found);

/// The text with each place where these units stand replaced by one blank.
std::string without_units(std::string_view text, const PassageUnits& units, std::span<const uint64_t> wanted);

}  // namespace neardup
