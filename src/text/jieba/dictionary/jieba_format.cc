#include "text/jieba/dictionary/jieba_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_sources.h"

namespace neardup::jieba {
namespace {

static_assert(std::endian::native == std::endian::little, "the dictionary file is little-endian and mapped as it is");

constexpr std::string_view kMagic = "NDJIEBA\n";

struct Header {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t sections;
  uint64_t file_bytes;
  uint64_t id;  // XXH3-64 of the section table, which holds the hash of every section
};
struct Numbers {
  uint64_t total;
  uint64_t words;
};
static_assert(sizeof(Header) == 32);

constexpr std::array<std::string_view, 11> kNames{"alphabet", "slots", "counts",    "logs",       "weights", "idf_ids",
                                                  "idf",      "hmm",   "emissions", "stop_words", "numbers"};

// Checks everything that the header says.
Header read_header(std::string_view bytes, const std::string& file) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorCode::kInput, fmt::format("dictionary '{}': header: {}", file, what));
  };
  Header header{};
  if (bytes.size() < sizeof(Header)) fail(fmt::format("{} bytes, expected at least {}", bytes.size(), sizeof(Header)));
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (std::string_view(header.magic.data(), 8) != kMagic) fail("this is not a dictionary of neardup");
  if (header.version != kFormatVersion && header.version != kFormatWithTags) {
    fail(fmt::format("format version {}, this program reads versions {} and {}; build the dictionary again", header.version, kFormatVersion,
                     kFormatWithTags));
  }
  if (header.file_bytes != bytes.size()) fail(fmt::format("expected {} bytes, found {}", header.file_bytes, bytes.size()));
  if (header.sections != kNames.size()) fail(fmt::format("{} sections, expected {}", header.sections, kNames.size()));
  return header;
}

SectionReader open_sections(std::string_view bytes, const std::string& file, const Header& header) {
  return {bytes, file, kNames, sizeof(Header), header.id};
}

enum SectionNumber : size_t { kAlphabet, kSlots, kCounts, kLogs, kWeights, kIdfIds, kIdf, kHmm, kEmissions, kStopWords, kNumbers };

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

void check_trie(const SectionReader& reader, const Tables& tables) {
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
  bool childless = true;
  for (size_t i = 0; i < tables.slots.size(); ++i) {
    const Slot slot = tables.slots[i];
    base = std::max(base, base_of(slot));
    value = std::max(value, value_of(slot));
    labelled = labelled && label_of(slot) != 0;
    childless = childless && (label_of(slot) >= codes || label_of(slot) + size_t{kNoChildren} != i);
  }
  reader.require(labelled, kSlots, "a slot for the code 0, which means characters of no word");
  reader.require(childless, kSlots, fmt::format("a child of the base {}, which means no children", kNoChildren));
  reader.require(base <= largest, kSlots, fmt::format("a base of {}, but the maximum here is {}", base, largest));
  reader.require(value < tables.counts.size(), kSlots,
                 fmt::format("value {} is out of range, there are only {}", value, tables.counts.size()));
  const std::optional<size_t> longest = trie_depth(tables.slots, codes);
  reader.require(longest.has_value(), kSlots, "two nodes have the same base");
  reader.require(longest <= kMaxWordCharacters, kSlots,
                 fmt::format("a word may have at most {} characters, one has {}", kMaxWordCharacters, longest.value_or(0)));
}

void check_numbers(const SectionReader& reader, const Tables& tables) {
  const size_t values = tables.counts.size();
  reader.require(values >= kFirstWord && values <= kMaxValue, kCounts, fmt::format("{} values", values));
  const uint64_t largest = *std::max_element(tables.counts.begin(), tables.counts.end());
  reader.require(largest <= kMaxFrequency, kCounts, fmt::format("a frequency of {}, expected at most {}", largest, kMaxFrequency));
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
  std::string file(sizeof(Header), '\0');
  Header header{};
  std::copy(kMagic.begin(), kMagic.end(), header.magic.begin());
  header.version = tables.tags.empty() ? kFormatVersion : kFormatWithTags;
  header.sections = kNames.size();
  header.id = append_sections(file, kNames, contents);
  // After everything that has the id: tags do not change the words, so they do not change it either.
  if (!tables.tags.empty()) append_tags(tables.tags, file);
  header.file_bytes = file.size();
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

Tables parse(std::string_view bytes, const std::string& file) {
  const Header header = read_header(bytes, file);
  const SectionReader reader = open_sections(bytes, file, header);
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
  reader.require(tables.total > 0 && tables.total <= kMaxFrequency, kNumbers,
                 fmt::format("the frequencies sum to {}, expected 1 to {}", tables.total, kMaxFrequency));
  check_numbers(reader, tables);
  check_trie(reader, tables);
  if (header.version == kFormatWithTags) {
    tables.tags = parse_tags(bytes, file, reader.end(), tables.slots.size(), tables.alphabet.size());
  } else if (reader.end() != bytes.size()) {
    reader.fail(fmt::format("header: format version {} ends after {} bytes, found {}", kFormatVersion, reader.end(), bytes.size()));
  }
  return tables;
}

std::vector<SectionInfo> list_sections(std::string_view bytes) {
  const std::string file;
  const Header header = read_header(bytes, file);
  const SectionReader reader = open_sections(bytes, file, header);
  std::vector<SectionInfo> list = reader.list();
  if (header.version == kFormatWithTags) {
    for (SectionInfo& section : list_tag_sections(bytes, file, reader.end())) list.push_back(std::move(section));
  }
  return list;
}

uint64_t contents_id(std::string_view bytes) {
  return read_header(bytes, "").id;
}

}  // namespace neardup::jieba
