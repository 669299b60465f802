// What make_sketch_sink() writes, by the end of the path. Headers of arrays are those that numpy.save() writes for such an array, but for
// the blanks that fill them up; tests/cli/test_fingerprints.py has NumPy read them.
#include <cstring>

#include "io/io_fixture.h"
#include "neardup/tools/sketch_all.h"

namespace neardup::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SketchSinks : public IoTest {
 protected:
  SketchSinks() {
    write("in.jsonl", "{\"text\":\"x\"}\n");
    source_ = open_source({path("in.jsonl")}, {});
    code_.sketch = SketchKind::kSimHash;
    signature_.lanes = 3;
  }

  static DocumentSketch fingerprint(uint64_t high, uint64_t low) {
    return {.id = "a\tb", .has_id = true, .exact = {.high = 1, .low = 2}, .features = 7, .fingerprint = {.high = high, .low = low}};
  }
  static DocumentSketch too_short() { return {.exact = {.high = 3, .low = 4}, .too_short = true}; }

  std::string written(const std::string& name, const Recipe& recipe, std::initializer_list<DocumentSketch> sketches,
                      FingerprintText text = FingerprintText::kHex) const {
    const auto sink = make_sketch_sink(path(name), *source_, text);
    sink->begin(recipe);
    uint64_t row = 0;
    for (const DocumentSketch& sketch : sketches) {
      std::string piece;
      sink->format(sketch, piece);
      sink->append({.source = 0, .row = ++row}, piece);
    }
    EXPECT_FALSE(exists(name)) << "before commit";
    sink->commit();
    return read(name);
  }
  static std::string header(const std::string& dictionary) {
    std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);  // version 1.0; 118 bytes follow
    bytes += dictionary;
    bytes.resize(127, ' ');
    return bytes + "\n";
  }

  std::unique_ptr<DocumentSource> source_;
  Recipe code_;
  Recipe signature_;
};

TEST_F(SketchSinks, ArraysOfFingerprints) {
  const std::string one("\x08\x07\x06\x05\x04\x03\x02\x01", 8);
  const std::string none(8, '\0');
  EXPECT_EQ(written("a.npy", code_, {fingerprint(0, 0x0102030405060708), too_short()}),
            header("{'descr': '<u8', 'fortran_order': False, 'shape': (2,), }") + one + none);
  EXPECT_EQ(written("a.bin", code_, {fingerprint(0, 0x0102030405060708), too_short()}), one + none);
  EXPECT_EQ(written("none.npy", code_, {}), header("{'descr': '<u8', 'fortran_order': False, 'shape': (0,), }"));
  code_.bits = 128;
  const std::string high("\xFF\0\0\0\0\0\0\x80", 8);
  EXPECT_EQ(written("b.npy", code_, {too_short(), fingerprint(0x80000000000000FF, 0x0102030405060708)}),
            header("{'descr': '<u8', 'fortran_order': False, 'shape': (2, 2), }") + none + none + one + high);
}

TEST_F(SketchSinks, ArraysOfSignatures) {
  const uint32_t lanes[] = {1, 0xFFFFFFFF, 0x01020304};
  DocumentSketch sketch;
  sketch.signature = lanes;
  EXPECT_EQ(written("a.npy", signature_, {too_short(), sketch}), header("{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }") +
                                                                     std::string(12, '\0') +
                                                                     std::string("\1\0\0\0\xFF\xFF\xFF\xFF\4\3\2\1", 12));
}

TEST_F(SketchSinks, ArraysLongerThanTheBuffer) {
  const auto sink = make_sketch_sink(path("a.npy"), *source_);
  sink->begin(code_);
  for (uint64_t row = 1; row <= 300000; ++row) {
    std::string piece;
    sink->format(fingerprint(0, row * row), piece);
    sink->append({.source = 0, .row = row}, piece);
  }
  sink->commit();
  const std::string bytes = read("a.npy");
  ASSERT_EQ(bytes.size(), 128 + 300000 * 8u);
  EXPECT_THAT(bytes, HasSubstr("'shape': (300000,)"));
  for (const uint64_t row : {uint64_t{1}, uint64_t{131072}, uint64_t{131073}, uint64_t{300000}}) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + 128 + 8 * (row - 1), 8);
    EXPECT_EQ(value, row * row);
  }
  sink->withdraw();
  EXPECT_FALSE(exists("a.npy"));
}

TEST_F(SketchSinks, AHeaderIsNotCompressed) {
  EXPECT_EQ(error_of([&] { make_sketch_sink(path("a.npy.zst"), *source_); }),
            "usage: '" + path("a.npy.zst") +
                "': an array with a header cannot be compressed, because the header is written last: take a name that ends in .npy, or in "
                ".bin.zst");
  EXPECT_THAT(error_of([&] { make_sketch_sink(path("none/a.npy"), *source_); }), StartsWith("output: cannot write"));
  EXPECT_THAT(listing(), ::testing::ElementsAre("in.jsonl"));
}

TEST_F(SketchSinks, LinesOfText) {
  const std::string place =
      ",\"source\":\"" + path("in.jsonl") + "\",\"row\":1,\"id\":\"a\\tb\",\"exact\":\"00000000000000010000000000000002\",";
  EXPECT_THAT(written("a", code_, {fingerprint(0, 255)}),
              HasSubstr(place + "\"features\":7,\"too_short\":false,\"fingerprint\":\"00000000000000ff\"}"));
  EXPECT_THAT(written("b", code_, {fingerprint(0, 255)}, FingerprintText::kInteger), EndsWith(",\"fingerprint\":\"255\"}\n"));
  EXPECT_THAT(written("c", code_, {fingerprint(0, 5)}, FingerprintText::kBits),
              EndsWith(",\"fingerprint\":\"" + std::string(61, '0') + "101\"}\n"));
  EXPECT_THAT(
      written("d", code_, {too_short()}),
      EndsWith("\"id\":null,\"exact\":\"00000000000000030000000000000004\",\"features\":0,\"too_short\":true,\"fingerprint\":null}\n"));
  EXPECT_THAT(written("e", signature_, {too_short()}), EndsWith(",\"signature\":null}\n"));
  code_.bits = 128;
  EXPECT_THAT(written("f", code_, {fingerprint(1, 0)}), EndsWith("\"00000000000000010000000000000000\"}\n"));
  EXPECT_THAT(written("g", code_, {fingerprint(1, 0)}, FingerprintText::kInteger), EndsWith("\"18446744073709551616\"}\n"));
  EXPECT_THAT(written("h", code_, {fingerprint(1, 0)}, FingerprintText::kBits),
              EndsWith("\"" + std::string(63, '0') + "1" + std::string(64, '0') + "\"}\n"));
}

TEST_F(SketchSinks, Tables) {
  const std::string place = path("in.jsonl");
  EXPECT_EQ(written("a.tsv", code_, {fingerprint(0, 255), too_short()}),
            "id\tsource\trow\tfingerprint\na b\t" + place + "\t1\t00000000000000ff\n\t" + place + "\t2\t\n");
  const uint32_t lanes[] = {1, 22, 333};
  DocumentSketch sketch;
  sketch.signature = lanes;
  EXPECT_EQ(written("b.tsv", signature_, {sketch}), "id\tsource\trow\tsignature\n\t" + place + "\t1\t1,22,333\n");
}

}  // namespace
}  // namespace neardup::testing
