// none_v1 and lower_compact_v1: the normalizers without a Unicode form, for comparing with recipes that have none. normalizer.h defines
// them, and make_normalizer() chooses.
#pragma once

#include <memory>

#include "kernels/kernels.h"
#include "text/normalize/normalizer.h"

namespace neardup {

std::unique_ptr<const Normalizer> make_none_normalizer();
std::unique_ptr<const Normalizer> make_lower_compact_normalizer(const kernels::Kernels& kernels);

}  // namespace neardup
