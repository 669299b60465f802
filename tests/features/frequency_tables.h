// Tables of document frequencies for tests: made in memory by the slow and obvious way.
#pragma once

#include <xxhash.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "features/document_frequency.h"

namespace neardup::testing {

struct TableParts {
  std::string magic = "neardupF";
  uint32_t version = 1;
  std::string description = "{}";
  uint64_t documents = 0;
  uint64_t entries = 0;
  uint32_t least = 1;
  std::vector<uint64_t> hashes;
  std::vector<uint32_t> counts;
};

template <typename Number>
void append_number(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::string with_checksum(std::string bytes) {
  append_number(bytes, XXH3_64bits(bytes.data(), bytes.size()));
  return bytes;
}

/// By the page docs/weights.md.
inline std::string table_bytes(const TableParts& parts) {
  const auto pad = [](std::string& bytes) { bytes.resize((bytes.size() + 7) / 8 * 8); };
  std::string bytes = parts.magic;
  append_number(bytes, parts.version);
  append_number(bytes, static_cast<uint32_t>(parts.description.size()));
  append_number(bytes, parts.documents);
  append_number(bytes, parts.entries);
  append_number(bytes, parts.least);
  append_number(bytes, uint32_t{0});
  bytes += parts.description;
  pad(bytes);
  for (const uint64_t hash : parts.hashes) append_number(bytes, hash);
  for (const uint32_t count : parts.counts) append_number(bytes, count);
  pad(bytes);
  return with_checksum(bytes);
}

inline TableParts parts_of(const std::map<uint64_t, uint32_t>& counts, uint64_t documents) {
  TableParts parts;
  parts.documents = documents;
  parts.entries = counts.size();
  for (const auto& [hash, count] : counts) {
    parts.hashes.push_back(hash);
    parts.counts.push_back(count);
  }
  return parts;
}

inline DocumentFrequencyTable table_of(const std::map<std::string, uint32_t>& words, uint64_t documents) {
  std::map<uint64_t, uint32_t> counts;
  for (const auto& [word, count] : words) counts[hash64(word)] = count;
  return DocumentFrequencyTable::parse(table_bytes(parts_of(counts, documents)), "a table of a test");
}

}  // namespace neardup::testing
