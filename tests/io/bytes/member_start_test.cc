// Where members begin: found in streams of the libraries, not in what only looks alike.
#include "io/bytes/member_start.h"

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

constexpr size_t kNone = std::string_view::npos;

TEST(MemberStart, IsFoundInConcatenatedStreams) {
  const std::string text(5000, 'x');
  for (const auto& [compression, member] :
       {std::pair(Compression::kGzip, gzip_bytes(text)), std::pair(Compression::kGzip, gzip_bytes(text, 0)),
        std::pair(Compression::kZstd, zstd_bytes(text)), std::pair(Compression::kZstd, zstd_bytes(""))}) {
    const std::string stored = member + member + member + std::string(20, '\0');
    EXPECT_EQ(find_member_start(compression, stored, 0), 0u);
    EXPECT_EQ(find_member_start(compression, stored, 1), member.size());
    EXPECT_EQ(find_member_start(compression, stored, member.size() + 1), 2 * member.size());
    EXPECT_EQ(find_member_start(compression, stored, 2 * member.size() + 1), kNone);
  }
}

// As bgzip writes it: the size of the block in an extra field.
TEST(MemberStart, IsFoundInBlockedGzip) {
  const std::string head("\x1F\x8B\x08\x04\0\0\0\0\0\xFF\x06\0BC\x02\0\x1B\0\x03\0\0\0\0\0\0\0\0\0", 28);
  EXPECT_EQ(find_member_start(Compression::kGzip, head + head, 1), head.size());
}

TEST(MemberStart, NeedsAWholeHeader) {
  for (const auto& [compression, member] :
       {std::pair(Compression::kGzip, gzip_bytes("a text")), std::pair(Compression::kZstd, zstd_bytes("a text of some length"))}) {
    ASSERT_GE(member.size(), kMemberHeadBytes);
    EXPECT_EQ(find_member_start(compression, member.substr(0, kMemberHeadBytes), 0), 0u);
    EXPECT_EQ(find_member_start(compression, member.substr(0, kMemberHeadBytes - 1), 0), kNone);
    EXPECT_EQ(find_member_start(compression, member, member.size()), kNone);
    EXPECT_EQ(find_member_start(compression, "", 0), kNone);
  }
}

TEST(MemberStart, RefusesImpossibleHeaders) {
  const std::string gzip = gzip_bytes("some text");
  for (const auto& [at, value] :
       {std::pair(2, '\7'), std::pair(3, '\x20'), std::pair(8, '\1'), std::pair(9, '\x0E'), std::pair(10, '\7')}) {
    std::string wrong = gzip;
    wrong[static_cast<size_t>(at)] = value;
    EXPECT_EQ(find_member_start(Compression::kGzip, wrong, 0), kNone) << at;
  }
  std::string zstd = zstd_bytes(std::string(100, 'x') + "some text");
  zstd[4] = static_cast<char>(zstd[4] | 8);  // a reserved bit
  EXPECT_EQ(find_member_start(Compression::kZstd, zstd, 0), kNone);
}

TEST(MemberStart, OtherFormatsHaveNone) {
  const std::string stored = bzip2_bytes("text") + bzip2_bytes("text");
  EXPECT_EQ(find_member_start(Compression::kBzip2, stored, 0), kNone);
  EXPECT_EQ(find_member_start(Compression::kNone, gzip_bytes("text"), 0), kNone);
}

}  // namespace
}  // namespace neardup::testing
