// What each kind of input says of a record that it rejects.
#include "io/fingerprints/block_rows.h"
#include "io/io_fixture.h"
#include "io/mongo/bson_record.h"
#include "io/mongo/mongo_library.h"

namespace neardup::testing {
namespace {

const bool kLoaded = (load_mongo_library(), true);

using ::testing::HasSubstr;

using Kinds = std::vector<RejectKind>;
constexpr RejectKind kNone{255};  // a whole record

class RejectKindsOfSources : public IoTest {
 protected:
  static Kinds kinds_of(const std::vector<std::string>& inputs, uint64_t max_record_bytes = 1 << 20) {
    SourceOptions options;
    options.max_record_bytes = max_record_bytes;
    options.text_field = {"text"};
    const auto source = open_source(inputs, options);
    Kinds kinds;
    while (const auto batch = source->next()) {
      batch->read(Batch::Need::kParsed, {},
                  [&](uint32_t, const Record& record) { kinds.push_back(record.problem.empty() ? kNone : record.reject_kind); });
    }
    return kinds;
  }
};

TEST_F(RejectKindsOfSources, Lines) {
  const std::string lines =
      "{\"text\":\"a\"}\n{\"text\":\n[]\n\xFF\n{}\n{\"text\":null}\n{\"text\":5}\n{\"text\":[1]}\n{\"text\":\"a\",\"id\":[]}\n" +
      std::string(101, ' ') + "\n";
  EXPECT_EQ(kinds_of({write("a.jsonl", lines)}, 100),
            (Kinds{kNone, RejectKind::kBrokenJson, RejectKind::kBrokenJson, RejectKind::kNotUtf8, RejectKind::kMissingField,
                   RejectKind::kMissingField, RejectKind::kFieldType, RejectKind::kFieldType, kNone, RejectKind::kTooLong}));
  const std::string packed = gzip_bytes("{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
  EXPECT_EQ(kinds_of({write("b.jsonl.gz", packed.substr(0, packed.size() - 1))}), (Kinds{kNone, kNone, RejectKind::kDamaged}));
  const std::string one_long_line = gzip_bytes(std::string(1 << 20, 'x'), 0);
  EXPECT_EQ(kinds_of({write("c.jsonl.gz", one_long_line)}, 1000), Kinds{RejectKind::kTooLong});
}

TEST_F(RejectKindsOfSources, TextFiles) {
  const std::string packed = gzip_bytes("packed text, and more of it");
  write("t/a.txt", "fine");
  write("t/b.txt", std::string(101, 'x'));
  write("t/c.txt.gz", packed.substr(0, packed.size() / 2));
  write("t/d.txt.gz", gzip_bytes(std::string(500, 'x')));
  EXPECT_EQ(kinds_of({path("t")}, 100), (Kinds{kNone, RejectKind::kTooLong, RejectKind::kDamaged, RejectKind::kTooLong}));
  SourceOptions options;
  const auto source = open_source({path("t/a.txt")}, options);
  std::filesystem::remove(path("t/a.txt"));
  source->next()->read(Batch::Need::kText, {}, [](uint32_t, const Record& record) {
    EXPECT_THAT(record.problem, HasSubstr("cannot open"));
    EXPECT_EQ(record.reject_kind, RejectKind::kUnreadable);
  });
}

TEST_F(RejectKindsOfSources, Archives) {
  const auto page = [](const std::string& body, const std::string& head) {
    const std::string block = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + head + "\r\n" + body;
    return "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: " + std::to_string(block.size()) +
           "\r\n\r\n" + block + "\r\n\r\n";
  };
  const std::string whole = page("one two three", "");
  const std::string archive = whole + page("x", "Content-Encoding: br\r\n") + page(std::string(400, 'x'), "") +
                              page(gzip_bytes(std::string(100'000, 'x')), "Content-Encoding: gzip\r\n") +
                              page("5\r\nab", "Transfer-Encoding: chunked\r\n") + whole.substr(0, whole.size() - 8);
  EXPECT_EQ(kinds_of({write("a.warc", archive)}, 300), (Kinds{kNone, RejectKind::kUnreadable, RejectKind::kTooLong, RejectKind::kTooLong,
                                                              RejectKind::kBrokenBody, RejectKind::kDamaged}));
}

TEST(RejectKinds, DocumentsOfMongo) {
  const RecordFields fields{.text = {"text"}, .id = "_id", .rank = "", .block = ""};
  BsonRecord reader(fields, 20, false);
  const auto kind = [&](std::string_view json) {
    const Bson document(bson_new_from_json(reinterpret_cast<const uint8_t*>(json.data()), static_cast<ssize_t>(json.size()), nullptr));
    Record record;
    reader.read(*document, Batch::Need::kText, record);
    return record.problem.empty() ? kNone : record.reject_kind;
  };
  EXPECT_EQ(kind(R"({"text":"a"})"), kNone);
  EXPECT_EQ(kind(R"({"other":"a"})"), RejectKind::kMissingField);
  EXPECT_EQ(kind(R"({"text":null})"), RejectKind::kMissingField);
  EXPECT_EQ(kind(R"({"text":{"$oid":"65a000000000000000000000"}})"), RejectKind::kFieldType);
  EXPECT_EQ(kind(R"({"text":["a",1]})"), RejectKind::kFieldType);
  EXPECT_EQ(kind(R"({"text":"more than twenty bytes"})"), RejectKind::kTooLong);
}

TEST(RejectKinds, RowsOfFingerprints) {
  const auto blocks = FingerprintBlocks::parse("4x16");
  BlockRowParser parser(blocks, FingerprintText::kHex);
  BlockRow row;
  const auto kind = [&](std::string_view line) {
    const Problem problem = parser.parse(line, row);
    return problem.empty() ? kNone : problem.kind;
  };
  EXPECT_EQ(kind(R"({"fingerprint":"00000000000000ff","id":"x"})"), kNone);
  EXPECT_EQ(kind("{"), RejectKind::kBrokenJson);
  EXPECT_EQ(kind("[]"), RejectKind::kBrokenJson);
  EXPECT_EQ(kind("\xFF"), RejectKind::kNotUtf8);
  EXPECT_EQ(kind(R"({"fingerprint":"00000000000000ff"})"), RejectKind::kMissingField);
  EXPECT_EQ(kind(R"({"fingerprint":null,"id":"x"})"), RejectKind::kMissingField);
  EXPECT_EQ(kind(R"({"fingerprint":["a"],"id":"x"})"), RejectKind::kFieldType);
  EXPECT_EQ(kind(R"({"fingerprint":"ff","id":"x"})"), RejectKind::kInvalidValue);
  EXPECT_EQ(kind(R"({"block":9,"fingerprint":"00000000000000ff","id":"x"})"), RejectKind::kInvalidValue);
  parser.set_header("fingerprint\tid");
  EXPECT_EQ(kind("00000000000000ff\tx"), kNone);
  EXPECT_EQ(kind("00000000000000ff"), RejectKind::kBrokenRow);
}

}  // namespace
}  // namespace neardup::testing
