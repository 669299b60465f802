#include "text/jieba/dictionary/jieba_tag_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>

#include "neardup/error.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {
namespace {

constexpr std::string_view kTagMagic = "NDTAGS\n\n";

struct TagHeader {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t sections;
  uint64_t id;  // XXH3-64 of the table of sections
};
static_assert(sizeof(TagHeader) == 24);

constexpr std::array<std::string_view, 8> kTagNames{"tags",     "word_tags",       "tag_states",     "tag_start", "tag_transitions",
                                                    "tag_rows", "tag_cell_states", "tag_cell_values"};
enum TagSection : size_t { kTags, kWordTags, kTagStates, kTagStart, kTagTransitions, kTagRows, kTagCellStates, kTagCellValues };

SectionReader open_tag_sections(std::string_view bytes, const std::string& file, size_t words_end) {
  const auto fail = [&](const std::string& what) { throw Error(ErrorCode::kInput, fmt::format("dictionary '{}': tags: {}", file, what)); };
  const size_t at = section_start(words_end);
  if (at > bytes.size() || bytes.size() - at < sizeof(TagHeader)) fail("cut off");
  TagHeader header{};
  std::memcpy(&header, bytes.data() + at, sizeof(header));
  if (std::string_view(header.magic.data(), header.magic.size()) != kTagMagic) fail("wrong magic");
  if (header.version != kTagFormatVersion) {
    fail(fmt::format("format version {}, this program reads version {}; build the dictionary again", header.version, kTagFormatVersion));
  }
  if (header.sections != kTagNames.size()) fail(fmt::format("{} sections, expected {}", header.sections, kTagNames.size()));
  return {bytes, file, kTagNames, at + sizeof(TagHeader), header.id};
}

void check_names(const SectionReader& reader, const TagTables& tables) {
  const std::vector<std::string_view> names = split_tags(tables.names);
  reader.require(tables.names.ends_with('\n') && is_valid_utf8(tables.names), kTags, "expected lines of UTF-8");
  reader.require(names.size() >= kFixedTags && names.size() <= kMaxTags, kTags,
                 fmt::format("{} tags, expected {} to {}", names.size(), size_t{kFixedTags}, kMaxTags));
  reader.require(names[kTagX] == "x" && names[kTagM] == "m" && names[kTagEng] == "eng", kTags, "expected x, m and eng first");
  const auto others = names.begin() + kFixedTags;
  const bool ascending = std::adjacent_find(others, names.end(), std::greater_equal<>()) == names.end();
  const bool named = others == names.end() || !others->empty();
  const auto is_other = [&](std::string_view name) { return std::find(others, names.end(), name) != names.end(); };
  reader.require(ascending && named && std::none_of(names.begin(), others, is_other), kTags, "expected each tag once, by their bytes");
  const auto known = [&](uint32_t tag) { return tag < names.size(); };
  reader.require(std::all_of(tables.word_tags.begin(), tables.word_tags.end(), known), kWordTags, "a tag without a name");
  const auto is_state = [&](uint32_t state) { return state >> 16 < 4 && known(state & 0xFFFF); };
  const auto wrong = std::find_if_not(tables.states.begin(), tables.states.end(), is_state);
  if (wrong != tables.states.end()) reader.fail(kTagStates, fmt::format("{:#x} is not a state", *wrong));
}

void check_hmm(const SectionReader& reader, const TagTables& tables, size_t codes) {
  const size_t states = tables.states.size();
  reader.require(states >= 1 && states <= kMaxTagStates, kTagStates, fmt::format("{} states, expected 1 to {}", states, kMaxTagStates));
  reader.require(tables.start.size() == states && all_finite(tables.start), kTagStart, fmt::format("expected {} finite numbers", states));
  const auto possible = [](double value) { return std::isfinite(value) || value == kNoTransition; };
  reader.require(
      tables.transitions.size() == states * states && std::all_of(tables.transitions.begin(), tables.transitions.end(), possible),
      kTagTransitions, fmt::format("expected {} numbers, finite or minus infinity", states * states));
  const std::span<const uint32_t> rows = tables.rows;
  const size_t cells = tables.cell_states.size();
  reader.require(rows.size() == codes + 1 && std::is_sorted(rows.begin(), rows.end()) && rows.front() == 0 && rows.back() == cells,
                 kTagRows, fmt::format("expected {} ascending numbers from 0 to {}", codes + 1, cells));
  reader.require(tables.cell_values.size() == cells && all_finite(tables.cell_values), kTagCellValues,
                 fmt::format("expected {} finite numbers", cells));
  for (size_t code = 0; code < codes; ++code) {
    for (uint32_t i = rows[code]; i < rows[code + 1]; ++i) {
      const uint32_t state = tables.cell_states[i] & ~uint32_t{kListed};
      const bool ascending = i == rows[code] || state > (tables.cell_states[i - 1] & ~uint32_t{kListed});
      if (state >= states || !ascending) reader.fail(kTagCellStates, fmt::format("state {} at {}, of {} states", state, i, states));
    }
  }
}

}  // namespace

std::vector<std::string_view> split_tags(std::string_view names) {
  std::vector<std::string_view> list;
  while (!names.empty()) {
    const size_t end = std::min(names.find('\n'), names.size());
    list.push_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return list;
}

void append_tags(const TagTables& tables, std::string& file) {
  const std::array<std::string_view, kTagNames.size()> contents{tables.names,
                                                                bytes_of(tables.word_tags),
                                                                bytes_of(tables.states),
                                                                bytes_of(tables.start),
                                                                bytes_of(tables.transitions),
                                                                bytes_of(tables.rows),
                                                                bytes_of(tables.cell_states),
                                                                bytes_of(tables.cell_values)};
  const size_t at = section_start(file.size());
  file.resize(at + sizeof(TagHeader), '\0');
  TagHeader header{};
  std::copy(kTagMagic.begin(), kTagMagic.end(), header.magic.begin());
  header.version = kTagFormatVersion;
  header.sections = kTagNames.size();
  header.id = append_sections(file, kTagNames, contents);
  std::memcpy(file.data() + at, &header, sizeof(header));
}

TagTables parse_tags(std::string_view bytes, const std::string& file, size_t words_end, size_t slots, size_t codes) {
  const SectionReader reader = open_tag_sections(bytes, file, words_end);
  TagTables tables;
  const auto names = reader.section<char>(kTags);
  tables.names = {names.data(), names.size()};
  tables.word_tags = reader.section<uint16_t>(kWordTags);
  tables.states = reader.section<uint32_t>(kTagStates);
  tables.start = reader.section<double>(kTagStart);
  tables.transitions = reader.section<double>(kTagTransitions);
  tables.rows = reader.section<uint32_t>(kTagRows);
  tables.cell_states = reader.section<uint16_t>(kTagCellStates);
  tables.cell_values = reader.section<double>(kTagCellValues);
  reader.require(tables.word_tags.size() == slots, kWordTags, fmt::format("{} tags for {} slots", tables.word_tags.size(), slots));
  check_names(reader, tables);
  check_hmm(reader, tables, codes);
  if (reader.end() != bytes.size()) reader.fail(fmt::format("tags: expected the end after {} bytes, found {}", reader.end(), bytes.size()));
  return tables;
}

std::vector<SectionInfo> list_tag_sections(std::string_view bytes, const std::string& file, size_t words_end) {
  return open_tag_sections(bytes, file, words_end).list();
}

}  // namespace neardup::jieba
