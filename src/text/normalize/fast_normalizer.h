// The fast normalizer with kernels of the caller's choice, for tests; make_normalizer takes the kernels in use.
#pragma once

#include <memory>

#include "kernels/kernels.h"
#include "text/normalize/normalizer.h"

namespace neardup {

std::unique_ptr<const Normalizer> make_fast_normalizer(NormalizerKind kind, const kernels::Kernels& kernels);

}  // namespace neardup
