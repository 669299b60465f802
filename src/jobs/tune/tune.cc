#include "neardup/tools/tune.h"

#include <memory>
#include <utility>

#include "jobs/tune/advice.h"
#include "jobs/tune/change_statistics.h"
#include "jobs/tune/corpus_statistics.h"
#include "jobs/tune/expected_removals.h"
#include "jobs/tune/read_corpus.h"
#include "jobs/tune/renamed_copies.h"
#include "jobs/tune/sample_pairs.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr double kPages = 0.3;  // share of texts with markup from which on a corpus is one of pages

constexpr double kMostlyCode = 0.5;

// The options of a search in the sample: those of the machine, and defaults otherwise.
Options search_options(const Options& options) {
  Options search;
  search.threads = options.threads;
  search.memory = options.memory;
  search.temp_dir = options.temp_dir;
  return search;
}

// The texts of the sample with the names that examples show.
class SampleView {
 public:
  SampleView(const std::vector<NearSample::Document>& documents, const DocumentSource& source) {
    names_.reserve(documents.size());
    for (const NearSample::Document& document : documents) {
      names_.push_back(document.id.empty()
                           ? std::string(source.source_name(document.where.source)) + ":" + std::to_string(document.where.row)
                           : document.id);
      named_.push_back({document.text, names_.back()});
      texts_.push_back(document.text);
    }
  }
  [[nodiscard]] const std::vector<std::string_view>& texts() const noexcept { return texts_; }
  [[nodiscard]] const std::vector<SampleText>& named() const noexcept { return named_; }

 private:
  std::vector<std::string> names_;  // reserved: views into it stay valid
  std::vector<SampleText> named_;
  std::vector<std::string_view> texts_;
};

bool all_html(const DocumentSource& source) {
  for (uint32_t i = 0; i < source.source_count(); ++i) {
    if (!source.holds_html(i)) return false;
  }
  return source.source_count() > 0;
}

void count_copies(const std::vector<NearSample::Document>& documents, TunePairs& pairs) {
  pairs.texts = documents.size();
  for (const NearSample::Document& document : documents) pairs.documents += document.copies;
  if (pairs.documents > 0) pairs.exact_copies = static_cast<double>(pairs.documents - pairs.texts) / static_cast<double>(pairs.documents);
}

}  // namespace

TuneResult tune(const Options& options, const TuneRun& run) {
  const StopScope scope(&run.stop);
  TuneResult result;
  const NearSample::Limits limits{.texts = run.sample_documents, .bytes = run.sample_bytes};
  std::string clean = all_html(*run.source) ? "html" : "";
  auto reading = std::make_unique<CorpusReading>(limits);
  read_corpus(options, run, clean, *reading);
  result.corpus = describe_corpus(*reading, *run.source);
  if (clean.empty() && result.corpus.html >= kPages) {
    // Only reading tells that the records are pages. What matters of them is their text, so they are read again.
    const double html = result.corpus.html;
    clean = "html";
    reading = std::make_unique<CorpusReading>(limits);
    read_corpus(options, run, clean, *reading);
    result.corpus = describe_corpus(*reading, *run.source);
    result.corpus.html = html;
  } else if (!clean.empty()) {
    result.corpus.html = 1;
  }
  result.summary = std::move(reading->summary);

  const bool whole = reading->near.complete();
  const double share = reading->near.share();
  const std::vector<NearSample::Document> documents = reading->near.take();
  reading.reset();
  const SampleView sample(documents, *run.source);
  count_copies(documents, result.pairs);
  result.pairs.whole_corpus = whole;

  // What changes is looked at under the recipe that depends least on what a word is; the threshold is chosen under the advised recipe.
  Options search = search_options(options);
  search.recipe = result.pairs.recipe = "chars-5";
  {
    const SamplePairs pairs(search, sample.texts());
    examine_changes(sample.named(), pairs, share, options.threads, result.pairs);
  }
  if (result.corpus.code >= kMostlyCode) result.pairs.renamed = find_renamed_copies(search, sample.texts());
  const Finding finding(result.corpus, result.pairs);
  const RecipeRule& rule = choose_recipe(finding);
  search.recipe = rule.recipe;
  const SamplePairs pairs(search, sample.texts());
  result.advice = make_advice(finding, rule, clean, profile_of(pairs));

  search.threshold = result.advice.threshold;
  search.min_length = result.advice.min_length;
  result.expected = expected_removals(documents, whole, share, search, result.corpus.sources);
  return result;
}

}  // namespace neardup
