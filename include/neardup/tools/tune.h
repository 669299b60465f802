// tune(): looks at samples of a corpus and recommends how to find its near-duplicates, with reasons and the removals to expect.
//
//   neardup::TuneRun run;
//   run.source = source.get();
//   const neardup::TuneResult result = neardup::tune(options, run);
//   std::cout << result.advice.recipe << '\n';
//
// One pass over the corpus (a second one if its texts turn out to be HTML) with bounded memory. The result is a function of the documents
// and their order, never of threads. Shares are of documents unless said otherwise. Everything about pairs comes from a sample in which
// near-duplicates come together (src/jobs/tune/near_sample.h); a corpus that fits into the sample is examined whole.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"
#include "neardup/tools/threshold.h"

namespace neardup {

struct TuneRun : RunHooks {
  uint32_t sample_documents = 10'000;          ///< different texts of the sample for pairs, at most
  uint64_t sample_bytes = uint64_t{32} << 20;  ///< of their texts
};

/// The corpus, without looking at pairs.
struct TuneCorpus {
  struct Source {
    std::string name;
    uint64_t documents = 0;
  };
  /// Documents with `from` to `to` characters (inclusive).
  struct LengthBin {
    uint64_t from = 0;
    uint64_t to = 0;
    uint64_t documents = 0;
  };
  struct Line {
    std::string text;
    double documents = 0;  ///< share that has it
  };
  enum Script { kLatin, kHan, kKana, kHangul, kCyrillic, kOtherScript };
  static constexpr size_t kScripts = 6;

  uint64_t documents = 0;
  uint64_t characters = 0;
  uint64_t empty = 0;                      ///< documents without a character that is not white space
  std::vector<Source> sources;             ///< in their order
  std::vector<LengthBin> lengths;          ///< without empty bins at either end
  uint64_t median_length = 0;              ///< in characters, within 10 %
  uint64_t sampled = 0;                    ///< documents that the following shares come from
  std::array<double, kScripts> scripts{};  ///< share of letters
  double html = 0;                         ///< share of documents with markup
  double code = 0;                         ///< share of documents that look like source code
  double short_texts = 0;                  ///< share of documents with fewer than 40 characters (20 of Chinese or Japanese)
  std::vector<Line> lines;                 ///< lines that many documents share, most frequent first
  double line_characters = 0;              ///< share of the characters in such lines
};

/// What changes between two near-duplicates, in most places.
enum class PairKind : uint8_t {
  kFacts,        ///< a few numbers or words are others, and nothing is added: one form, other facts
  kDigits,       ///< numbers, next to other changes
  kLetters,      ///< letters inside words, and words that are broken
  kWords,        ///< words
  kPunctuation,  ///< nothing but punctuation, spacing, case
  kBlocks,       ///< passages inserted, deleted or moved: half of the changed characters
};
inline constexpr size_t kPairKinds = 6;
/// "facts", "numbers", "letters", "words", "punctuation", "passages"
std::string_view name_of(PairKind kind) noexcept;

struct TunePairs {
  struct Example {
    std::string id_a;  ///< the user's, or SOURCE:ROW
    std::string id_b;
    double similarity = 0;
    PairKind kind = PairKind::kWords;
    std::string excerpt;  ///< around the largest change, changes as [-only in a-]{+only in b+}
  };
  struct Band {
    double from = 0;
    double to = 0;
    double pairs = 0;                        ///< expected in the corpus
    double documents = 0;                    ///< of the sample that are in such a pair
    uint64_t examined = 0;                   ///< pairs whose change was looked at
    std::array<double, kPairKinds> kinds{};  ///< share of these
    std::vector<Example> examples;
  };
  /// Texts of one form with other facts.
  struct Template {
    uint64_t documents = 0;  ///< of the sample
    std::string excerpt;
  };

  /// Source code in the sample that is near under code-5-renamed (0.6), but not under code-5 (0.5). Zeros unless the corpus is code.
  struct RenamedCopies {
    double only_renamed = 0;   ///< such pairs
    double near_pairs = 0;     ///< pairs that are near under code-5, for comparison
    uint64_t examined = 0;     ///< of the former, compared, with enough numbers and strings to tell
    uint64_t copies = 0;       ///< of these, with the same numbers and strings: only names were changed
    double same_literals = 0;  ///< share of `copies` in `examined`, each band of similarities by its number of pairs
    double pairs = 0;          ///< `only_renamed` times this share
  };

  uint64_t documents = 0;     ///< of the sample, exact copies included
  uint64_t texts = 0;         ///< different ones
  bool whole_corpus = false;  ///< the sample is all of it
  double exact_copies = 0;    ///< share of documents that repeat an earlier one
  uint64_t pairs = 0;         ///< pairs of the sample at 0.5 or above, under `recipe`
  std::string recipe;         ///< that similarities are of
  uint64_t examined = 0;
  std::array<double, kPairKinds> kinds{};  ///< share of the examined pairs
  double block_characters = 0;             ///< share of changed characters in inserted and deleted passages
  std::vector<Band> bands;                 ///< descending
  std::vector<Template> templates;         ///< largest first
  RenamedCopies renamed;
};

struct TuneAdvice {
  struct Reason {
    std::string option;  ///< "recipe", as in the option table, or "cleaning"
    std::string text;    ///< one sentence
  };
  std::string recipe = "words-5";
  std::string clean;  ///< value of the option; empty: as the recipe
  Threshold threshold = Threshold::from_millionths(800'000);
  uint32_t min_length = 0;  ///< in characters; 0: none
  std::vector<Reason> reasons;
  /// Pairs of the sample under `recipe`, by similarity, descending: why the threshold is where it is.
  struct Density {
    double from = 0;
    uint64_t pairs = 0;
    double cohesion = 1;  ///< share of near pairs among all pairs inside the groups that pairs from here up connect
  };
  std::vector<Density> densities;
  std::vector<std::string> notes;  ///< further findings that need a decision of people
};

/// Removals to expect with the advice.
struct TuneExpected {
  struct Removals {
    double low = 0;  ///< shares of documents
    double likely = 0;
    double high = 0;
  };
  struct Source {
    std::string name;
    uint64_t documents = 0;
    uint64_t sampled = 0;
    Removals removals;
  };
  Removals all;
  double exact = 0;  ///< the part of `all.likely` that are exact copies
  std::vector<Source> sources;
};

struct TuneResult {
  TuneCorpus corpus;
  TunePairs pairs;
  TuneAdvice advice;
  TuneExpected expected;
  Summary summary;  ///< of the reading
};

/// Of `options`, those for reading and the machine count. Throws Error, also when `max_rejects` says that rejected records fail the run.
TuneResult tune(const Options& options, const TuneRun& run);

}  // namespace neardup
