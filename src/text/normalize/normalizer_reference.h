// The slow twin of the normalizers: the definition of normalizer.h, one step after the other over the whole text, through ICU's UTF-16
// interfaces. The judge of the fast ones in tests and fuzzers; it shares nothing with them but the decoder and the two character classes.
#pragma once

#include <memory>

#include "text/normalize/normalizer.h"

namespace neardup {

std::unique_ptr<const Normalizer> make_reference_normalizer(NormalizerKind kind);

}  // namespace neardup
