#include "online/log/stored_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

StoredDocument example() {
  return {.sequence = 12,
          .time = 1'700'000'000'000,
          .expires = 1'700'000'600'000,
          .exact = {.high = 3, .low = 4},
          .is_short = false,
          .id = std::string_view("a\0b", 3),
          .contents = StoredDocument::Contents::kText,
          .bytes = "text \xE4\xB8\xAD"};
}

void expect_equal(const StoredDocument& a, const StoredDocument& b) {
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.expires, b.expires);
  EXPECT_EQ(a.exact, b.exact);
  EXPECT_EQ(a.is_short, b.is_short);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.contents, b.contents);
  EXPECT_EQ(a.bytes, b.bytes);
}

TEST(StoredDocuments, ComeBack) {
  StoredDocument documents[3] = {example(), example(), example()};
  documents[1].contents = StoredDocument::Contents::kFeatures;
  documents[1].bytes = "12345678";
  documents[2].is_short = true;
  documents[2].bytes = "";
  for (const StoredDocument& document : documents) {
    std::string bytes;
    write_document(document, bytes);
    expect_equal(read_document(bytes, "here"), document);
  }
}

TEST(StoredDocuments, TextsArePackedIfThatHelps) {
  std::string packed;
  pack_text(std::string(100, 'a'), packed);
  EXPECT_TRUE(packed.empty());
  std::string random;
  for (int i = 0; i < 1000; ++i) random += static_cast<char>(i * i * 31 >> 3);
  pack_text(random, packed);
  EXPECT_TRUE(packed.empty());
  const std::string text(10'000, 'b');
  pack_text(text, packed);
  ASSERT_FALSE(packed.empty());
  EXPECT_LT(packed.size(), 1000u);
  StoredDocument document = example();
  document.contents = StoredDocument::Contents::kPackedText;
  document.bytes = packed;
  std::string space;
  EXPECT_EQ(text_of(document, space, "here"), text);
  document.bytes = std::string_view(packed).substr(0, packed.size() - 1);
  EXPECT_THROW(text_of(document, space, "here"), Error);
  document.bytes = "no frame";
  EXPECT_THROW(text_of(document, space, "here"), Error);
  document.contents = StoredDocument::Contents::kFeatures;
  EXPECT_EQ(text_of(document, space, "here"), std::nullopt);
}

TEST(StoredDocuments, EveryFlippedBitIsFound) {
  std::string bytes;
  write_document(example(), bytes);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(read_document(damaged, "here"), Error) << bit;
  }
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(read_document(bytes.substr(0, size), "here"), Error) << size;
  try {
    read_document(bytes.substr(1), "'file', byte 7");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_THAT(error.what(), HasSubstr("'file', byte 7: a record is damaged"));
  }
}

TEST(StoreEvents, ComeBack) {
  const StoreEvent event{.sequence = 5, .kind = StoreEvent::Kind::kTouch, .target = 2, .time = 9, .expires = 11};
  std::string bytes;
  write_event(event, bytes);
  const StoreEvent read = read_event(bytes, "here");
  EXPECT_EQ(read.kind, event.kind);
  EXPECT_EQ(read.target, event.target);
  EXPECT_EQ(read.time, event.time);
  EXPECT_EQ(read.expires, event.expires);
  EXPECT_EQ(read.sequence, 5u);
  bytes[2] = 'x';
  EXPECT_THROW(read_event(bytes, "here"), Error);
}

}  // namespace
}  // namespace neardup
