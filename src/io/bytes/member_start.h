// find_member_start(): where another member probably begins in the bytes of a compressed stream, so that members can be decompressed at the
// same time.
//
// It recognizes headers by their bytes, and any bytes may occur inside a member. So the place is only a guess: whoever uses it must check
// that the member before ends exactly there.
#pragma once

#include <cstddef>
#include <string_view>

#include "io/bytes/compression.h"

namespace neardup {

/// As many bytes as a header must have after its first one to be recognized. One that is nearer to the end of `stored` is not found.
inline constexpr size_t kMemberHeadBytes = 18;

/// The first place at or after `from` where a gzip member or zstd frame may begin; npos if there is none. Never finds a bzip2 stream: what
/// is lost of a corrupt one depends on the bytes before it (decompress.cc).
size_t find_member_start(Compression compression, std::string_view stored, size_t from) noexcept;

}  // namespace neardup
