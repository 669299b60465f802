// neardup index delete and merge.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "cli/compare/read_text.h"
#include "cli/index/index_command.h"
#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "cli/reporter.h"
#include "cli/run_support.h"
#include "cli/text_format.h"
#include "neardup/error.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {
namespace {

constexpr size_t kShownIds = 5;

HammingStoreBuild build_of(const Options& options) {
  return {.threads = options.threads, .memory = plan_run(options).memory_bytes, .temp_dir = options.temp_dir, .stop = interrupted};
}

// Each once, in the order in which they were given.
std::vector<std::string> ids_of(const IndexJob& job) {
  std::vector<std::string> ids = job.arguments;
  if (job.invocation.has("ids")) {
    const std::string text = read_text(job.invocation.value("ids"));
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string id = text.substr(at, end - at);
      if (id.ends_with('\r')) id.pop_back();
      if (!id.empty()) ids.push_back(std::move(id));
      at = end + 1;
    }
  } else if (ids.empty()) {
    throw Error(ErrorCode::kUsage, "no id is named: neardup index delete INDEX ID... | INDEX --ids FILE");
  }
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> unique;
  for (const std::string& id : ids) {
    if (seen.insert(id).second) unique.push_back(id);
  }
  return unique;
}

// The entries of the names, and which names have none.
struct Found {
  std::vector<uint64_t> entries;
  std::vector<std::string> unknown;
};

template <typename Code>
Found find(const HammingStore<Code>& store, const std::vector<std::string>& ids) {
  Found found;
  if (store.spec().names) {
    std::vector<bool> known(ids.size(), false);
    store.find_names(ids, [&](size_t position, uint64_t id) {
      known[position] = true;
      found.entries.push_back(id);
    });
    for (size_t i = 0; i < ids.size(); ++i) {
      if (!known[i]) found.unknown.push_back(ids[i]);
    }
    return found;
  }
  const uint64_t next = store.stat().next_id;
  for (const std::string& id : ids) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (error == std::errc() && end == id.data() + id.size() && number < next) {
      found.entries.push_back(number);
    } else {
      found.unknown.push_back(id);
    }
  }
  return found;
}

}  // namespace

int delete_from_index(const IndexJob& job, Reporter& reporter) {
  const std::vector<std::string> ids = ids_of(job);
  return with_index(job.folder, HammingAccess::kWrite, [&](auto& store) -> int {
    const Found found = find(store, ids);
    for (const uint64_t entry : found.entries) store.remove(entry);
    store.flush(build_of(job.invocation.options));
    for (size_t i = 0; i < std::min(found.unknown.size(), kShownIds); ++i)
      reporter.warning(fmt::format("id '{}' is not in '{}'", found.unknown[i], job.folder));
    const std::string known = grouped(ids.size() - found.unknown.size());
    const std::string unknown = grouped(found.unknown.size());
    if (store.spec().names) {
      reporter.note(fmt::format("deleted {} of {} ({} not found); {} removed from '{}'", known, counted(ids.size(), "id"), unknown,
                                counted(found.entries.size(), "entry", "entries"), job.folder));
    } else {  // which numbers still had an entry, nobody looked
      reporter.note(
          fmt::format("marked {} of {} as deleted ({} not found) in '{}'", known, counted(ids.size(), "id"), unknown, job.folder));
    }
    return job.invocation.options.strict && !found.unknown.empty() ? kRejectedRecords : kDone;
  });
}

int merge_index(const IndexJob& job, Reporter& reporter) {
  const uint64_t most = local_number(job.invocation, "segments", 1, 1, 1'000'000);
  return with_index(job.folder, HammingAccess::kWrite, [&](auto& store) -> int {
    const auto label = [&] {
      const HammingStoreStat stat = store.stat();
      return fmt::format("{} in {}", counted(stat.entries, "entry", "entries"), counted(stat.segments.size(), "segment"));
    };
    const std::string before = label();
    reporter.start(fmt::format("{} of '{}'", before, job.folder), fmt::format(R"("index":{})", json_quote(job.folder)));
    store.merge(most, build_of(job.invocation.options));
    reporter.note(fmt::format("{}, before {}", label(), before));
    return kDone;
  });
}

}  // namespace neardup::cli
