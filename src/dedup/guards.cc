#include "dedup/guards.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/percent.h"
#include "neardup/error.h"
#include "neardup/tools/printable.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

// Documents of one input, or of all inputs of one document.
struct Loss {
  uint64_t documents = 0;
  uint64_t removed = 0;
};

// What an input loses to one other, or to itself.
struct Winner {
  uint64_t removals = 0;
  uint32_t example = kNoDocument;  // the first document removed for one of its documents
};

std::string quoted_name(const NamedDocument& document) {
  constexpr size_t kMaxBytes = 100;  // an id may be a whole page
  const std::string name = document.name();
  return fmt::format("'{}'", printable(name.size() <= kMaxBytes ? name : fmt::format("{}:{}", document.source, document.row)));
}

NamedDocument named_place(const DocumentSource& source, const DocumentId& place, std::string_view id) {
  return {.id = std::string(id), .source = std::string(source.source_name(place.source)), .row = place.row};
}

// The input that most removals of the documents chosen by is_chosen(place) are due to, as the end of a sentence.
template <typename IsChosen>
std::string main_winner(const GuardedRun& run, const IsChosen& is_chosen) {
  std::vector<Winner> winners(run.source.source_count());
  for (uint32_t d = 0; d < run.table.size(); ++d) {
    if (run.table.reference(d) || !is_chosen(run.table.place(d))) continue;
    const Verdict verdict = run.verdicts.of(d);
    if (verdict.decision == Decision::kKeep) continue;
    Winner& winner = winners[verdict.keeper.source];
    ++winner.removals;
    winner.example = std::min(winner.example, d);
  }
  const auto most = std::ranges::max_element(winners, {}, &Winner::removals);
  const uint32_t example = most->example;
  const Verdict verdict = run.verdicts.of(example);
  return fmt::format("{} of them match documents of '{}', as {} matches {} (similarity {:.3f})", grouped(most->removals),
                     run.source.source_name(static_cast<uint32_t>(most - winners.begin())),
                     quoted_name(named_place(run.source, run.table.place(example), run.table.id(example))),
                     quoted_name(named_place(run.source, verdict.keeper, verdict.keeper_id)), verdict.similarity);
}

void check_removed(const GuardedRun& run) {
  const uint32_t bound = run.options.max_removed.millionths();
  if (bound == kWholeMillionths) return;
  std::vector<Loss> losses(run.source.source_count());
  for (uint32_t d = 0; d < run.table.size(); ++d) {
    if (run.table.reference(d)) continue;
    Loss& loss = losses[run.table.place(d).source];
    ++loss.documents;
    loss.removed += static_cast<uint64_t>(run.verdicts.of(d).decision == Decision::kRemove);
  }
  Loss single;
  for (const Loss& loss : losses) {
    if (loss.documents != 1) continue;
    ++single.documents;
    single.removed += loss.removed;
  }
  const auto exceeds = [&](const Loss& loss) { return is_above_share(loss.removed, loss.documents, bound); };
  // The share is rounded up, so that it is always above the bound.
  const auto fail = [&](const std::string& whose, const Loss& loss, const std::string& winner) {
    throw Error(
        ErrorCode::kResource,
        fmt::format("too many documents of {} would be removed: {} of {} ({}; --max-removed allows {}); {}. Nothing was written. "
                    "--max-removed 100% accepts this, and neardup explain and neardup report then show why",
                    whose, grouped(loss.removed), grouped(loss.documents),
                    percent_text((loss.removed * kWholeMillionths + loss.documents - 1) / loss.documents), percent_text(bound), winner));
  };
  for (uint32_t source = 0; source < losses.size(); ++source) {
    if (losses[source].documents < 2 || !exceeds(losses[source])) continue;
    fail(fmt::format("'{}'", run.source.source_name(source)), losses[source],
         main_winner(run, [&](const DocumentId& place) { return place.source == source; }));
  }
  if (!exceeds(single)) return;
  const auto first = static_cast<uint32_t>(std::ranges::find(losses, uint64_t{1}, &Loss::documents) - losses.begin());
  fail(single.documents == 1 ? fmt::format("'{}'", run.source.source_name(first))
                             : fmt::format("the {} inputs of one document", grouped(single.documents)),
       single, main_winner(run, [&](const DocumentId& place) { return losses[place.source].documents == 1; }));
}

void check_largest_cluster(const GuardedRun& run, const Summary& summary) {
  const uint64_t bound = run.options.max_cluster;
  if (bound == 0 || summary.largest_cluster <= bound) return;
  throw Error(
      ErrorCode::kResource,
      fmt::format("a cluster is too large: {} (--max-cluster allows {}), with the keeper {}. Nothing was written. Texts that share a "
                  "template or boilerplate make large clusters; --max-cluster 0 accepts this, and neardup explain and neardup "
                  "report then show what its documents share",
                  counted(summary.largest_cluster, "document"), grouped(bound), quoted_name(summary.largest_cluster_keeper)));
}

}  // namespace

void check_guards(const GuardedRun& run, const Summary& summary) {
  check_removed(run);
  check_largest_cluster(run, summary);
}

}  // namespace neardup
