// Rows of blocks: what is written, what is read back, and what is said of broken ones. tests/cli/test_own_database.py uses a database.
#include "neardup/tools/block_rows.h"
#include "neardup/tools/match_rows.h"

#include <random>

#include "io/fingerprints/block_rows.h"
#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kCode = 0x0001'0203'0405'F607;

class BlockRows : public IoTest {
 protected:
  BlockRows() {
    write("in.jsonl", "{\"text\":\"x\"}\n");
    source_ = open_source({path("in.jsonl")}, {});
    recipe_.sketch = SketchKind::kSimHash;
    query_.queries = {{0, kCode}};
  }

  std::string written(const std::string& name, const std::string& blocks, FingerprintText form = FingerprintText::kHex) const {
    std::filesystem::remove(path(name));
    const auto sink = make_block_row_sink(path(name), *source_, FingerprintBlocks::parse(blocks), form);
    sink->begin(recipe_);
    uint64_t row = 4;
    for (const DocumentSketch& sketch : {DocumentSketch{.id = "a\t\"b", .has_id = true, .fingerprint = {5, kCode}},
                                         DocumentSketch{.too_short = true}, DocumentSketch{.fingerprint = {0, 1}}}) {
      std::string piece;
      sink->format(sketch, piece);
      sink->append({.source = 0, .row = ++row}, piece);
    }
    EXPECT_FALSE(exists(name)) << "before commit";
    sink->commit();
    return read(name);
  }
  RowMatches match(std::string_view rows) const { return match_rows(query_, write("rows", rows), path("rejects")); }
  // What is said of the only row.
  std::string problem(std::string_view rows) const {
    const RowMatches matches = match(rows);
    EXPECT_EQ(matches.rows, 1u);
    EXPECT_EQ(matches.rejected, matches.warnings.size());
    return matches.warnings.empty() ? "" : matches.warnings.front();
  }

  std::unique_ptr<DocumentSource> source_;
  Recipe recipe_;
  // Covers rows of which none can be used.
  RowQuery query_ = [] {
    RowQuery query;
    query.max_rejects = RejectLimit::accept_all();
    return query;
  }();
};

TEST_F(BlockRows, ATable) {
  const std::string place = path("in.jsonl") + ":7";
  EXPECT_EQ(written("rows.tsv", "4x16"),
            "block\tvalue\tfingerprint\tid\n"
            "0\t62983\t000102030405f607\ta \"b\n"
            "1\t1029\t000102030405f607\ta \"b\n"
            "2\t515\t000102030405f607\ta \"b\n"
            "3\t1\t000102030405f607\ta \"b\n"
            "0\t1\t0000000000000001\t" +
                place + "\n1\t0\t0000000000000001\t" + place + "\n2\t0\t0000000000000001\t" + place + "\n3\t0\t0000000000000001\t" + place +
                "\n");
}

TEST_F(BlockRows, JsonLinesAndForms) {
  recipe_.bits = 128;
  const std::string place = path("in.jsonl") + ":7";
  EXPECT_EQ(written("rows.jsonl", "50,50,28", FingerprintText::kInteger),
            "{\"block\":0,\"value\":283686952367623,\"fingerprint\":\"92234004055500125703\",\"id\":\"a\\t\\\"b\"}\n"
            "{\"block\":1,\"value\":81920,\"fingerprint\":\"92234004055500125703\",\"id\":\"a\\t\\\"b\"}\n"
            "{\"block\":2,\"value\":0,\"fingerprint\":\"92234004055500125703\",\"id\":\"a\\t\\\"b\"}\n"
            "{\"block\":0,\"value\":1,\"fingerprint\":\"1\",\"id\":\"" +
                place + "\"}\n{\"block\":1,\"value\":0,\"fingerprint\":\"1\",\"id\":\"" + place +
                "\"}\n{\"block\":2,\"value\":0,\"fingerprint\":\"1\",\"id\":\"" + place + "\"}\n");
}

TEST_F(BlockRows, WhatCannotBeWritten) {
  const auto complaint = [&](const std::string& blocks, FingerprintText form) -> std::string {
    try {
      static_cast<void>(written("rows.tsv", blocks, form));
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.what();
    }
  };
  EXPECT_THAT(complaint("8x16", FingerprintText::kHex), HasSubstr("blocks '8x16' have 128 bits, but recipe '' makes fingerprints of 64"));
  recipe_.bits = 128;
  EXPECT_THAT(complaint("4x16", FingerprintText::kHex), HasSubstr("blocks '4x16' have 64 bits"));
  EXPECT_THAT(complaint("8x16", FingerprintText::kSigned), HasSubstr("signed is for fingerprints of 64 bits"));
  recipe_.sketch = SketchKind::kMinHash;
  EXPECT_THAT(complaint("4x16", FingerprintText::kHex), HasSubstr("makes MinHash signatures"));
}

// Every distance and every order of rows: the result is that of a loop over all fingerprints.
TEST_F(BlockRows, NeighboursAreThoseOfTheDefinition) {
  std::mt19937_64 random(9);
  std::vector<Fingerprint128> codes;
  for (int i = 0; i < 300; ++i) {
    uint64_t code = i % 3 == 0 ? random() : codes[random() % codes.size()].low;
    for (uint64_t flips = random() % 5; flips > 0; --flips) code ^= uint64_t{1} << random() % 64;
    codes.push_back({0, code});
  }
  query_.queries = {codes[0], codes[10], {0, 17}};
  std::string rows = "id\tother\tfingerprint\n";
  for (int round = 0; round < 3; ++round)
    for (size_t i = 0; i < codes.size(); ++i) rows += "d" + std::to_string(i) + "\tx\t" + to_hex(codes[i].low_half()) + "\n";
  for (uint32_t radius = 0; radius <= 3; ++radius) {
    query_.max_distance = radius;
    std::vector<RowNeighbour> expected;
    for (uint32_t q = 0; q < query_.queries.size(); ++q) {
      for (size_t i = 0; i < codes.size(); ++i) {
        const uint32_t distance = hamming_distance(query_.queries[q], codes[i]);
        if (distance <= radius) expected.push_back({q, distance, "d" + std::to_string(i), codes[i]});
      }
    }
    std::ranges::sort(expected);
    const RowMatches matches = match(rows);
    EXPECT_EQ(matches.rows, 900u);
    EXPECT_EQ(matches.rejected, 0u);
    EXPECT_EQ(matches.neighbours, expected);
    EXPECT_GT(expected.size(), radius);
  }
  query_.max_distance = 4;
  try {
    match(rows);
    FAIL() << "beyond the blocks";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("distance 4 is too large for blocks '4x16', which cover at most 3"));
    EXPECT_THAT(error.what(), HasSubstr("5 blocks would cover it"));
  }
}

TEST_F(BlockRows, OneCandidateThroughSeveralBlocksIsOneNeighbour) {
  const std::string rows = written("rows.jsonl", "4x16");
  const RowMatches matches = match(rows + "\n  \r\n" + rows);
  EXPECT_EQ(matches.rows, 16u);
  EXPECT_THAT(matches.neighbours, ElementsAre(RowNeighbour{0, 0, "a\t\"b", {0, kCode}}));
  EXPECT_THAT(matches.warnings, IsEmpty());
}

TEST_F(BlockRows, FormsOfFingerprints) {
  for (const FingerprintText form : {FingerprintText::kHex, FingerprintText::kInteger, FingerprintText::kSigned, FingerprintText::kBits}) {
    query_.fingerprints = form;
    EXPECT_EQ(match(written("rows.tsv", "4x16", form)).neighbours.size(), 1u);
    EXPECT_EQ(match(written("rows.jsonl.gz", "4x16", form)).neighbours.size(), 1u);
  }
  query_.fingerprints = FingerprintText::kSigned;
  query_.queries = {{0, ~uint64_t{0}}};
  // As a database gives them back: numbers, a byte order mark, columns of its own, carriage returns.
  const std::string rows = "\xEF\xBB\xBF{\"_id\":{\"$oid\":\"x\"},\"fingerprint\":-1,\"id\":12,\"block\":3,\"value\":65535}\n";
  EXPECT_THAT(match(rows).neighbours, ElementsAre(RowNeighbour{0, 0, "12", {0, ~uint64_t{0}}}));
  EXPECT_EQ(match("\xEF\xBB\xBFid\tfingerprint\r\na\t18446744073709551615\r\nb\t-2").neighbours.size(), 2u);
  EXPECT_EQ(match("").rows, 0u);
}

TEST_F(BlockRows, BrokenRowsAreNamedAndTheOthersRead) {
  const std::string good = "0\t62983\t000102030405f607\tx\n";
  const std::string bad = "0\t62983\t000102030405f607\n";
  const RowMatches matches = match("block\tvalue\tfingerprint\tid\n" + good + bad + good + "9" + good);
  EXPECT_EQ(matches.rows, 4u);
  EXPECT_EQ(matches.rejected, 2u);
  EXPECT_EQ(matches.neighbours.size(), 1u);
  EXPECT_THAT(matches.warnings, ElementsAre(HasSubstr("rows:3: rejected: expected 4 cells, as the header has, not 3"),
                                            HasSubstr("rows:5: rejected: block: expected 0 to 3 (of blocks 4x16), not '90'")));
  EXPECT_EQ(read("rejects"), "block\tvalue\tfingerprint\tid\n" + bad + "9" + good);
  std::string many;
  for (int i = 0; i < 50; ++i) many += "{}\n";
  EXPECT_EQ(match(many).rejected, 50u);
  EXPECT_EQ(match(many).warnings.size(), 5u);
}

TEST_F(BlockRows, ProblemsNameTheValue) {
  const auto json = [](std::string_view members) { return "{" + std::string(members) + "}"; };
  const std::string good = "\"fingerprint\":\"000102030405f607\",\"id\":\"x\"";
  EXPECT_EQ(problem(json(good)), "");
  for (const auto& [members, part] : std::vector<std::pair<std::string, std::string>>{
           {good + ",\"block\":2,\"value\":516",
            "value: expected 515, which block 2 of fingerprint '000102030405f607' has (of blocks 4x16), not '516'"},
           {good + ",\"block\":2,\"value\":515.0", "not '515.0'"},
           {good + ",\"block\":2,\"value\":5.15e2", "not '5.15e2'"},
           {good + ",\"block\":-1,\"value\":515", "block: expected 0 to 3 (of blocks 4x16), not '-1'"},
           {good + ",\"block\":4", "block: expected 0 to 3"},
           {good + ",\"block\":null", "block: expected a string or a number, not null"},
           {good + ",", "invalid JSON at byte"},
           {"\"id\":\"x\"", "fingerprint is missing"},
           {"\"fingerprint\":\"000102030405f607\"", "id is missing"},
           {"\"fingerprint\":\"000102030405f607\",\"id\":\"\"", "id is missing"},
           {"\"fingerprint\":\"000102030405f607\",\"id\":{}", "id: expected a string or a number, not an object"},
           {"\"fingerprint\":\"102030405f607\",\"id\":1", "fingerprint: expected 16 hexadecimal digits, not '102030405f607'"},
           {"\"fingerprint\":\"00000000000000000000102030405f607\",\"id\":1", "fingerprint: expected 16 hexadecimal digits"},
           {"\"fingerprint\":\"a\\nb\",\"id\":1", "not 'a?b'"},
           {"\"fingerprint\":\"\xFF\",\"id\":1", "not UTF-8 at byte 17"}}) {
    EXPECT_THAT(problem(json(members)), HasSubstr("rows:1: rejected: ")) << members;
    EXPECT_THAT(problem(json(members)), HasSubstr(part)) << members;
  }
  EXPECT_THAT(problem("{\"id\":\"" + std::string(2 << 20, 'x') + "\"}\n"), HasSubstr("longer than the 1048576 bytes of a row"));
  EXPECT_THAT(match("{}\n[]\n").warnings.back(), HasSubstr("rows:2: rejected: expected an object, not an array"));
}

TEST_F(BlockRows, HeadersAndFilesThatCannotBeRead) {
  const auto complaint = [&](const std::string& rows) -> std::string {
    try {
      match(rows);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return error.what();
    }
  };
  EXPECT_THAT(complaint("\nblock\tvalue\tid\n"), HasSubstr("rows:2: the header has no column 'fingerprint'"));
  EXPECT_THAT(complaint("0\t62983\t000102030405f607\tx\n"), HasSubstr("rows:1: the header has no column"));
  EXPECT_THAT(complaint("id\tfingerprint\tid\n"), HasSubstr("the header has the column 'id' twice"));
  EXPECT_THAT(complaint("[{\"id\":1}]"), HasSubstr("the header has no column 'fingerprint'"));
  const std::string whole = written("rows.tsv.gz", "4x16");
  EXPECT_EQ(complaint(whole), "");
  EXPECT_THAT(complaint(whole.substr(0, whole.size() - 6)), HasSubstr("truncated"));
  EXPECT_THROW(match_rows(query_, path("none")), Error);
  EXPECT_THROW(match_rows(query_, folder_), Error);
}

TEST_F(BlockRows, AnIdWithTwoFingerprintsIsReported) {
  const RowMatches matches = match("id\tfingerprint\nx\t000102030405f607\nx\t000102030405f606\ny\t000102030405f606\n");
  EXPECT_EQ(matches.neighbours.size(), 3u);
  EXPECT_THAT(matches.warnings, ElementsAre(HasSubstr("id 'x' has more than one fingerprint")));
}

TEST_F(BlockRows, NeighboursAsATableAndAsJsonLines) {
  const RowMatches matches = match("id\tfingerprint\nx\t000102030405f607\n\"\t000102030405f606\n");
  write_neighbours(path("n.tsv"), query_, matches.neighbours);
  EXPECT_EQ(read("n.tsv"),
            "query\tid\tfingerprint\tdistance\n000102030405f607\tx\t000102030405f607\t0\n000102030405f607\t\"\t000102030405f606\t1\n");
  write_neighbours(path("n.jsonl"), query_, matches.neighbours);
  EXPECT_EQ(read("n.jsonl"),
            "{\"query\":\"000102030405f607\",\"id\":\"x\",\"fingerprint\":\"000102030405f607\",\"distance\":0}\n"
            "{\"query\":\"000102030405f607\",\"id\":\"\\\"\",\"fingerprint\":\"000102030405f606\",\"distance\":1}\n");
}

}  // namespace
}  // namespace neardup::testing
