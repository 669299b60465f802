#include "io/bytes/rest_stream.h"

#include <algorithm>

#include "io/bytes/decompress.h"
#include "neardup/stop.h"

namespace neardup {

size_t RestStream::read(char* to, size_t bytes) {
  check_stop();
  const size_t wanted = std::min<uint64_t>(bytes, kStoredPieceBytes - at_ % kStoredPieceBytes);
  size_t done = 0;
  while (done < wanted && !read_.empty()) {
    const size_t got = read_.front().view().copy(to + done, wanted - done, used_);
    done += got;
    used_ += got;
    if (used_ < read_.front().size()) continue;
    read_.pop_front();
    used_ = 0;
  }
  if (done == 0 && error_) std::rethrow_exception(error_);
  if (done == 0) done = rest_.read(to, wanted);
  at_ += done;
  return done;
}

}  // namespace neardup
