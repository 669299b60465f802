#include "store/segment_file.h"

#include <cstring>
#include <random>

#include "base/hash.h"
#include "io/io_fixture.h"
#include "store/segment_writer.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string noise(uint64_t seed, size_t size) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

class SegmentFiles : public IoTest {
 protected:
  // Two blocks and a bit of payload, and names of less than one.
  SegmentFiles() : payload_(noise(1, 2 * BlockGuard::kBlockBytes + 100)), names_(noise(2, 333)) {}

  std::string make(const std::string& name) const {
    SegmentWriter writer(path(name), {.kind = "test", .bits = 64, .recipe_id = 77, .recipe = R"({"a":1})", .entries = 5});
    for (size_t at = 0; at < payload_.size(); at += 999) writer.append(std::string_view(payload_).substr(at, 999));
    writer.begin_names();
    writer.append(names_);
    writer.commit();
    return read(name);
  }

  // What a reader of these bytes gets: its whole contents, or the message of an Error.
  static std::string outcome(std::string_view bytes) {
    const std::vector<uint64_t> aligned = [&] {
      std::vector<uint64_t> copy(bytes.size() / 8 + 1);
      if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
      return copy;
    }();
    std::string got;
    const std::string error = error_of([&] {
      const SegmentFile file({reinterpret_cast<const char*>(aligned.data()), bytes.size()}, "f", "test", 64);
      file.guard().check(file.payload().data(), file.payload().size());
      file.names_guard().check(file.names().data(), file.names().size());
      got = "read: " + std::to_string(file.recipe_id()) + std::to_string(file.entries());
      got.append(file.recipe()).append(file.payload()).append(file.names());
    });
    return error.empty() ? got : error;
  }

  std::string payload_;
  std::string names_;
};

TEST_F(SegmentFiles, HoldWhatWasWritten) {
  const std::string bytes = make("a");
  const auto file = SegmentFile::open(path("a"), "test", 64);
  EXPECT_EQ(file->payload(), payload_);
  EXPECT_EQ(file->names(), names_);
  EXPECT_EQ(file->bits(), 64u);
  EXPECT_EQ(file->recipe_id(), 77u);
  EXPECT_EQ(file->recipe(), R"({"a":1})");
  EXPECT_EQ(file->entries(), 5u);
  EXPECT_EQ(file->file_bytes(), bytes.size());
  file->verify_all(2);
  EXPECT_EQ(SegmentFile::open(path("a"), "test", 0)->sum(), file->sum());
  EXPECT_THAT(listing(), ElementsAre("a"));
}

// The layout of docs/formats.md, read without our structures.
TEST_F(SegmentFiles, LayoutIsThatOfTheDocument) {
  const std::string bytes = make("a");
  const auto number = [&](size_t at) {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    return value;
  };
  EXPECT_EQ(bytes.substr(0, 8), "NDHSEG\r\n");
  EXPECT_EQ(bytes.substr(8, 4), "\x04\x03\x02\x01");
  EXPECT_EQ(bytes.substr(12, 4), std::string("\x01\0\0\0", 4));
  EXPECT_EQ(bytes.substr(16, 8), std::string("test\0\0\0\0", 8));
  EXPECT_EQ(number(24), 64u);
  EXPECT_EQ(number(32), 77u);
  EXPECT_EQ(number(40), 7u);
  EXPECT_EQ(number(48), 5u);
  EXPECT_EQ(bytes.substr(128, 7), R"({"a":1})");
  EXPECT_EQ(number(56), 4096u);
  EXPECT_EQ(number(64), payload_.size());
  EXPECT_EQ(bytes.substr(4096, payload_.size()), payload_);
  const uint64_t names_at = 4096 + 9 * 4096;  // 32,868 bytes and padding
  EXPECT_EQ(number(72), names_at);
  EXPECT_EQ(number(80), names_.size());
  EXPECT_EQ(bytes.substr(names_at, names_.size()), names_);
  const uint64_t hashes_at = names_at + 336;
  EXPECT_EQ(number(88), hashes_at);
  EXPECT_EQ(number(96), 4u);
  EXPECT_EQ(number(hashes_at), hash64(payload_.substr(0, 16384)));
  EXPECT_EQ(number(hashes_at + 8), hash64(payload_.substr(16384, 16384)));
  EXPECT_EQ(number(hashes_at + 16), hash64(payload_.substr(32768)));
  EXPECT_EQ(number(hashes_at + 24), hash64(names_));
  EXPECT_EQ(number(104), bytes.size());
  EXPECT_EQ(number(112), 0u);
  EXPECT_EQ(number(120), hash64(bytes.substr(0, 120) + bytes.substr(128, 7)));
  ASSERT_EQ(bytes.size(), hashes_at + 32 + 24);
  EXPECT_EQ(number(hashes_at + 32), bytes.size());
  const std::string table = bytes.substr(hashes_at, 32);
  const uint64_t parts[] = {number(120), hash64(table)};
  EXPECT_EQ(number(hashes_at + 40), hash64({reinterpret_cast<const char*>(parts), 16}));
  EXPECT_EQ(bytes.substr(hashes_at + 48), "NDHSEND\n");
}

TEST_F(SegmentFiles, MayBeEmpty) {
  {
    SegmentWriter writer(path("a"), {.kind = "test"});
    writer.commit();
  }
  const auto file = SegmentFile::open(path("a"), "test", 0);
  EXPECT_EQ(file->payload(), "");
  EXPECT_EQ(file->names(), "");
  file->verify_all(1);
}

TEST_F(SegmentFiles, EveryTruncationIsAnError) {
  const std::string bytes = make("a");
  const std::string whole = outcome(bytes);
  ASSERT_THAT(whole, StartsWith("read: "));
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string message = outcome(std::string_view(bytes).substr(0, size));
    ASSERT_THAT(message, StartsWith("input: 'f': ")) << size;
    if (size == 0) continue;
    ASSERT_THAT(message, AllOf(HasSubstr("cut off"), HasSubstr(std::to_string(size)))) << size;
    if (size >= 128) {
      ASSERT_THAT(message, HasSubstr("expected " + std::to_string(bytes.size()) + " bytes")) << size;
    }
  }
  EXPECT_THAT(outcome(bytes + "x"), HasSubstr("too long"));
}

TEST_F(SegmentFiles, EveryFlippedBitIsAnErrorOrChangesNothing) {
  std::string bytes = make("a");
  const std::string whole = outcome(bytes);
  size_t errors = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    const auto mask = static_cast<char>(1u << (at * 5 % 8));
    bytes[at] = static_cast<char>(bytes[at] ^ mask);
    const std::string got = outcome(bytes);
    if (got != whole) {
      ASSERT_THAT(got, StartsWith("input: 'f': ")) << at;
      ++errors;
    }
    bytes[at] = static_cast<char>(bytes[at] ^ mask);
  }
  // Everything but the zeros between the parts matters.
  EXPECT_EQ(errors, 128 + 7 + payload_.size() + names_.size() + 4 * 8 + 24);
}

TEST_F(SegmentFiles, DamageNamesFileAndBlock) {
  std::string bytes = make("a");
  bytes[4096 + 16384 + 5] ^= 1;
  write("b", bytes);
  const auto file = SegmentFile::open(path("b"), "test", 64);
  file->guard().check(file->payload().data(), 16384);
  const std::string expected = "input: '" + path("b") + "': block 1 (bytes 20480 to 36864) is damaged";
  EXPECT_EQ(error_of([&] { file->guard().check(file->payload().data() + 16383, 2); }), expected);
  EXPECT_EQ(error_of([&] { file->guard().check(file->payload().data() + 20000, 1); }), expected);
  EXPECT_EQ(error_of([&] { file->verify_all(2); }), expected);
  bytes = make("a");
  bytes[40960] ^= 1;
  write("b", bytes);
  EXPECT_EQ(error_of([&] { SegmentFile::open(path("b"), "test", 64)->verify_all(1); }),
            "input: '" + path("b") + "': block 3 (bytes 40960 to 41293) is damaged");
}

TEST_F(SegmentFiles, RefusalsSayWhy) {
  const std::string bytes = make("a");
  EXPECT_THAT(outcome("PK\x03\x04"), HasSubstr("not a file of a neardup index"));
  EXPECT_THAT(outcome(""), HasSubstr("not a file of a neardup index"));
  std::string other = bytes;
  other[12] = 9;
  EXPECT_EQ(outcome(other), "input: 'f': format version 9, this program reads version 1");
  other = bytes;
  std::reverse(other.begin() + 8, other.begin() + 12);
  EXPECT_EQ(outcome(other), "input: 'f': written with the other byte order");
  EXPECT_EQ(error_of([&] { SegmentFile::open(path("a"), "test", 128); }),
            "input: '" + path("a") + "': fingerprints of 64 bits, expected 128");
  EXPECT_EQ(error_of([&] { SegmentFile::open(path("a"), "hamming", 64); }),
            "input: '" + path("a") + "': its kind is 'test', expected 'hamming'");
  EXPECT_THAT(error_of([&] { SegmentFile::open(path("none"), "test", 64); }), HasSubstr("none"));
  other = bytes;
  other.replace(0, bytes.size(), bytes.size(), '\0');
  EXPECT_THAT(outcome(other), HasSubstr("not a file of a neardup index"));
}

TEST_F(SegmentFiles, NothingAppearsWithoutCommit) {
  {
    SegmentWriter writer(path("a"), {.kind = "test"});
    writer.append(payload_);
  }
  EXPECT_THAT(listing(), IsEmpty());
}

TEST_F(SegmentFiles, DiskFullNamesFileAndBytes) {
  const std::string message = error_of([&] {
    SegmentWriter writer("/dev/full", {.kind = "test"});
    writer.append(payload_);
    writer.commit();
  });
  EXPECT_THAT(message, AllOf(StartsWith("output: cannot write '/dev/full'"), HasSubstr("bytes written")));
}

}  // namespace
}  // namespace neardup::testing
