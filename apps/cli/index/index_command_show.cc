// neardup index stat and verify.
#include <fmt/format.h>

#include "cli/index/index_command.h"
#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "cli/reporter.h"
#include "cli/say.h"
#include "cli/text_format.h"
#include "neardup/tools/index_documents.h"

namespace neardup::cli {
namespace {

struct Sums {
  uint64_t bytes = 0;
  uint64_t distinct = 0;  // those of the segments, which may share some
  explicit Sums(const HammingStoreStat& stat) {
    for (const HammingSegmentStat& segment : stat.segments) {
      bytes += segment.bytes;
      distinct += segment.distinct;
    }
  }
  [[nodiscard]] double per_entry(uint64_t entries) const {
    return entries == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(entries);
  }
};

void say_stat_text(const HammingStoreStat& stat) {
  const Sums sums(stat);
  const HammingStoreSpec& spec = stat.spec;
  const std::string name = spec.recipe_id == 0 ? "not known" : preset_with_id(spec.recipe_id);
  say("index         {}\n", stat.folder);
  say("recipe        {}\n", spec.recipe_id == 0 ? name : fmt::format("{:016x}{}", spec.recipe_id, name.empty() ? "" : " (" + name + ")"));
  say("fingerprints  {} bits, distance at most {}\n", spec.bits, spec.radius);
  say("ids           {}\n", spec.names ? "names" : "numbers");
  say("entries       {}{}\n", grouped(stat.entries),
      stat.removed_ids == 0 ? "" : fmt::format(", {} to be dropped by the next merge", counted(stat.removed_ids, "removed id")));
  say("distinct      {}{}\n", grouped(sums.distinct), stat.segments.size() > 1 ? ", summed over the segments" : "");
  say("bytes         {} ({:.1f} an entry)\n", grouped(sums.bytes), sums.per_entry(stat.entries));
  say("segments      {}\n", stat.segments.size());
  if (stat.segments.empty()) return;
  say("\n{:<20} {:>14} {:>14} {:>16}   {}\n", "segment", "entries", "distinct", "bytes", "plan (bits+flips of each table)");
  for (const HammingSegmentStat& segment : stat.segments) {
    say("{:<20} {:>14} {:>14} {:>16}   {}\n", segment.file, grouped(segment.entries), grouped(segment.distinct), grouped(segment.bytes),
        segment.plan.empty() ? "a scan" : segment.plan);
  }
}

void say_stat_json(const HammingStoreStat& stat) {
  const Sums sums(stat);
  std::string segments;
  for (const HammingSegmentStat& segment : stat.segments) {
    segments += fmt::format(R"({}{{"file":{},"entries":{},"distinct":{},"bytes":{},"plan":{}}})", segments.empty() ? "" : ",",
                            json_quote(segment.file), segment.entries, segment.distinct, segment.bytes, json_quote(segment.plan));
  }
  const HammingStoreSpec& spec = stat.spec;
  say_json(fmt::format(
      R"({{"index":{},"recipe_id":{},"recipe":{},"bits":{},"max_distance":{},"names":{},"entries":{},"removed_ids":{},"distinct":{},)"
      R"("bytes":{},"bytes_per_entry":{:.2f},"segments":[{}]}})"
      "\n",
      json_quote(stat.folder), spec.recipe_id == 0 ? "null" : fmt::format("\"{:016x}\"", spec.recipe_id),
      spec.recipe.empty() ? "null" : spec.recipe, spec.bits, spec.radius, spec.names, stat.entries, stat.removed_ids, sums.distinct,
      sums.bytes, sums.per_entry(stat.entries), segments));
}

}  // namespace

int show_index(const IndexJob& job, Reporter&) {
  end_by_interrupts();
  const HammingStoreStat stat = with_index(job.folder, HammingAccess::kRead, [](auto& store) { return store.stat(); });
  job.invocation.has("json") ? say_stat_json(stat) : say_stat_text(stat);
  return kDone;
}

int verify_index(const IndexJob& job, Reporter& reporter) {
  end_by_interrupts();
  return with_index(job.folder, HammingAccess::kRead, [&](auto& store) -> int {
    store.verify(job.invocation.options.threads);
    const HammingStoreStat stat = store.stat();
    reporter.note(fmt::format("index '{}' verified: no damage, {}, {}", job.folder, counted(stat.segments.size(), "segment"),
                              data_size(Sums(stat).bytes)));
    return kDone;
  });
}

}  // namespace neardup::cli
