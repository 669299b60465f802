#include "store/clue/block_table.h"

#include <zstd.h>

#include <bit>
#include <random>

#include "base/limits.h"
#include "io/io_fixture.h"
#include "store/clue/block_table_writer.h"
#include "support/posting_lists.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Records = std::vector<std::string>;

std::string table_of(const Records& records, uint32_t threads = 1) {
  StringSink sink;
  sink.append("before");
  BlockTableWriter writer(sink, threads, "");
  for (const std::string& record : records) writer.add(record);
  writer.finish();
  EXPECT_EQ(writer.records(), records.size());
  EXPECT_EQ(writer.bytes() + 6, sink.size());
  return sink.bytes().substr(6);
}

std::string words(std::mt19937_64& random, size_t size) {
  const char* some[] = {"river ", "mountain ", "lantern ", "copper ", "window ", "village ", "orchard ", "thunder "};
  std::string text;
  while (text.size() < size) text += some[random() % std::size(some)];
  text.resize(size);
  return text;
}

// Sizes of many kinds: empty, short, of about a block, and longer; text and noise.
Records mixed_records(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  Records records;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t kind = random() % 200;
    const size_t size = kind < 4    ? 0
                        : kind == 5 ? 100'000
                        : kind == 6 ? block_table::kLongRecord + random() % 3 - 1
                        : kind < 10 ? random() % 20'000
                                    : random() % 300;
    records.push_back(words(random, size));
    if (kind % 2 == 0) {
      for (char& c : records.back()) c = static_cast<char>(random());
    }
  }
  return records;
}

// Everything a reader gets, or the message of an Error.
std::string outcome(std::string_view bytes) {
  std::string all;
  const std::string error = error_of([&] {
    const BlockTable table(bytes, nullptr, "the texts");
    BlockTable::Scratch scratch;
    std::string record;
    for (uint32_t i = 0; i < table.size(); ++i) {
      table.read(i, record, scratch);
      all += record + "|";
    }
  });
  return error.empty() ? all : error;
}

std::string joined(const Records& records) {
  std::string all;
  for (const std::string& record : records) all += record + "|";
  return all;
}

TEST(BlockTables, HoldWhatWasWritten) {
  for (const size_t count : {0, 1, 2, 50, 3000}) {
    const Records records = mixed_records(count, count);
    const std::string bytes = table_of(records);
    const BlockTable table(bytes, nullptr, "the texts");
    ASSERT_EQ(table.size(), count);
    EXPECT_TRUE(outcome(bytes) == joined(records));
    BlockTable::Scratch scratch;
    std::mt19937_64 random(1);
    std::string record;
    for (size_t i = 0; i < count; ++i) {
      const auto number = static_cast<uint32_t>(random() % count);
      table.read(number, record, scratch);
      ASSERT_EQ(record, records[number]) << number;
      const BlockTable::Block block = table.block(table.block_of(number));
      ASSERT_TRUE(block.first <= number && number < block.end);
      ASSERT_EQ(table.bytes_of(number).data(), block.bytes.data());
    }
  }
}

TEST(BlockTables, BlocksAreBounded) {
  const Records records = mixed_records(7, 5000);
  const std::string bytes = table_of(records);
  const BlockTable table(bytes, nullptr, "the texts");
  uint32_t next = 0;
  for (uint64_t i = 0; i < table.blocks(); ++i) {
    const BlockTable::Block block = table.block(i);
    ASSERT_EQ(block.first, next);
    next = block.end;
    size_t size = 0;
    for (uint32_t record = block.first; record < block.end; ++record) size += records[record].size();
    if (block.end - block.first > 1) {
      ASSERT_LE(size, block_table::kMaxBlock);
    }
  }
  EXPECT_EQ(next, records.size());
  EXPECT_GT(table.blocks(), 50u);
  // Empty ones count, too.
  const std::string empty = table_of(Records(100'000));
  EXPECT_GE(BlockTable(empty, nullptr, "t").blocks(), 6u);
  EXPECT_LT(empty.size(), 1000u);
}

TEST(BlockTables, NamesTakeFewBytes) {
  Records names;
  for (int i = 0; i < 100'000; ++i) names.push_back("corpus-2026.jsonl.zst:" + std::to_string(i));
  const std::string bytes = table_of(names);
  EXPECT_LT(bytes.size(), names.size() * 4);
  EXPECT_TRUE(outcome(bytes) == joined(names));
}

TEST(BlockTables, ThreadsDoNotShow) {
  const Records records = mixed_records(3, 4000);
  const std::string bytes = table_of(records);
  EXPECT_TRUE(table_of(records, 2) == bytes);
  EXPECT_TRUE(table_of(records, 7) == bytes);
}

TEST(BlockTables, TheLongestRecord) {
  const std::string longest(limits::kMaxTextBytes, 'x');
  StringSink sink;
  BlockTableWriter writer(sink, 1, "");
  writer.add("before");
  writer.add(longest);
  writer.add("after");
  EXPECT_EQ(error_of([&] { writer.add(longest + "x"); }), "usage: a record of 268435457 bytes; expected at most 268435456");
  writer.finish();
  const BlockTable table(sink.bytes(), nullptr, "the texts");
  BlockTable::Scratch scratch;
  EXPECT_EQ(table.view(2, scratch), "after");
  EXPECT_TRUE(table.view(1, scratch) == longest);
  EXPECT_EQ(table.view(0, scratch), "before");
}

TEST(BlockTables, OneScratchServesSeveralTables) {
  const Records a = mixed_records(1, 20);
  const Records b = mixed_records(2, 20);
  BlockTable::Scratch scratch;
  for (int round = 0; round < 3; ++round) {
    for (const Records* records : {&a, &b}) {
      const std::string bytes = table_of(*records);
      const BlockTable table(bytes, nullptr, "the texts");  // probably where another one was
      for (uint32_t i = 0; i < 20; ++i) ASSERT_EQ(table.view(i, scratch), (*records)[i]);
    }
  }
}

// Any parts of tables one after the other give the bytes that their records give.
TEST(BlockTables, AppendedTablesAreAsIfAddedOneByOne) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    Records all;
    StringSink sink;
    BlockTableWriter writer(sink, 1 + static_cast<uint32_t>(round % 2), "");
    BlockTable::Scratch scratch;
    for (int part = 0; part < 4; ++part) {
      const Records records = mixed_records(random(), random() % 2000);
      const std::string bytes = table_of(records);
      const BlockTable table(bytes, nullptr, "the texts");
      for (uint32_t begin = 0; begin < records.size();) {
        const auto end = static_cast<uint32_t>(std::min<uint64_t>(records.size(), begin + random() % 1500));
        writer.append(table, begin, end, scratch);
        all.insert(all.end(), records.begin() + begin, records.begin() + end);
        begin = end + static_cast<uint32_t>(random() % 3);
        if (random() % 4 == 0) {
          writer.add("between");
          all.emplace_back("between");
        }
      }
    }
    writer.finish();
    ASSERT_TRUE(sink.bytes() == table_of(all)) << round;
  }
}

TEST(BlockTables, MostBlocksAreCopied) {
  std::mt19937_64 random(6);
  Records records;
  for (int i = 0; i < 40'000; ++i) records.push_back(words(random, 60 + random() % 280));
  const std::string bytes = table_of(records);
  const BlockTable table(bytes, nullptr, "the texts");
  StringSink sink;
  BlockTableWriter writer(sink, 1, "");
  BlockTable::Scratch scratch;
  for (uint32_t begin = 0; begin < records.size(); begin += 2000)
    writer.append(table, begin + 1, begin + 2000, scratch);  // 20 are left out
  writer.finish();
  EXPECT_GT(writer.copied_blocks(), table.blocks() * 9 / 10);
}

TEST(BlockTables, EveryFlippedBitIsAnErrorOrChangesRecordsOnly) {
  Records records = mixed_records(8, 300);
  std::string bytes = table_of(records);
  const std::string whole = outcome(bytes);
  const size_t trailer = bytes.size() - sizeof(block_table::Trailer);
  for (size_t at = 0; at<bytes.size(); at += at + 400> bytes.size() ? 1 : 131) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    const std::string got = outcome(bytes);
    if (at >= trailer) {
      ASSERT_THAT(got, StartsWith("input: the texts are damaged")) << at;
    }
    if (got.starts_with("input: ")) {
      ASSERT_THAT(got, StartsWith("input: the texts are damaged"));
    }
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
  }
  for (size_t size = 0; size < bytes.size(); size += 101) {
    ASSERT_THAT(outcome(std::string_view(bytes).substr(0, size)), StartsWith("input: the texts are damaged"));
  }
  EXPECT_TRUE(outcome(bytes) == whole);
}

// A table with one block of the given bytes.
std::string forged(std::string block, uint64_t records) {
  StringSink sink;
  const uint64_t block_bytes = block.size();
  block.resize((block.size() + 7) / 8 * 8);
  sink.append(block);
  for (const uint64_t end : {records, block_bytes}) {
    PackedNumberWriter writer(sink, static_cast<uint32_t>(std::bit_width(end)));
    writer.add(0);
    writer.add(end);
    writer.finish();
  }
  const block_table::Trailer trailer{records, 1, block_bytes};
  sink.append({reinterpret_cast<const char*>(&trailer), sizeof trailer});
  return sink.bytes();
}

std::string compressed(std::string_view raw) {
  std::string frame(ZSTD_compressBound(raw.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), raw.data(), raw.size(), 1));
  return frame;
}

TEST(BlockTables, ForgedBlocksAreRefused) {
  const std::string refused = "input: the texts are damaged in block 0 of 1";
  EXPECT_EQ(outcome(forged(compressed("abc"), 1)), "abc|");
  EXPECT_EQ(outcome(forged(compressed(std::string("\2\0abc", 5)), 3)), "ab||c|");
  EXPECT_EQ(outcome(forged("not zstd", 1)), refused);
  EXPECT_EQ(outcome(forged(compressed("\4abc"), 2)), refused) << "more than there is";
  EXPECT_EQ(outcome(forged(compressed("\x80\x80"), 2)), refused) << "a length that is cut off";
  EXPECT_EQ(outcome(forged(compressed("\xFF\xFF\xFF\xFF\xFF\1abc"), 2)), refused) << "a length of six bytes";
  EXPECT_EQ(outcome(forged(compressed(std::string("\0", 1)), 3)), refused) << "fewer lengths than records";
  EXPECT_EQ(outcome(forged(compressed("abc"), 0xFFFF'FFFE)), refused) << "as many records as fit nowhere";
  EXPECT_EQ(outcome(forged(compressed("abc"), 0xFFFF'FFFF)), "input: the texts are damaged");
  // Two frames of together more than the first one states.
  EXPECT_EQ(outcome(forged(compressed("abc") + compressed("def"), 1)), refused);
  // Small frames that become large.
  EXPECT_EQ(outcome(forged(compressed(std::string(block_table::kMaxBlock + 1, '\0')), 2)), refused);
  EXPECT_EQ(outcome(forged(compressed(std::string(limits::kMaxTextBytes + 1, 'x')), 1)), refused);
  // A frame that does not state its size.
  std::string frame(1000, '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), "abc", 3));
  ZSTD_freeCCtx(context);
  EXPECT_EQ(outcome(forged(frame, 1)), refused);
}

// The layout of docs/formats.md, read without our structures.
TEST(BlockTables, LayoutIsThatOfTheDocument) {
  const std::string bytes = table_of({"one", "", "three"});
  const auto number = [&](size_t at) {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    return value;
  };
  const size_t end = bytes.size();
  EXPECT_EQ(number(end - 24), 3u);
  EXPECT_EQ(number(end - 16), 1u);
  const uint64_t block = number(end - 8);
  std::string raw(10, '\0');
  ASSERT_EQ(ZSTD_decompress(raw.data(), raw.size(), bytes.data(), block), 10u);
  EXPECT_EQ(raw, std::string("\3\0onethree", 10));
  const size_t firsts = (block + 7) / 8 * 8;
  EXPECT_EQ(number(firsts), uint64_t{3} << 2);  // 0 and 3, of two bits
  const auto width = static_cast<uint32_t>(std::bit_width(block));
  EXPECT_EQ(number(firsts + 8), block << width);
  EXPECT_EQ(end, firsts + 16 + 24);
}

}  // namespace
}  // namespace neardup::testing
