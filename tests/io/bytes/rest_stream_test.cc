// The bytes that were read, then those of the stream, in reads that end where a decompressor's do.
#include "io/bytes/rest_stream.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/decompress.h"
#include "io/io_fixture.h"
#include "neardup/stop.h"

namespace neardup::testing {
namespace {

std::deque<Buffer> buffers(const std::vector<std::string_view>& texts) {
  std::deque<Buffer> made;
  for (const std::string_view text : texts) made.emplace_back().assign(text);
  return made;
}

std::string rest_of(RestStream& stream, size_t step) {
  std::string all;
  for (std::string space(step, ' ');;) {
    const size_t got = stream.read(space.data(), space.size());
    if (got == 0) return all;
    all.append(space, 0, got);
  }
}

TEST(RestStream, GivesTheReadBytesAndThenTheStream) {
  for (const size_t step : {1u, 2u, 5u, 100u}) {
    MemoryStream rest("and the rest");
    RestStream stream(7, buffers({"one", "", "two", ""}), rest, nullptr);
    EXPECT_EQ(rest_of(stream, step), "onetwoand the rest") << step;
  }
}

TEST(RestStream, ReadsEndWhereThoseOfTheWholeStreamDo) {
  const std::string bytes(3 * kStoredPieceBytes, 'x');
  MemoryStream rest(bytes);
  RestStream stream(kStoredPieceBytes - 10, buffers({std::string_view(bytes).substr(0, 25)}), rest, nullptr);
  std::string space(kStoredPieceBytes, ' ');
  EXPECT_EQ(stream.read(space.data(), space.size()), 10U);
  EXPECT_EQ(stream.read(space.data(), space.size()), 15U) << "bytes that were read are not mixed with others";
  EXPECT_EQ(stream.read(space.data(), space.size()), kStoredPieceBytes - 15);
  EXPECT_EQ(stream.read(space.data(), space.size()), kStoredPieceBytes);
}

TEST(RestStream, AnErrorComesAfterTheBytesBeforeIt) {
  MemoryStream rest("never read");
  RestStream stream(0, buffers({"before"}), rest, std::make_exception_ptr(Error(ErrorCode::kInput, "the disk is broken")));
  std::string space(100, ' ');
  EXPECT_EQ(stream.read(space.data(), space.size()), 6U);
  EXPECT_EQ(error_of([&] { stream.read(space.data(), space.size()); }), "input: the disk is broken");
  EXPECT_EQ(error_of([&] { stream.read(space.data(), space.size()); }), "input: the disk is broken");
}

TEST(RestStream, AsksToStop) {
  MemoryStream rest("x");
  RestStream stream(0, {}, rest, nullptr);
  const StopFunction stop = [] { return true; };
  const StopScope scope(&stop);
  char byte = 0;
  EXPECT_EQ(error_of([&] { stream.read(&byte, 1); }), "stopped: stopped on request");
}

}  // namespace
}  // namespace neardup::testing
