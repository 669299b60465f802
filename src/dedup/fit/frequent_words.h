// FrequentWords: finds the words behind the most frequent hashes of a table, for people.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "features/frequency_writer.h"
#include "neardup/sketcher.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

class FrequentWords {
 public:
  /// `wanted` in the order of the table.
  FrequentWords(const std::vector<HashCount>& wanted, uint32_t workers);

  /// Workers in parallel.
  void look_at(uint32_t worker, const TokenBuffer& tokens);

  /// A header and one line a word, tab-separated: word, documents, idf (six decimals), hash (16 hexadecimal digits). Tabs, line ends and
  /// backslashes in words are written as \t, \n, \r, \\. Where words share a hash, the least of them stands for all.
  [[nodiscard]] std::string table(uint64_t documents) const;

 private:
  const std::vector<HashCount>& wanted_;
  std::unordered_map<uint64_t, size_t> place_;   // hash to index in wanted_
  std::vector<std::vector<std::string>> words_;  // by worker and index; empty: not seen (no token is empty)
};

}  // namespace neardup
