// The normalizers without a Unicode form, one factory each; make_normalizer chooses.
#pragma once

#include <memory>

#include "kernels/kernels.h"
#include "text/normalize/normalizer.h"

namespace neardup {

std::unique_ptr<const Normalizer> make_none_normalizer();
/// `kernels`: of the caller's choice, for tests.
std::unique_ptr<const Normalizer> make_lower_compact_normalizer(const kernels::Kernels& kernels = kernels::kernels());

}  // namespace neardup
