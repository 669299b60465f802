// Ready fingerprints out of lines and arrays, whole, broken and cut off.
#include "neardup/tools/fingerprint_files.h"

#include <random>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FingerprintFiles : public IoTest {
 protected:
  struct Read {
    std::vector<std::string> names;
    std::vector<uint64_t> low;
    std::vector<uint64_t> high;
    uint64_t too_short = 0;
    uint64_t rejected = 0;
    std::string error;
  };

  Read read_all(const std::string& name, std::string_view bytes, FingerprintFormat format = {}) {
    const std::string path = write(name, bytes);
    Read all;
    try {
      FingerprintReader reader({path}, format);
      FingerprintEntry entry;
      while (reader.next(entry)) {
        if (entry.too_short) {
          ++all.too_short;
          continue;
        }
        all.names.push_back(entry.name.starts_with(path) ? entry.name.substr(path.size()) : entry.name);
        all.low.push_back(entry.code.low);
        all.high.push_back(entry.code.high);
      }
      all.rejected = reader.rejects().total();
      EXPECT_EQ(reader.read(), all.low.size() + all.too_short + all.rejected);
    } catch (const Error& error) {
      all.error = error.what();
      EXPECT_EQ(all.error.find('\n'), std::string::npos);
    }
    return all;
  }
};

std::string numbers(std::initializer_list<uint64_t> values) {
  std::string bytes;
  for (const uint64_t value : values) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  }
  return bytes;
}

// By the description of its format; NumPy pads the header with blanks, which is not needed.
std::string npy(std::string header, char version = 1) {
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes.push_back(static_cast<char>(header.size() >> (8 * i)));
  return bytes + header;
}

TEST_F(FingerprintFiles, LinesCarryNamesOrPlaces) {
  const Read all = read_all("f.jsonl",
                            "{\"id\": \"a\\u00e9\", \"fingerprint\": \"00000000000000Ff\"}\n"
                            "\n"
                            "{\"id\": null, \"source\": \"s.txt\", \"row\": 7, \"fingerprint\": \"0000000000000001\"}\r\n"
                            "{\"id\": 5, \"fingerprint\": \"0000000000000002\"}\n"
                            "{\"id\": \"\", \"fingerprint\": \"0000000000000003\"}\n"
                            "{\"id\": \"short\", \"fingerprint\": null}\n"
                            "{\"fingerprint\": \"0000000000000004\"}");
  EXPECT_EQ(all.error, "");
  EXPECT_THAT(all.names, ElementsAre("a\u00e9", "s.txt:7", "5", ":5", ":7"));
  EXPECT_THAT(all.low, ElementsAre(255, 1, 2, 3, 4));
  EXPECT_EQ(all.too_short, 1);
}

TEST_F(FingerprintFiles, TablesGoByTheirHeader) {
  const Read all = read_all("f.tsv", "id\tother\tfingerprint\na\tx\t0000000000000001\nb\tx\t\nc\t0000000000000001\n", {});
  EXPECT_THAT(all.names, ElementsAre("a"));
  EXPECT_EQ(all.too_short, 1);
  EXPECT_EQ(all.rejected, 1);
  EXPECT_THAT(read_all("f.tsv", "id\tcode\na\t1\n").error, HasSubstr("no column 'fingerprint'"));
  EXPECT_THAT(read_all("f.tsv", "fingerprint\tid\tid\n").error, HasSubstr("the column 'id' twice"));
}

TEST_F(FingerprintFiles, OneRecipeOnly) {
  const std::string_view lines =
      "{\"recipe_id\": \"00000000000000aa\", \"fingerprint\": \"0000000000000001\"}\n"
      "{\"recipe_id\": \"00000000000000bb\", \"fingerprint\": \"0000000000000001\"}\n";
  EXPECT_THAT(read_all("f.jsonl", lines).error, HasSubstr(":2: a fingerprint of recipe 00000000000000bb, where recipe 00000000000000aa"));
  EXPECT_THAT(read_all("f.jsonl", lines, {.recipe_id = 0xbb}).error, HasSubstr(":1: a fingerprint of recipe 00000000000000aa"));
}

TEST_F(FingerprintFiles, ArraysOfNumPy) {
  const std::string three = numbers({7, 0, 1ULL << 63});
  for (const char version : {'\1', '\2', '\3'}) {
    const Read all = read_all("f.npy", npy("{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }", version) + three);
    EXPECT_EQ(all.error, "");
    EXPECT_THAT(all.names, ElementsAre(":0", ":2"));
    EXPECT_THAT(all.low, ElementsAre(7, 1ULL << 63));
    EXPECT_EQ(all.too_short, 1);
  }
  const Read wide =
      read_all("f.npy", npy("{'descr': '<u8', 'fortran_order': False, 'shape': (2, 2), }") + numbers({1, 2, 3, 4}), {.bits = 128});
  EXPECT_THAT(wide.low, ElementsAre(1, 3));
  EXPECT_THAT(wide.high, ElementsAre(2, 4));
  for (const std::string_view header : {
           "{'descr': '>u8', 'fortran_order': False, 'shape': (3,), }",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }",
           "{'descr': '<u8', 'fortran_order': False, 'shape': (3, 2), }",
           "{'descr': '<u8', 'fortran_order': True, 'shape': (3, 1), }",
           "{'descr': '<u8', 'fortran_order': False, 'shape': (), }",
           "{'descr': '<u8', 'fortran_order': False}",
           "nothing",
       }) {
    EXPECT_THAT(read_all("f.npy", npy(std::string(header)) + three).error, HasSubstr("uint64 of shape (n,)")) << header;
  }
  EXPECT_THAT(read_all("f.npy", npy("{'descr': '<u8', 'fortran_order': False, 'shape': (4,), }") + three).error,
              HasSubstr("3 rows, but its header says 4"));
  EXPECT_THAT(read_all("f.npy", three).error, HasSubstr("no NumPy array"));
}

TEST_F(FingerprintFiles, ATruncatedArrayIsAnErrorWhereverItEnds) {
  const std::string whole = npy("{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }") + numbers({7, 8, 9});
  for (size_t length = 0; length < whole.size(); ++length) EXPECT_NE(read_all("f.npy", whole.substr(0, length)).error, "") << length;
  EXPECT_THAT(read_all("f.bin", numbers({1, 2}).substr(0, 15)).error, HasSubstr("7 bytes after the last whole row"));
  EXPECT_EQ(read_all("f.bin", numbers({1, 2})).low.size(), 2);
  EXPECT_EQ(read_all("f.bin", "").error, "");
}

TEST_F(FingerprintFiles, AnyBytesAreReadOrRefused) {
  std::mt19937_64 random(1);
  const std::string seeds[] = {
      "{\"id\": \"a\", \"fingerprint\": \"0000000000000001\"}\n{\"fingerprint\": \"0000000000000002\", \"recipe_id\": "
      "\"00000000000000aa\"}\n",
      "id\tfingerprint\trow\nx\t0000000000000001\t1\n",
      npy("{'descr': '<u8', 'fortran_order': False, 'shape': (2,), }") + numbers({1, 2}),
  };
  for (int round = 0; round < 600; ++round) {
    std::string bytes = seeds[round % 3];
    for (int edits = 0; edits < 4; ++edits) {
      const size_t at = random() % bytes.size();
      if (random() % 2 == 0) {
        bytes[at] = static_cast<char>(random());
      } else {
        bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 9));
      }
    }
    for (const char* name : {"f.jsonl", "f.npy", "f.bin"}) read_all(name, bytes);
  }
}

}  // namespace
}  // namespace neardup::testing
