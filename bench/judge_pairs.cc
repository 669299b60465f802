// judge_pairs: counts the pairs that `neardup pairs` writes, by their distance, and how many of them are on a list, by similarity there.
//
//   neardup pairs ... -o - | judge_pairs LISTED.tsv EMPTY BITS RADIUS
//
// LISTED has a line "id id similarity" for each true pair; EMPTY an id a line: pairs of two of these do not count. BITS is that of the
// fingerprints (similarity = share of equal bits); 0: no distances. Prints one JSON object a distance. A loose radius finds hundreds of
// millions of pairs, which Python would take an hour to read.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

constexpr std::array kBands{0.5, 0.6, 0.7, 0.8, 0.9};  // as in fingerprint_quality.py

struct Tally {
  uint64_t found = 0;
  uint64_t right = 0;
  std::array<uint64_t, kBands.size()> by_band{};
};

uint64_t hash(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

// The same for both orders of a pair.
uint64_t pair_hash(std::string_view a, std::string_view b) {
  if (b < a) std::swap(a, b);
  return hash(a) * 0x9E3779B97F4A7C15u ^ hash(b);
}

struct Row {
  std::string_view a;
  std::string_view b;
  double similarity;
};

Row split(const std::string& line) {
  const size_t first = line.find('\t');
  const size_t second = line.find('\t', first + 1);
  return {std::string_view(line).substr(0, first), std::string_view(line).substr(first + 1, second - first - 1),
          std::strtod(line.c_str() + second + 1, nullptr)};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: judge_pairs LISTED.tsv EMPTY BITS RADIUS\n", stderr);
    return 2;
  }
  const int bits = std::atoi(argv[3]);
  const auto radius = static_cast<size_t>(std::atoi(argv[4]));
  std::unordered_map<uint64_t, size_t> listed;  // -> band
  std::string line;
  for (std::ifstream file(argv[1]); std::getline(file, line);) {
    const Row row = split(line);
    const auto band = static_cast<size_t>(std::upper_bound(kBands.begin(), kBands.end(), row.similarity) - kBands.begin());
    if (band > 0) listed.emplace(pair_hash(row.a, row.b), band - 1);
  }
  std::unordered_set<uint64_t> empty;
  for (std::ifstream file(argv[2]); std::getline(file, line);) empty.insert(hash(line));

  std::ios::sync_with_stdio(false);
  std::vector<Tally> tallies(radius + 1);
  std::getline(std::cin, line);  // the header
  while (std::getline(std::cin, line)) {
    const Row row = split(line);
    if (!empty.empty() && empty.contains(hash(row.a)) && empty.contains(hash(row.b))) continue;
    const auto distance = bits == 0 ? 0 : static_cast<size_t>(std::lround((1 - row.similarity) * bits));
    Tally& tally = tallies.at(distance);
    ++tally.found;
    const auto true_pair = listed.find(pair_hash(row.a, row.b));
    if (true_pair == listed.end()) continue;
    ++tally.right;
    ++tally.by_band[true_pair->second];
  }
  for (const Tally& tally : tallies) {
    fmt::print(R"({{"found":{},"right":{},"by_band":[{}]}})"
               "\n",
               tally.found, tally.right, fmt::join(tally.by_band, ","));
  }
  return 0;
}
