#include "store/hamming/hamming_merge.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "base/spill_file.h"
#include "index/hamming/hamming_access.h"
#include "neardup/stop.h"
#include "store/store_merge.h"

namespace neardup {
namespace {

template <typename Code>
using Parts = std::vector<HammingPartPointer<Code>>;

constexpr uint64_t kAskEvery = 1 << 14;  // entries: well below a tenth of a second

// All current names of the parts, ascending by id. Only one part has the current name of an id.
template <typename Code>
void merge_names(const Parts<Code>& parts, const Removals& removals, NameWriter& writer) {
  struct Head {
    uint64_t id;
    size_t part;
    uint64_t at;
    bool operator>(const Head& other) const noexcept { return std::pair(id, part) > std::pair(other.id, other.part); }
  };
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  const auto push = [&](size_t part, uint64_t at) {
    const NameTable& names = parts[part]->segment->names();
    for (; at < names.size(); ++at) {
      const uint64_t id = names.id(at);
      if (removals.kill(id, parts[part]->born)) continue;
      heads.push({id, part, at});
      return;
    }
  };
  for (size_t part = 0; part < parts.size(); ++part) push(part, 0);
  while (!heads.empty()) {
    const Head head = heads.top();
    heads.pop();
    writer.add(head.id, parts[head.part]->segment->names().name(head.at));
    push(head.part, head.at + 1);
  }
}

}  // namespace

template <typename Code>
void merge_segments(OpenHammingStore<Code>& store, size_t max_segments, const HammingStoreBuild& build) {
  merge_smallest(store, max_segments, build, [&](const Parts<Code>& parts, const Removals& removals) -> std::optional<NewSegment> {
    const uint64_t memory = build.memory == 0 ? 0 : std::max<uint64_t>(build.memory / 8, 1);  // of each; 0 would be no bound
    SpillFile codes(memory, build.temp_dir);
    SpillFile ids(memory, build.temp_dir);
    uint64_t entries = 0;
    for (const auto& part : parts) {
      for_each_entry(part->segment->index(), [&](Code code, uint64_t id) {
        if (entries++ % kAskEvery == 0) check_stop();
        if (removals.kill(id, part->born)) return;
        codes.add(code);
        ids.add(id);
      });
    }
    if (ids.size() == 0) return std::nullopt;
    const std::string name = store.new_segment();
    WriteNames write_names;
    if (store.spec().names) write_names = [&](NameWriter& writer) { merge_names<Code>(parts, removals, writer); };
    HammingStoreBuild rest = build;
    const auto all_codes = codes.template values<Code>();
    const auto all_ids = ids.template values<uint64_t>();
    if (memory != 0) rest.memory -= codes.waiting_bytes() + ids.waiting_bytes();
    return NewSegment{name, write_hamming_segment<Code>(store.folder() + "/" + name, store.spec(), all_codes, all_ids, write_names, rest)};
  });
}

template void merge_segments<Fingerprint64>(OpenHammingStore<Fingerprint64>&, size_t, const HammingStoreBuild&);
template void merge_segments<Fingerprint128>(OpenHammingStore<Fingerprint128>&, size_t, const HammingStoreBuild&);

}  // namespace neardup
