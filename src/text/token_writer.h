// TokenWriter: puts tokens behind each other into a TokenBuffer, parted by one blank. The buffers are longer than what is in use,
// so that hot loops write through the bare pointers of a Cursor, a local copy that no store of theirs can alias.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "neardup/sketcher.h"

namespace neardup {

class TokenWriter {
 public:
  static constexpr size_t kCopy = 16;  ///< bytes that write_padded copies at a time

  struct Cursor {
    char* text;       ///< where the joined text begins
    uint32_t* start;  ///< of the next token
    uint32_t* end;    ///< of the next token
    uint32_t at;      ///< in the joined text

    /// The token's bytes are at text + at.
    void close(size_t length) noexcept {
      const uint32_t stop = at + static_cast<uint32_t>(length);
      text[stop] = ' ';
      *start++ = at;
      *end++ = stop;
      at = stop + 1;
    }
    void write(const char* token, size_t length) noexcept {
      std::memcpy(text + at, token, length);
      close(length);
    }
    /// Requires kCopy readable bytes behind the token.
    void write_padded(const char* token, size_t length) noexcept {
      std::memcpy(text + at, token, kCopy);
      for (size_t i = kCopy; i < length; i += kCopy) std::memcpy(text + at + i, token + i, kCopy);
      close(length);
    }
  };

  /// A token that touches the one before adds a separator of one byte: at worst 4 bytes "x<ideograph>" become 6.
  TokenWriter(size_t text_bytes, TokenBuffer& out) : out_(out) {
    out_.joined.resize(text_bytes + text_bytes / 2 + 2 * kCopy);
    make_room(text_bytes / 6);
  }

  /// A cursor with room for so many tokens; to be given back by put_back.
  Cursor take(size_t tokens) {
    make_room(tokens);
    return {out_.joined.data(), out_.starts.data() + count_, out_.ends.data() + count_, end_};
  }
  void put_back(const Cursor& cursor) noexcept {
    count_ = static_cast<size_t>(cursor.start - out_.starts.data());
    end_ = cursor.at;
  }

  void finish() {
    out_.joined.resize(end_ == 0 ? 0 : end_ - 1);
    out_.starts.resize(count_);
    out_.ends.resize(count_);
  }

 private:
  void make_room(size_t tokens) {
    const size_t needed = count_ + tokens;
    if (needed <= std::min(out_.starts.size(), out_.ends.size())) return;
    out_.starts.resize(needed + needed / 2);
    out_.ends.resize(needed + needed / 2);
  }

  TokenBuffer& out_;
  size_t count_ = 0;
  uint32_t end_ = 0;  // of the joined text, with a blank behind every token
};

}  // namespace neardup
