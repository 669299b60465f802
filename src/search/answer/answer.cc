#include "search/answer/answer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "neardup/stop.h"
#include "search/clue_length.h"
#include "search/find/find_containing.h"
#include "search/find/find_likely.h"
#include "search/hit_passage.h"
#include "search/search_run.h"

namespace neardup {
namespace {

void find_hits(SearchRun& run) {
  const Question& question = run.question();
  if (question.options().scan) {
    run.verify_all();
  } else if (question.resembles()) {
    find_similar(run);
  } else if (question.exact() && question.max_edits() == 0) {
    find_containing(run);
  } else {
    find_close(run);
  }
}

void fill_certainty(const SearchRun& run, ClueAnswer& answer) {
  const Question& question = run.question();
  if (question.options().scan) {
    answer.certainty = ClueCertainty::kScan;
  } else if (question.exact()) {
    answer.certainty = ClueCertainty::kExact;
  } else {
    answer.certainty = ClueCertainty::kLikely;
    answer.predicted_recall = question.resembles() ? run.predicted_recall
                                                   : predicted_clue_recall(question.points(), question.maker().shape, question.max_edits());
  }
}

void fill_length(const Question& question, ClueAnswer& answer) {
  const AnchorShape& shape = question.maker().shape;
  answer.form = question.form();
  answer.characters = static_cast<uint32_t>(question.points().size());
  answer.columns = question.columns();
  answer.min_run = shape.min_run_latin();
  answer.min_run_wide = shape.min_run_wide();
  answer.max_edits = question.max_edits();
  answer.guaranteed = question.guaranteed();
  answer.guaranteed_edits = question.guaranteed_edits();
}

void fill_hits(SearchRun& run, ClueAnswer& answer) {
  const std::vector<FoundText> found = run.hits().take();
  answer.hits.resize(found.size());
  const bool passages = run.question().options().passages;
  parallel_for(run.threads(), found.size(), 1, [&](uint32_t worker, size_t i) {
    ClueHit& hit = answer.hits[i];
    hit.id = found[i].id;
    hit.edits = found[i].match.edits;
    hit.overlap = found[i].match.overlap;
    hit.similarity = run.matcher().similarity(found[i].match);
    if (passages) describe_hit(run, found[i], run.worker(worker), hit);
  });
}

}  // namespace

ClueAnswer answer_question(const SearchView& view, const ClueMaker& maker, std::string_view clue, const ClueSearch& options,
                           std::vector<SearchWorker>& workers) {
  std::optional<StopScope> scope;
  if (options.stop) scope.emplace(&options.stop);
  const Question question(maker, clue, options);
  const uint32_t threads = options.scan || options.count_only ? resolve_threads(options.threads) : 1;
  if (workers.size() < threads) workers.resize(threads);
  // The last question may have been to another index.
  for (SearchWorker& worker : workers) worker.text_scratch.referred.reset();
  SearchRun run(view, question, std::span(workers).first(threads));
  find_hits(run);

  ClueAnswer answer;
  fill_length(question, answer);
  fill_certainty(run, answer);
  answer.count = run.hits().count();
  answer.capped = run.capped;
  answer.more = run.capped || run.overfull();
  // In the order of ids, reading ended within some batch, which says nothing.
  const bool in_order = !options.scan && !options.count_only && !question.resembles() && question.max_edits() == 0;
  if (in_order && answer.count > options.limit) answer.count = options.limit + 1;
  fill_hits(run, answer);
  answer.trace = std::move(run.trace);
  return answer;
}

std::string_view to_string(ClueCertainty certainty) noexcept {
  switch (certainty) {
    case ClueCertainty::kExact:
      return "exact";
    case ClueCertainty::kLikely:
      return "likely";
    case ClueCertainty::kScan:
      return "scan";
  }
  return "";
}

}  // namespace neardup
