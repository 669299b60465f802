// Document frequencies of a corpus: fit_frequencies() makes a table, merge_frequencies() adds tables, read_frequencies() describes one.
// docs/weights.md defines the file and the weights made from it.
//
//   neardup::FrequencyRun run;
//   run.source = source.get();
//   run.output = "corpus.idf";
//   neardup::fit_frequencies(options, run);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct FrequencyRun : RunHooks {
  std::string output;           ///< the table
  std::string words;            ///< not empty: the most frequent tokens as a table for people (TSV); the source is read twice then
  uint64_t top_words = 10'000;  ///< at most, in `words`
  uint32_t min_documents = 1;   ///< tokens in fewer documents are left out; 1: none
};

struct FrequencyInfo {
  struct Token {
    uint64_t hash = 0;
    uint32_t documents = 0;
    double idf = 0;    ///< exact: a multiple of 2^-16
    std::string word;  ///< with tabs, line ends and backslashes as \t, \n, \r, \\; empty if the table does not have it
  };
  uint64_t id = 0;
  uint64_t documents = 0;
  uint64_t tokens = 0;
  uint32_t min_documents = 1;
  std::string description;  ///< how tokens were made: the recipe's JSON, as far as it concerns tokens
  double unseen_idf = 0;
  std::vector<Token> top;  ///< most frequent first, the smallest hash first among equals
};

/// One pass, or two with `words`. Options used: recipe, threads, memory, temp_dir. The table is a function of the documents that were read
/// (not of their order) and the recipe. Its file also has the words of up to 1,000 of the most frequent tokens, for people: those that
/// occur in a sample of 4,096 texts. Throws Error; then nothing was committed. Fills the summary's counts of records read; kept is the
/// number of counted documents.
Summary fit_frequencies(const Options& options, const FrequencyRun& run);

/// The table of all documents of the inputs together, byte by byte what fit_frequencies() would have made of them at once; the words of its
/// most frequent tokens are those that the inputs have. Throws
/// Error{kUsage} for tables of different tokens, or from which tokens were left out. Options used: temp_dir.
void merge_frequencies(const Options& options, std::span<const std::string> inputs, const std::string& output, uint32_t min_documents);

/// Checks the whole table. Throws Error{kInput}.
FrequencyInfo read_frequencies(const std::string& path, size_t top);

}  // namespace neardup
