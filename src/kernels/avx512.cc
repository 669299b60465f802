// The kernels for AVX-512 F, BW, VL and DQ; cmake/Kernels.cmake gives this unit its flags.
#define NEARDUP_VECTOR_BYTES 64

#include "kernels/affine_impl.h"
#include "kernels/common_impl.h"
#include "kernels/form_avx2.h"
#include "kernels/hamming_impl.h"
#include "kernels/jieba_impl.h"
#include "kernels/keys_impl.h"
#include "kernels/md5_impl.h"
#include "kernels/minhash_impl.h"
#include "kernels/packed_impl.h"
#include "kernels/rows_impl.h"
#include "kernels/sha1_impl.h"
#include "kernels/simhash_impl.h"
#include "kernels/text_impl.h"
#include "kernels/units.h"
#include "kernels/weigh_impl.h"

namespace neardup::kernels {

const Kernels k_avx512 = {.name = "avx512",
                          .minhash_update = minhash_update_impl,
                          .fold_ascii = fold_ascii_impl,
                          .lower_compact = nullptr,
                          .fold_chinese = fold_chinese_impl,
                          .ascii_words = ascii_words_impl,
                          .code_point_starts = code_point_starts_impl,
                          .hash_short_shingles = nullptr,
                          .hash_word_shingles = nullptr,
                          .lane_nibbles = lane_nibbles_impl,
                          .hash_rows = nullptr,
                          .count_common = count_common_impl,
                          .simhash_count = simhash_count_impl,
                          .simhash_weigh = simhash_weigh_impl,
                          .md5_short = md5_short_impl,
                          .sha1_short = sha1_short_impl,
                          .affine32 = affine32_impl,
                          .affine64 = affine64_impl,
                          .mersenne = mersenne_impl,
                          .hamming_near = hamming_near_impl,
                          .hamming_packed = hamming_packed_impl,
                          .bucket_starts = bucket_starts_impl,
                          .unpack_keys = unpack_keys_impl,
                          .near_keys = near_keys_impl,
                          .near_own_keys = near_own_keys_impl,
                          .near_meeting = near_meeting_impl,
                          .jieba_words = jieba_words_impl,
                          .jieba_read = nullptr};

}  // namespace neardup::kernels
