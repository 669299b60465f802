// Crawl archives: records cut at every byte, damaged members, wrong lengths, the same answer however the archive is stored.
#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string warc_record(int number, const std::string& type, const std::string& block, const std::string& length = "") {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Record-ID: <urn:uuid:" + std::to_string(number) +
         ">\r\nContent-Type: " + (type == "response" ? "application/http; msgtype=response" : "text/plain") +
         "\r\nContent-Length: " + (length.empty() ? std::to_string(block.size()) : length) + "\r\n\r\n" + block + "\r\n\r\n";
}

std::string page_record(int number) {
  return warc_record(number, "response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page " + std::to_string(number) + "</p>");
}

std::vector<std::string> small_archive() {
  return {warc_record(1, "request", "GET / HTTP/1.1\r\n\r\n"), page_record(2), warc_record(3, "conversion", "text three"), page_record(4)};
}

class Warc : public IoTest {
 protected:
  std::vector<Seen> read_archive(const std::string& bytes, SourceOptions options = {}) {
    write("a.warc", bytes);
    const auto source = open_source({path("a.warc")}, options);
    auto seen = collect(*source);
    EXPECT_EQ(collect(*source), seen) << "a second reading";
    return seen;
  }
};

std::vector<uint64_t> rows_of(const std::vector<Seen>& seen, bool rejected) {
  std::vector<uint64_t> rows;
  for (const Seen& each : seen) {
    if (each.problem.empty() != rejected) rows.push_back(each.row);
  }
  return rows;
}

TEST_F(Warc, RowsAreRecordsOfTheArchive) {
  std::string plain, gzip, zstd;
  for (const std::string& record : small_archive()) {
    plain += record;
    gzip += gzip_bytes(record);
    zstd += zstd_bytes(record);
  }
  const auto expected = read_archive(plain);
  EXPECT_THAT(rows_of(expected, false), ElementsAre(2, 3, 4));
  EXPECT_THAT(texts_of(expected), ElementsAre("<p>page 2</p>", "text three", "<p>page 4</p>"));
  EXPECT_EQ(expected[1].raw, R"({"id":"urn:uuid:3","type":"text/plain","text":"text three"})");
  for (const std::string& stored : {gzip, zstd, gzip_bytes(plain), zstd_bytes(plain)}) {
    EXPECT_EQ(read_archive(stored), expected);
    SourceOptions options;
    options.batch_bytes = 1;
    EXPECT_EQ(read_archive(stored, options), expected);
  }
}

TEST_F(Warc, CutOffAtEveryByte) {
  for (const int kind : {0, 1, 2}) {
    std::string data;
    std::vector<size_t> ends;
    for (const std::string& record : small_archive()) {
      data += kind == 0 ? record : kind == 1 ? gzip_bytes(record) : zstd_bytes(record);
      ends.push_back(data.size());
    }
    const size_t trailer = kind == 0 ? 4 : 0;
    for (size_t size = 0; size <= data.size(); ++size) {
      size_t whole = 0;
      while (whole < ends.size() && size + trailer >= ends[whole]) ++whole;
      const bool partial = size > (whole == 0 ? 0 : ends[whole - 1]);
      const auto seen = read_archive(data.substr(0, size));
      EXPECT_EQ(rows_of(seen, false).size(), whole == 0 ? 0 : whole - 1) << kind << " " << size;
      const auto rejected = rows_of(seen, true);
      if (partial) {
        EXPECT_THAT(rejected, ElementsAre(whole + 1)) << kind << " " << size;
      } else {
        EXPECT_THAT(rejected, IsEmpty()) << kind << " " << size;
      }
    }
  }
}

TEST_F(Warc, EveryChangedByteLosesAtMostItsRecordAndCounts) {
  std::string data;
  std::vector<size_t> ends;
  for (const std::string& record : small_archive()) {
    data += gzip_bytes(record);
    ends.push_back(data.size());
  }
  for (size_t at = 3; at < data.size(); at += 2) {  // before that it is not a gzip file any more
    const size_t hit = static_cast<size_t>(std::ranges::upper_bound(ends, at) - ends.begin());
    std::string damaged = data;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
    const auto seen = read_archive(damaged);
    for (const std::string id : {"urn:uuid:2", "urn:uuid:3", "urn:uuid:4"}) {
      const bool own = id == "urn:uuid:" + std::to_string(hit + 1);
      const bool there = std::ranges::any_of(seen, [&](const Seen& each) { return each.problem.empty() && each.id == id; });
      EXPECT_TRUE(own || there) << at << " " << id;
      EXPECT_EQ(rows_of(seen, true).size(), there || !own ? rows_of(seen, true).size() : 1u) << at;
    }
  }
}

TEST_F(Warc, WrongLengths) {
  for (const char* length : {"0", "3", "500", "99999999", "999999999999999", "12x", "-1"}) {
    const auto seen = read_archive(warc_record(1, "conversion", "first text", length) + page_record(2));
    EXPECT_THAT(rows_of(seen, true), ElementsAre(1)) << length;
    EXPECT_THAT(rows_of(seen, false), ElementsAre(2)) << length;
    EXPECT_THAT(seen[0].raw, HasSubstr("first text")) << length;
    EXPECT_THAT(seen[0].problem, HasSubstr("at offset 0: ")) << length;
  }
}

}  // namespace
}  // namespace neardup::testing
