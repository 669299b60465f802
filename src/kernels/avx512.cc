// The kernels for AVX-512 F, BW, VL and DQ; cmake/Kernels.cmake gives this unit its flags.
#define NEARDUP_VECTOR_BYTES 64

#include "kernels/minhash_impl.h"
#include "kernels/text_impl.h"
#include "kernels/units.h"

namespace neardup::kernels {

const Kernels k_avx512 = {"avx512", minhash_update_impl, fold_ascii_impl, ascii_words_impl, code_point_starts_impl, nullptr};

}  // namespace neardup::kernels
