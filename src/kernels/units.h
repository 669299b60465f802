// The per-instruction-set units, for dispatch.cc. On other processors all of them are plain builds and only the baseline is used.
#pragma once

#include "kernels/kernels.h"

namespace neardup::kernels {

extern const Kernels k_baseline;
extern const Kernels k_avx2;
extern const Kernels k_avx512;
extern const Kernels k_avx512vbmi2;

}  // namespace neardup::kernels
