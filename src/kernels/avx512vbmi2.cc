// The kernels for AVX-512 F, BW, VL, DQ, VBMI, VBMI2 and VPOPCNTDQ, and GFNI; cmake/Kernels.cmake gives this unit its flags.
#define NEARDUP_VECTOR_BYTES 64

#include "kernels/affine_impl.h"
#include "kernels/common_impl.h"
#include "kernels/jieba_impl.h"
#include "kernels/md5_impl.h"
#include "kernels/minhash_impl.h"
#include "kernels/rows_impl.h"
#include "kernels/sha1_impl.h"
#include "kernels/simhash_impl.h"
#include "kernels/units.h"
#include "kernels/weigh_impl.h"
#ifdef __AVX512VBMI2__
#include "kernels/compact_vbmi2.h"
#include "kernels/form_vbmi2.h"
#include "kernels/jieba_vbmi2.h"
#include "kernels/keys_vbmi2.h"
#include "kernels/near_vbmi2.h"
#include "kernels/packed_vbmi2.h"
#include "kernels/row_keys_vbmi2.h"
#include "kernels/shingles_vbmi2.h"
#include "kernels/text_vbmi2.h"
#include "kernels/word_shingles_vbmi2.h"
#else
#include "kernels/form_avx2.h"
#include "kernels/hamming_impl.h"
#include "kernels/keys_impl.h"
#include "kernels/packed_impl.h"
#include "kernels/text_impl.h"
namespace {
constexpr decltype(neardup::kernels::Kernels::hash_short_shingles) hash_short_shingles_impl = nullptr;
constexpr decltype(neardup::kernels::Kernels::hash_word_shingles) hash_word_shingles_impl = nullptr;
constexpr decltype(neardup::kernels::Kernels::hash_rows) hash_rows_impl = nullptr;
constexpr decltype(neardup::kernels::Kernels::jieba_read) jieba_read_impl = nullptr;
constexpr decltype(neardup::kernels::Kernels::lower_compact) lower_compact_impl = nullptr;
}  // namespace
#endif

namespace neardup::kernels {

const Kernels k_avx512vbmi2 = {.name = "avx512vbmi2",
                               .minhash_update = minhash_update_impl,
                               .fold_ascii = fold_ascii_impl,
                               .lower_compact = lower_compact_impl,
                               .fold_chinese = fold_chinese_impl,
                               .ascii_words = ascii_words_impl,
                               .code_point_starts = code_point_starts_impl,
                               .hash_short_shingles = hash_short_shingles_impl,
                               .hash_word_shingles = hash_word_shingles_impl,
                               .lane_nibbles = lane_nibbles_impl,
                               .hash_rows = hash_rows_impl,
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
                               .jieba_read = jieba_read_impl};

}  // namespace neardup::kernels
