#include "text/jieba/jieba_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/jieba/jieba_sources.h"

namespace neardup::jieba {
namespace {

static_assert(std::endian::native == std::endian::little, "the dictionary file is little-endian and mapped as it is");

constexpr std::string_view kMagic = "NDJIEBA\n";
constexpr size_t kAlignment = 64;

struct Header {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t sections;
  uint64_t file_bytes;
  uint64_t id;  // XXH3-64 of the section table, which holds the hash of every section
};
struct Section {
  std::array<char, 16> name;
  uint64_t offset;
  uint64_t bytes;
  uint64_t hash;
};
struct Numbers {
  uint64_t total;
  uint64_t words;
};
static_assert(sizeof(Header) == 32 && sizeof(Section) == 40);

constexpr std::array<std::string_view, 11> kNames{"alphabet", "slots", "counts",    "logs",       "weights", "idf_ids",
                                                  "idf",      "hmm",   "emissions", "stop_words", "numbers"};

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// The checks of one file; the message always begins with its name.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {
    if (bytes_.size() < sizeof(Header)) fail(fmt::format("header: {} bytes, expected at least {}", bytes_.size(), sizeof(Header)));
    std::memcpy(&header_, bytes_.data(), sizeof(Header));
    if (std::string_view(header_.magic.data(), 8) != kMagic) fail("header: this is not a dictionary of neardup");
    if (header_.version != kFormatVersion) {
      fail(fmt::format("header: format version {}, this program reads version {}; build the dictionary again", header_.version,
                       kFormatVersion));
    }
    if (header_.file_bytes != bytes_.size()) fail(fmt::format("header: expected {} bytes, found {}", header_.file_bytes, bytes_.size()));
    if (header_.sections != kNames.size()) fail(fmt::format("header: {} sections, expected {}", header_.sections, kNames.size()));
    const size_t table_bytes = kNames.size() * sizeof(Section);
    if (bytes_.size() - sizeof(Header) < table_bytes) fail("section table: cut off");
    const std::string_view table = bytes_.substr(sizeof(Header), table_bytes);
    if (hash64(table) != header_.id) fail("section table: damaged (wrong hash)");
    std::memcpy(sections_.data(), table.data(), table_bytes);
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::kInput, fmt::format("dictionary '{}': {}", file_, what)); }
  void require(bool condition, size_t section, std::string_view what) const {
    if (!condition) fail(fmt::format("section {}: {}", kNames[section], what));
  }

  template <typename T>
  std::span<const T> section(size_t i) const {
    const Section& entry = sections_[i];
    const std::string_view name(entry.name.data(), ::strnlen(entry.name.data(), entry.name.size()));
    if (name != kNames[i]) fail(fmt::format("section {} is '{}', expected '{}'", i, name, kNames[i]));
    const bool inside = entry.offset <= bytes_.size() && entry.bytes <= bytes_.size() - entry.offset;
    require(inside && entry.offset % kAlignment == 0 && entry.bytes % sizeof(T) == 0, i,
            fmt::format("bytes {} to {} are not in a file of {} bytes", entry.offset, entry.offset + entry.bytes, bytes_.size()));
    const std::string_view part = bytes_.substr(entry.offset, entry.bytes);
    require(hash64(part) == entry.hash, i, "damaged (wrong hash)");
    return {reinterpret_cast<const T*>(part.data()), part.size() / sizeof(T)};
  }

  [[nodiscard]] const std::array<Section, kNames.size()>& sections() const { return sections_; }
  [[nodiscard]] uint64_t id() const { return header_.id; }

 private:
  std::string_view bytes_;
  const std::string& file_;
  Header header_{};
  std::array<Section, kNames.size()> sections_{};
};

enum SectionNumber : size_t { kAlphabet, kSlots, kCounts, kLogs, kWeights, kIdfIds, kIdf, kHmm, kEmissions, kStopWords, kNumbers };

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

constexpr uint32_t kNobody = UINT32_MAX;

// base -> the slot that has it. Empty if two have the same.
std::vector<uint32_t> slots_by_base(std::span<const Slot> slots, size_t codes) {
  uint32_t largest = 0;
  for (const Slot slot : slots) largest = std::max(largest, base_of(slot));
  std::vector<uint32_t> by_base(largest + size_t{1}, kNobody);
  for (size_t i = 0; i < slots.size(); ++i) {
    const uint32_t base = base_of(slots[i]);
    if (base == kNoChildren || label_of(slots[i]) >= codes) continue;
    if (base == kRootBase || by_base[base] != kNobody) return {};
    by_base[base] = static_cast<uint32_t>(i);
  }
  return by_base;
}

// Steps from the root to the node farthest from it: how long the longest word is. Empty if two nodes have the same base, so that the slots
// are not a tree. `codes`: labels from there on are of empty slots. Time and memory in proportion to the slots.
//
// A slot's label gives the base of its parent, and a base has one slot: so each slot has at most one parent, and no slot reachable from the
// root is in a cycle.
std::optional<size_t> trie_depth(std::span<const Slot> slots, size_t codes) {
  const std::vector<uint32_t> by_base = slots_by_base(slots, codes);
  if (by_base.empty()) return std::nullopt;
  constexpr uint32_t kUnknown = 0;
  constexpr uint32_t kUnreachable = UINT32_MAX;  // or on the path up from there
  std::vector<uint32_t> depths(slots.size(), kUnknown);
  std::vector<uint32_t> way;
  uint32_t deepest = 0;
  for (size_t i = 0; i < slots.size(); ++i) {
    way.clear();
    uint32_t above = kUnreachable;
    for (auto at = static_cast<uint32_t>(i);;) {
      above = depths[at];
      if (above != kUnknown) break;
      depths[at] = above = kUnreachable;
      const uint16_t label = label_of(slots[at]);
      if (label >= codes || label > at) break;
      way.push_back(at);
      const uint32_t base = at - label;
      above = 0;
      if (base == kRootBase) break;
      above = kUnreachable;
      if (base >= by_base.size() || by_base[base] == kNobody) break;
      at = by_base[base];
    }
    if (above == kUnreachable) continue;
    for (; !way.empty(); way.pop_back()) depths[way.back()] = ++above;
    deepest = std::max(deepest, above);
  }
  return deepest;
}

void check_trie(const Reader& reader, const Tables& tables) {
  const size_t codes = tables.alphabet.size();
  reader.require(codes >= 1 && codes - 1 <= kMaxCode, kAlphabet, fmt::format("{} characters, expected 1 to {}", codes, kMaxCode));
  const bool legal = std::all_of(tables.alphabet.begin(), tables.alphabet.end(), [](char32_t c) { return c < 0x110000; });
  reader.require(legal, kAlphabet, "holds a number that is not a code point");
  reader.require(tables.slots.size() >= codes + kNoChildren + 1, kSlots,
                 fmt::format("{} slots for {} characters", tables.slots.size(), codes));
  // A step from a node adds a code to its base.
  const size_t largest = std::min<size_t>(tables.slots.size() - codes, kMaxBase);
  uint32_t base = 0;
  uint32_t value = 0;
  bool labelled = true;
  for (const Slot slot : tables.slots) {
    base = std::max(base, base_of(slot));
    value = std::max(value, value_of(slot));
    labelled = labelled && label_of(slot) != 0;
  }
  reader.require(labelled, kSlots, "a slot for the code 0, which means characters of no word");
  reader.require(base <= largest, kSlots, fmt::format("a base of {}, but the maximum here is {}", base, largest));
  reader.require(value < tables.counts.size(), kSlots,
                 fmt::format("value {} is out of range, there are only {}", value, tables.counts.size()));
  const std::optional<size_t> longest = trie_depth(tables.slots, codes);
  reader.require(longest.has_value(), kSlots, "two nodes have the same base");
  reader.require(longest <= kMaxWordCharacters, kSlots,
                 fmt::format("a word may have at most {} characters, one has {}", kMaxWordCharacters, longest.value_or(0)));
}

void check_numbers(const Reader& reader, const Tables& tables) {
  const size_t values = tables.counts.size();
  reader.require(values >= kFirstWord && values <= kMaxValue, kCounts, fmt::format("{} values", values));
  reader.require(tables.logs.size() == values && all_finite(tables.logs), kLogs, fmt::format("expected {} finite numbers", values));
  reader.require(tables.weights.size() == values && all_finite(tables.weights), kWeights,
                 fmt::format("expected {} finite numbers", values));
  reader.require(tables.idf_ids.empty() || tables.idf_ids.size() == tables.slots.size(), kIdfIds,
                 fmt::format("{} numbers for {} slots", tables.idf_ids.size(), tables.slots.size()));
  reader.require(tables.idf.empty() == tables.idf_ids.empty() && all_finite(tables.idf), kIdf, "expected finite numbers");
  uint32_t idf_id = 0;
  for (const uint32_t id : tables.idf_ids) idf_id = std::max(idf_id, id);
  reader.require(tables.idf_ids.empty() || idf_id < tables.idf.size(), kIdfIds,
                 fmt::format("number {} is out of range, there are only {}", idf_id, tables.idf.size()));
  reader.require(tables.hmm.empty() || tables.hmm.size() == kStates + kStates * kStates, kHmm,
                 fmt::format("{} numbers", tables.hmm.size()));
  reader.require(all_finite(tables.hmm), kHmm, "expected finite numbers");
  reader.require(tables.emissions.size() == (tables.hmm.empty() ? 0 : kStates * tables.alphabet.size()), kEmissions,
                 fmt::format("{} numbers for {} characters", tables.emissions.size(), tables.alphabet.size()));
  reader.require(all_finite(tables.emissions), kEmissions, "expected finite numbers");
}

}  // namespace

std::string serialize(const Tables& tables) {
  const Numbers numbers{tables.total, tables.words};
  const std::array<std::string_view, kNames.size()> contents{bytes_of(tables.alphabet),
                                                             bytes_of(tables.slots),
                                                             bytes_of(tables.counts),
                                                             bytes_of(tables.logs),
                                                             bytes_of(tables.weights),
                                                             bytes_of(tables.idf_ids),
                                                             bytes_of(tables.idf),
                                                             bytes_of(tables.hmm),
                                                             bytes_of(tables.emissions),
                                                             tables.stop_words,
                                                             bytes_of(std::span<const Numbers>(&numbers, 1))};
  std::array<Section, kNames.size()> sections{};
  std::string file(sizeof(Header) + sizeof(sections), '\0');
  for (size_t i = 0; i < kNames.size(); ++i) {
    file.resize((file.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
    std::copy(kNames[i].begin(), kNames[i].end(), sections[i].name.begin());
    sections[i].offset = file.size();
    sections[i].bytes = contents[i].size();
    sections[i].hash = hash64(contents[i]);
    file += contents[i];
  }
  Header header{};
  std::copy(kMagic.begin(), kMagic.end(), header.magic.begin());
  header.version = kFormatVersion;
  header.sections = kNames.size();
  header.file_bytes = file.size();
  header.id = hash64({reinterpret_cast<const char*>(sections.data()), sizeof(sections)});
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + sizeof(header), sections.data(), sizeof(sections));
  return file;
}

Tables parse(std::string_view bytes, const std::string& file) {
  const Reader reader(bytes, file);
  Tables tables;
  tables.alphabet = reader.section<char32_t>(kAlphabet);
  tables.slots = reader.section<Slot>(kSlots);
  tables.counts = reader.section<uint64_t>(kCounts);
  tables.logs = reader.section<double>(kLogs);
  tables.weights = reader.section<double>(kWeights);
  tables.idf_ids = reader.section<uint32_t>(kIdfIds);
  tables.idf = reader.section<double>(kIdf);
  tables.hmm = reader.section<double>(kHmm);
  tables.emissions = reader.section<double>(kEmissions);
  const auto stop_words = reader.section<char>(kStopWords);
  tables.stop_words = {stop_words.data(), stop_words.size()};
  const auto numbers = reader.section<Numbers>(kNumbers);
  reader.require(numbers.size() == 1, kNumbers, "wrong size");
  tables.total = numbers[0].total;
  tables.words = numbers[0].words;
  reader.require(tables.total > 0, kNumbers, "the frequencies sum to 0");
  check_numbers(reader, tables);
  check_trie(reader, tables);
  return tables;
}

std::vector<SectionInfo> list_sections(std::string_view bytes) {
  const std::string file;
  const Reader reader(bytes, file);
  std::vector<SectionInfo> list;
  for (size_t i = 0; i < kNames.size(); ++i) list.push_back({std::string(kNames[i]), reader.sections()[i].bytes});
  return list;
}

uint64_t contents_id(std::string_view bytes) {
  const std::string file;
  return Reader(bytes, file).id();
}

}  // namespace neardup::jieba
