// MemberReader: reads a compressed file member by member (gzip members, zstd frames), with the offset of each, and continues after a
// damaged one.
//
// A Decompressor joins the bytes of all members; crawl archives store one record per member, so reading can resume after damage at the next
// member. A plain file is one member; bzip2 is not read. A zstd file may begin with a dictionary for all its frames, in a skippable frame
// of the magic number 0x184D2A5D, plain or itself compressed. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"

namespace neardup {

class MemberDecoder;

class MemberReader {
 public:
  enum class Event { kBytes, kMemberEnd, kDamage };

  /// `stored` must outlive the reader. Throws Error{kInput} for a format without members.
  MemberReader(const StoredBytes& stored, Compression compression);
  ~MemberReader();

  /// Begins the member after the last one. False at the end of the file; zero bytes there are padding.
  bool begin();
  /// Continues in the member: kBytes with got > 0, or no bytes. After kMemberEnd and kDamage: begin() or seek().
  Event read(char* to, size_t bytes, size_t& got);
  /// Moves to the next possible start of a member after that of the current one. False: there is none.
  bool seek();

  /// Of the current member, in the file.
  [[nodiscard]] uint64_t member_offset() const noexcept { return member_offset_; }
  /// "its gzip member is truncated after 123 bytes"
  [[nodiscard]] const std::string& damage() const noexcept { return damage_; }
  /// The offset up to which the file was read.
  [[nodiscard]] uint64_t consumed_bytes() const noexcept { return at_; }
  [[nodiscard]] bool plain() const noexcept { return decoder_ == nullptr; }

 private:
  Event fail(std::string_view what, const std::string& why);
  [[nodiscard]] std::string_view input();
  void go_to(uint64_t offset) noexcept;
  void read_dictionary();

  const StoredBytes& stored_;
  const Compression compression_;
  const std::unique_ptr<MemberDecoder> decoder_;  // null: plain
  std::vector<char> buffer_;
  uint64_t buffer_offset_ = 0;  // of its first byte in the file
  size_t filled_ = 0;
  uint64_t at_ = 0;  // in the file
  uint64_t member_offset_ = 0;
  uint64_t produced_ = 0;    // by the member
  uint64_t read_again_ = 0;  // bytes of damaged members that the search reads again
  bool begun_ = false;
  std::string damage_;
};

}  // namespace neardup
