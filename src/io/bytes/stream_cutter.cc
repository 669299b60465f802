#include "io/bytes/stream_cutter.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "io/bytes/decompress.h"
#include "io/bytes/member_start.h"
#include "neardup/stop.h"

namespace neardup {

void StreamCutter::cut(StoredPiece& piece) {
  piece.ordinal = next_ordinal_++;
  piece.offset = pending_offset_;
  const bool has_cuts = compression_ != Compression::kBzip2;
  // All at once, without copies on the way: only memory that is written to takes part of the machine's.
  pending_.reserve(max_piece_bytes_ + kStoredPieceBytes);
  size_t searched = min_piece_bytes_;
  size_t end = 0;
  while (true) {
    const std::string_view pending = pending_.view();
    const size_t found = has_cuts ? find_member_start(compression_, pending, searched) : std::string_view::npos;
    if (found != std::string_view::npos) {
      piece.end = StoredPiece::End::kCut;
      end = found;
      break;
    }
    if (stream_ended_ || !has_cuts || pending.size() >= max_piece_bytes_) {
      piece.end = stream_ended_ ? StoredPiece::End::kStream : StoredPiece::End::kUnknown;
      end = pending.size();
      break;
    }
    searched = std::max(searched, pending.size() - std::min(pending.size(), kMemberHeadBytes - 1));
    fill_pending();
  }
  Buffer rest;
  rest.assign(pending_.view().substr(end));
  pending_.set_size(end);
  piece.stored = std::exchange(pending_, std::move(rest));
  pending_offset_ += end;
}

Buffer StreamCutter::take_pending() {
  return std::exchange(pending_, Buffer());
}

// Reads up to the next place where a decompressor's reads end, or to the end of the stream.
void StreamCutter::fill_pending() {
  check_stop();
  const uint64_t offset = pending_offset_ + pending_.size();
  const size_t wanted = pending_.size() + kStoredPieceBytes - static_cast<size_t>(offset % kStoredPieceBytes);
  pending_.reserve(wanted);
  while (pending_.size() < wanted && !stream_ended_) {
    const size_t got = stream_.read(pending_.data() + pending_.size(), wanted - pending_.size());
    pending_.set_size(pending_.size() + got);
    stream_ended_ = got == 0;
  }
}

}  // namespace neardup
