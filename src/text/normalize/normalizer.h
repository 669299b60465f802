// Normalizer: text in, normalized text out.
//
// In order, as docs/recipe.md defines: (1) malformed UTF-8 becomes U+FFFD per maximal subpart; (2) a run of white space
// between two CJK characters is removed; (3) the Unicode form: NFKC_Casefold, or NFKC and then the default lower-case
// mapping (with its final sigma); (4) white space runs collapse to one blank, none at either end.
// none_v1 does (1) only; lower_compact_v1 does (1), the default lower-case mapping, and removes all white space.
// White space: U+0009-000D, 001C-001F, 0020, 0085, 00A0, 1680, 2000-200A, 2028, 2029, 202F, 205F, 3000.
// CJK: U+2E80-303F, 3100-312F, 3400-4DBF, 4E00-9FFF, F900-FAFF, FE30-FE4F, FF00-FFEF, 20000-3FFFF (white space aside).
//
// Immutable, shared by threads. Total: any bytes in, valid UTF-8 out, nothing thrown but std::bad_alloc.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/raw_vector.h"
#include "kernels/kernels.h"
#include "neardup/tools/recipe_kinds.h"

namespace neardup {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// Replaces `out` by the normalized text. `piece` is scratch space. `text` must not point into either.
  virtual void normalize(std::string_view text, RawVector<char>& out, std::string& piece) const = 0;
};

/// Copies ASCII and other text that the form does not change, and passes the rest to ICU piece by piece. Its slow twin is in
/// normalizer_reference.h.
std::unique_ptr<const Normalizer> make_normalizer(NormalizerKind kind);
/// The same with kernels of the caller's choice, for tests.
std::unique_ptr<const Normalizer> make_normalizer(NormalizerKind kind, const kernels::Kernels& kernels);

}  // namespace neardup
