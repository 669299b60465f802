// hamming_codes: writes a CodeSet (see hamming_set.h) of 64 bits to files, as the programs of the folder peers-zh read them.
//
//   hamming_codes --kind uniform --codes 1000000 --out PREFIX
//
// PREFIX.codes: u64 each. PREFIX.pairs: (u32 copy, u32 original, u32 distance) of every planted pair. PREFIX.queries: (u64 code, u32 row or
// 2^32 - 1, u32 flips). All little endian.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <string>

#include "hamming_set.h"

namespace neardup {
namespace {

class Writer {
 public:
  explicit Writer(const std::string& path) : out_(path, std::ios::binary), path_(path) {}
  template <typename... Numbers>
  void put(Numbers... numbers) {
    (out_.write(reinterpret_cast<const char*>(&numbers), sizeof(numbers)), ...);
  }
  void close() {
    out_.close();
    if (!out_) throw std::runtime_error("cannot write " + path_);
  }

 private:
  std::ofstream out_;
  const std::string path_;
};

void write(const CodeSetOptions& options, uint64_t queries, const std::string& prefix) {
  const CodeSet<Fingerprint64> set(options);
  Writer codes(prefix + ".codes");
  Writer pairs(prefix + ".pairs");
  Writer asked(prefix + ".queries");
  for (uint64_t row = 0; row < set.size(); ++row) codes.put(set.code(row).low);
  for (uint64_t row = set.base(); row < set.size(); ++row) {
    pairs.put(static_cast<uint32_t>(row), static_cast<uint32_t>(set.original(row)), set.distance(row));
  }
  for (uint64_t number = 0; number < queries; ++number) {
    const auto query = set.query(number);
    asked.put(query.code.low, query.target == kNoTarget ? UINT32_MAX : static_cast<uint32_t>(query.target), query.flips);
  }
  codes.close();
  pairs.close();
  asked.close();
}

}  // namespace
}  // namespace neardup

int main(int argc, char** argv) {
  CLI::App app{"write codes for Hamming search"};
  neardup::CodeSetOptions options;
  uint64_t queries = 10'000;
  std::string prefix;
  app.add_option("--kind", options.kind)->check(CLI::IsMember({"uniform", "shared", "constant", "clustered", "equal"}));
  app.add_option("--codes", options.codes)->check(CLI::Range(uint64_t{1}, uint64_t{UINT32_MAX}));
  app.add_option("--special", options.special, "codes that share their upper half, or bits that are constant");
  app.add_option("--seed", options.seed);
  app.add_option("--farthest", options.farthest, "bits in which a planted copy may differ")->check(CLI::Range(0, 64));
  app.add_option("--query-flips", options.query_flips)->check(CLI::Range(0, 64));
  app.add_option("--queries", queries);
  app.add_option("--out", prefix)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    neardup::write(options, queries, prefix);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hamming_codes: %s\n", error.what());
    return 1;
  }
}
