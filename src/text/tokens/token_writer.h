// TokenWriter: puts tokens one after another into a TokenBuffer, each followed by one blank. The buffers are longer than what is in
// use, so that hot loops write through the bare pointers of a Cursor, a local copy that no store of theirs can alias.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/kernels.h"
#include "neardup/tools/token_buffer.h"

namespace neardup {

class TokenWriter {
 public:
  struct Cursor {
    char* text;       ///< where the joined text begins
    uint32_t* start;  ///< of the next token
    uint32_t at;      ///< in the joined text

    void write(const char* token, size_t length) noexcept {
      std::memcpy(text + at, token, length);
      *start++ = at;
      at += static_cast<uint32_t>(length);
      text[at++] = ' ';
    }
  };

  /// Two tokens are made of at least four bytes: "x" and what separates, or an ideograph. So there are at most half as many tokens as
  /// bytes, and one; and at worst the four bytes "x<ideograph>" become six.
  TokenWriter(size_t text_bytes, TokenBuffer& out) : out_(out) {
    out_.joined.resize(text_bytes + text_bytes / 2 + 2 * kernels::kTextBlock);
    out_.starts.resize(text_bytes / 2 + 2 * kernels::kTextBlock);
  }

  /// To be given back by put_back. There is room for the tokens of the text, and for what the kernels write beyond them.
  [[nodiscard]] Cursor take() const noexcept { return {out_.joined.data(), out_.starts.data() + count_, end_}; }
  void put_back(const Cursor& cursor) noexcept {
    count_ = static_cast<size_t>(cursor.start - out_.starts.data());
    end_ = cursor.at;
  }

  void finish() {
    out_.starts[count_] = end_;
    out_.starts.resize(count_ + 1);
    out_.joined.resize(end_ == 0 ? 0 : end_ - 1);
    out_.separator_bytes = 1;
  }

 private:
  TokenBuffer& out_;
  size_t count_ = 0;
  uint32_t end_ = 0;  // of the joined text, with a blank after every token
};

}  // namespace neardup
