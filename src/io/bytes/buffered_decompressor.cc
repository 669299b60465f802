#include "io/bytes/buffered_decompressor.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr size_t kInputBytes = 256u << 10;
constexpr size_t kMostAtOnce = 1u << 30;  // zlib and bzip2 count in 32 bits

}  // namespace

BufferedDecompressor::BufferedDecompressor(Compression format, ByteStream& stream)
    : format_(format), stream_(stream), input_(kInputBytes) {}

size_t BufferedDecompressor::read(char* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes && !finished_) {
    const bool ended = at_ == filled_ && !refill();
    if (between_streams_) {
      finished_ = ended;
      if (ended || !begin_next()) continue;
    }
    // At the end of a truncated stream, what the library still holds is drained before it is called truncated.
    const size_t got = step(to + done, std::min(bytes - done, kMostAtOnce));
    done += got;
    produced_ += got;
    if (!failure_.empty()) {
      stop("is corrupt");
    } else if (ended && got == 0 && !between_streams_) {
      stop("is truncated");
    }
  }
  return done;
}

bool BufferedDecompressor::refill() {
  at_ = 0;
  filled_ = stream_.read(input_.data(), input_.size());
  consumed_ += filled_;
  return filled_ > 0;
}

// True if another stream begins at the input.
bool BufferedDecompressor::begin_next() {
  if (!first_ && input_[at_] == '\0') {
    while (at_ < filled_ && input_[at_] == '\0') ++at_;
    padded_ = true;
    return at_ < filled_ && begin_next();
  }
  if (padded_ || !restart()) {
    stop("is followed by something else");
    return false;
  }
  between_streams_ = false;
  first_ = false;
  return true;
}

void BufferedDecompressor::stop(std::string_view what) {
  finished_ = true;
  damage_ = std::string(name_of(format_)) + " stream " + std::string(what) + " after " + std::to_string(produced_) + " bytes";
  if (!failure_.empty()) damage_ += " (" + failure_ + ")";
}

}  // namespace neardup
