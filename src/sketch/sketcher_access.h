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
  /// The next texts of this scratch belong to the block of this name, until the next call: their exact hashes and features differ from
  /// those of every other block, so that texts of two blocks do not match: not as copies, by features or by bands. Names that are
  /// equal once they are normalized name one block. Only for sketches that are made of features: not for fingerprints.
  /// False if nothing is left of the name: the block is the one without a name.
  static bool enter_block(const Sketcher& sketcher, std::string_view name, Sketcher::Scratch& scratch);
  /// What every feature of the last text was combined with (xor), by its block and by the numbers that must agree; 0: nothing.
  static uint64_t feature_key(const Sketcher::Scratch& scratch) noexcept;
  /// The tokens of the normalized text; they may be moved out.
  static TokenBuffer& tokenize(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch);
  /// The hash of each of them, in the order of the text.
  static std::span<const uint64_t> token_hashes(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch);
  /// The features of a text in its order, with repetitions and its feature_key(), whether or not they are enough. Requires a recipe
  /// without weights.
  static std::span<const uint64_t> occurrences(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch);
  /// The tokens that Sketcher::sketch() made. They may be moved out. Unspecified where the features are keywords: call tokenize() there.
  static TokenBuffer& tokens(Sketcher::Scratch& scratch) noexcept;
  /// True if the normalized text of the last call has at least `characters` code points.
  static bool has_length(const Sketcher::Scratch& scratch, uint64_t characters) noexcept;
  /// The number of distinct features of the text of Sketcher::sketch(), also if it was too short. Must be the next call with the scratch
  /// after sketch(), whose features it reorders.
  static uint64_t distinct_features(const Sketcher& sketcher, Sketcher::Scratch& scratch);
  /// Sketcher::features() of the text of Sketcher::sketch(), which was not too short. Must be the next call with the scratch.
  static std::span<const uint64_t> feature_set(const Sketcher& sketcher, Sketcher::Scratch& scratch);
};

}  // namespace neardup
