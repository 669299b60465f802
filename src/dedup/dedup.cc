#include "neardup/dedup.h"

#include "dedup/engine.h"
#include "dedup/groups.h"
#include "dedup/output_pass.h"
#include "dedup/verdicts.h"

namespace neardup {

Summary dedup(const Options& options, const DedupRun& job) {
  Engine engine(options, *job.source, job.reference_sources, job.rejects, {job.progress, job.stop}, job.reference_indexes);
  engine.find_candidates();

  std::vector<Removal> removals;
  GroupStats stats;
  if (job.sinks.empty()) --engine.known.pass_count;
  PassSteps steps = engine.group_steps("decide");
  engine.timed("decide", engine.features.total_features() * sizeof(uint64_t), [&] {
    removals = engine.choice.unverified ? solve_groups_unverified(engine.table, engine.candidates, engine.choice.rule.lsh, options.cluster)
                                        : solve_groups(engine.matcher(&steps), options.cluster, engine.threads, stats);
  });
  add_witnesses(engine.witnesses, engine.choice.rule.bits, removals);
  engine.summary.verifications = stats.verifications;
  engine.summary.capped_documents = stats.capped_documents;

  const Verdicts verdicts(engine.table, engine.copy_of, std::move(removals), engine.choice.unverified ? engine.choice.rule.lsh : LshPlan{},
                          engine.witnesses);
  verdicts.count(engine.summary);
  engine.known.duplicates = engine.summary.removed;
  if (!job.sinks.empty()) {
    engine.timed("output", engine.summary.text_bytes,
                 [&] { run_output_pass(engine.source, engine.table, verdicts, job.sinks, engine.threads, engine.monitor); });
  }
  Outputs outputs;
  for (Sink* sink : job.sinks) outputs.add(sink);
  outputs.add(job.rejects);
  outputs.commit();
  engine.finish_summary();
  return std::move(engine.summary);
}

}  // namespace neardup
