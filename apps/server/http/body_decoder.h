// BodyDecoder: decodes a body while it arrives, within a bound.
//
// However far a body expands, no more than `max_bytes` of it are held; a string that grows is held twice for a moment, at most half of it
// filled. Besides, gzip needs 40 KiB, and zstd as much as the window of the body, at most 8 MiB (RFC 9659), while it is decoded.
// Several gzip members or zstd frames after each other are one body. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace neardup::server {

enum class BodyEncoding : uint8_t { kIdentity, kGzip, kZstd };

class BodyDecoder {
 public:
  /// kDamaged: not of the encoding, or it ends early, or something else follows.
  enum class Result { kGood, kTooLarge, kDamaged };

  /// A body of `max_bytes` decoded bytes at most. `expected_bytes` is the size as sent if it is known, else 0.
  BodyDecoder(BodyEncoding encoding, uint64_t max_bytes, uint64_t expected_bytes);
  ~BodyDecoder();
  BodyDecoder(const BodyDecoder&) = delete;
  BodyDecoder& operator=(const BodyDecoder&) = delete;

  /// The next bytes as sent. After another result than kGood the decoder is of no more use.
  Result add(std::string_view bytes);
  /// Says whether the body is whole.
  [[nodiscard]] Result finish() const;
  /// The decoded body; once.
  std::string take() { return std::move(body_); }
  /// Bytes as sent that were added.
  [[nodiscard]] uint64_t sent_bytes() const noexcept { return sent_bytes_; }
  /// The most bytes as sent that add() is to be given: what does not compress grows a little.
  [[nodiscard]] uint64_t max_sent_bytes() const noexcept { return encoding_ == BodyEncoding::kIdentity ? max_bytes_ : max_bytes_ + 65536; }

 private:
  struct Gzip;
  struct Zstd;

  bool append(const char* data, size_t size);
  Result add_gzip(std::string_view bytes);
  Result add_zstd(std::string_view bytes);

  BodyEncoding encoding_;
  uint64_t max_bytes_;
  uint64_t sent_bytes_ = 0;
  bool between_ = false;  ///< what was added ends with the end of a member or frame
  std::unique_ptr<Gzip> gzip_;
  std::unique_ptr<Zstd> zstd_;
  std::string body_;
};

}  // namespace neardup::server
