// Laws: round trip with any amount of memory; and errors of a full disk.
#include "base/spill_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

class SpillFiles : public IoTest {};
class SpilledBlocks : public IoTest {};

std::string numbers(uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) text += std::to_string(i * i);
  return text;
}

// The disk is full as long as this lives: no file may be longer than `bytes`.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &saved_);
    const rlimit small{bytes, saved_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &saved_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit saved_{};
  void (*handler_)(int);
};

TEST_F(SpillFiles, KeepToTheirMemoryAndForgetNothing) {
  const std::string expected = numbers(3000);
  for (const uint64_t memory : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, uint64_t{100'000}}) {
    SpillFile file(memory, folder_);
    std::string so_far;
    for (uint32_t i = 0; i < 3000; ++i) {
      const std::string text = std::to_string(i * i);
      file.append(text);
      so_far += text;
      ASSERT_LE(file.waiting_bytes(), memory == 0 ? so_far.size() : std::max<uint64_t>(memory, text.size()));
      ASSERT_EQ(file.waiting_bytes() + file.spilled_bytes(), so_far.size());
      ASSERT_EQ(file.size(), so_far.size());
    }
    EXPECT_EQ(file.spilled_bytes() > 0, memory != 0 && memory < expected.size());
    EXPECT_TRUE(file.bytes() == expected) << memory;
    EXPECT_TRUE(file.bytes() == expected) << "asked again";
    EXPECT_EQ(file.size(), expected.size());
    EXPECT_EQ(file.waiting_bytes(), file.spilled_bytes() > 0 ? 0 : expected.size());
    EXPECT_TRUE(listing().empty()) << "the file has no name";

    SpillFile moved(std::move(file));
    EXPECT_TRUE(moved.bytes() == expected);
    PageBuffer sink;
    moved.move_to(sink);
    EXPECT_TRUE(std::string_view(sink.data(), sink.size()) == expected);
    EXPECT_EQ(moved.size(), 0u);
  }
}

TEST_F(SpillFiles, HoldArrays) {
  for (const uint64_t memory : {uint64_t{0}, uint64_t{100}}) {
    SpillFile file(memory, folder_);
    EXPECT_TRUE(file.values<uint64_t>().empty());
    for (uint64_t i = 0; i < 1000; ++i) file.add(i * i);
    const auto values = file.values<uint64_t>();
    ASSERT_EQ(values.size(), 1000u);
    for (uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(values[i], i * i);
  }
}

TEST_F(SpillFiles, MoveMoreThanOnePieceAndCanBeFilledAgain) {
  const std::string expected = numbers(400'000);
  SpillFile file(1'000'000, folder_);
  for (size_t at = 0; at < expected.size(); at += 777) file.append(std::string_view(expected).substr(at, 777));
  PageBuffer sink;
  file.move_to(sink);
  EXPECT_TRUE(std::string_view(sink.data(), sink.size()) == expected);
  file.append("again");
  EXPECT_EQ(file.bytes(), "again");
}

TEST_F(SpillFiles, AreFilledAgainAfterTheyWereLookedAt) {
  SpillFile file(10, folder_);
  file.append("the first bytes, ");
  file.append("too many for the memory");
  EXPECT_EQ(file.bytes(), "the first bytes, too many for the memory");
  PageBuffer sink;
  file.move_to(sink);
  EXPECT_EQ(std::string_view(sink.data(), sink.size()), "the first bytes, too many for the memory");
  EXPECT_EQ(file.bytes(), "");
  file.append("others, and ");
  file.append("again beyond the memory");
  EXPECT_GT(file.spilled_bytes(), 0u);
  EXPECT_EQ(file.bytes(), "others, and again beyond the memory");
}

TEST_F(SpillFiles, MayStartInTheFile) {
  SpillFile empty(0, folder_);
  empty.start_file();
  EXPECT_EQ(empty.bytes(), "");
  SpillFile file(1000, folder_);
  file.start_file();
  file.append("a few bytes");
  EXPECT_EQ(file.bytes(), "a few bytes");
  EXPECT_EQ(file.spilled_bytes(), 11u);
  file.start_file();
  EXPECT_EQ(file.spilled_bytes(), 11u) << "a second file would be without them";
  SpillFile nowhere(1000, path("none"));
  EXPECT_EQ(error_of([&] { nowhere.start_file(); }),
            "output: cannot create a temporary file in '" + path("none") + "': No such file or directory");
}

TEST_F(SpillFiles, AFullDiskNamesTheFolderAndTheBytes) {
  SpillFile file(1000, folder_);
  file.append(std::string(1000, 'x'));
  const FullDisk full(1500);
  file.append(std::string(1000, 'y'));
  EXPECT_EQ(error_of([&] { file.append("z"); }),
            "output: cannot write temporary data in '" + folder_ + "': File too large (1500 bytes written)");
}

TEST_F(SpillFiles, AMissingFolderIsNamed) {
  SpillFile file(1, path("none"));
  file.append("x");
  EXPECT_EQ(error_of([&] { file.append("y"); }),
            "output: cannot create a temporary file in '" + path("none") + "': No such file or directory");
}

SpillBlocks::Block block_of(size_t i) {
  SpillBlocks::Block block(i % 7 * 100);
  for (size_t k = 0; k < block.size(); ++k) block[k] = static_cast<uint8_t>(i + k * 31);
  return block;
}

TEST_F(SpilledBlocks, AreReadInAnyOrderByAnyThread) {
  for (const uint64_t memory : {uint64_t{0}, uint64_t{1000}, uint64_t{20'000}, uint64_t{1'000'000}}) {
    SpillBlocks made(memory, folder_);
    uint64_t bytes = 0;
    for (size_t i = 0; i < 100; ++i) {
      SpillBlocks::Block block = block_of(i);
      bytes += block.size();
      made.append(std::move(block));
    }
    const SpillBlocks blocks(std::move(made));
    ASSERT_EQ(blocks.count(), 100u);
    EXPECT_EQ(blocks.spilled_bytes() > 0, bytes > memory);
    EXPECT_GE(blocks.spilled_bytes() + memory, bytes);
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&blocks, t] {
        SpillBlocks::Block space;
        for (size_t n = 0; n < 100; ++n) {
          const size_t i = (n * 37 + t) % 100;
          const SpillBlocks::Block expected = block_of(i);
          const auto whole = blocks.read(i, 0, expected.size(), space);
          EXPECT_TRUE(std::ranges::equal(whole, expected)) << i;
          if (expected.size() < 100) continue;
          const auto part = blocks.read(i, 50, 25, space);
          EXPECT_TRUE(std::ranges::equal(part, std::span(expected).subspan(50, 25))) << i;
        }
      });
    }
  }
}

TEST_F(SpilledBlocks, AFullDiskNamesTheFolderAndTheBytes) {
  SpillBlocks blocks(1000, folder_);
  blocks.append(SpillBlocks::Block(900));
  blocks.append(SpillBlocks::Block(900));
  EXPECT_EQ(blocks.spilled_bytes(), 900u);
  const FullDisk full(1500);
  blocks.append(SpillBlocks::Block(100));
  EXPECT_EQ(error_of([&] { blocks.append(SpillBlocks::Block(900)); }),
            "output: cannot write temporary data in '" + folder_ + "': File too large (1500 bytes written)");
}

}  // namespace
}  // namespace neardup::testing
