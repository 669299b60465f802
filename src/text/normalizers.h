// The normalizers without a Unicode form, one factory each; make_normalizer chooses.
#pragma once

#include <memory>

#include "text/normalizer.h"

namespace neardup {

std::unique_ptr<const Normalizer> make_none_normalizer();
std::unique_ptr<const Normalizer> make_lower_compact_normalizer();

}  // namespace neardup
