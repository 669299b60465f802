// SketcherAccess: gives other layers the results in a Sketcher's scratch without a copy. They are valid until the next call with this
// scratch, and belong to its thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "neardup/sketcher.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

struct SketcherAccess {
  /// The tokens of the normalized text; they may be moved out.
  static TokenBuffer& tokenize(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch);
  /// The hash of each of them, in the order of the text.
  static std::span<const uint64_t> token_hashes(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch);
  /// The tokens that Sketcher::sketch() made. They may be moved out. Unspecified where the features are keywords: call tokenize() there.
  static TokenBuffer& tokens(Sketcher::Scratch& scratch) noexcept;
  /// The number of distinct features of the text of Sketcher::sketch(), also if it was too short. Must be the next call with the scratch
  /// after sketch(), whose features it sorts.
  static uint64_t distinct_features(const Sketcher& sketcher, Sketcher::Scratch& scratch);
};

}  // namespace neardup
