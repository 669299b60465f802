#include "store/hamming/open_hamming_store.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>

#include "index/hamming/hamming_access.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kParallelBuild = 1u << 16;  // entries: below this, threads do not pay

}  // namespace

template <typename Code>
const HammingStoreSpec& HammingKind<Code>::spec_of(const StoreManifest& manifest, const std::string& folder) {
  const HammingStoreSpec& spec = hamming_spec_of(manifest, folder);
  if (spec.bits == Code::kBits) return spec;
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}' holds fingerprints of {} bits, not of {}", folder, spec.bits, Code::kBits));
}

template <typename Code>
void OpenHammingStore<Code>::require_writing(bool named) const {
  require_writing();
  if (named == this->spec().names) return;
  const char* why = named ? "has no names, but an entry has one" : "has names and assigns the ids, but an entry has no name";
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}' {}", this->folder(), why));
}

template <typename Code>
void OpenHammingStore<Code>::add(Code code, uint64_t id, std::string_view name) {
  const std::lock_guard writing(writers_);
  {
    const std::unique_lock lock(seen_);
    if (this->spec().names) names_[id] = name;
    view_.tail.add(code, id, clock_);
  }
  if (view_.tail.size() >= HammingTail<Code>::kMaxEntries) pack_tail();
}

template <typename Code>
void OpenHammingStore<Code>::gather(size_t from_level, std::vector<Code>& codes, std::vector<uint64_t>& ids) const {
  const auto take = [&](Code code, uint64_t id, uint64_t born) {
    if (view_.removals.kill(id, born)) return;
    codes.push_back(code);
    ids.push_back(id);
  };
  for (size_t i = 0; i < view_.tail.size(); ++i) take(view_.tail.list[i], view_.tail.ids[i], view_.tail.born[i]);
  for (size_t i = from_level; i < view_.levels.size(); ++i) {
    for_each_entry(view_.levels[i]->index, [&](Code code, uint64_t id) { take(code, id, view_.levels[i]->born); });
  }
}

// Makes a level of the tail and of all levels that are not larger than what they are merged with: so every entry is indexed a logarithmic
// number of times, and the number of levels is logarithmic.
template <typename Code>
void OpenHammingStore<Code>::pack_tail() {
  size_t entries = view_.tail.size();
  size_t from = view_.levels.size();
  while (from > 0 && view_.levels[from - 1]->index.size() <= entries) entries += view_.levels[--from]->index.size();
  std::vector<Code> codes;
  std::vector<uint64_t> ids;
  gather(from, codes, ids);
  HammingLevelPointer<Code> level;
  if (!codes.empty()) {
    level = std::make_shared<const HammingLevel<Code>>(HammingLevel<Code>{
        clock_,
        HammingIndex<Code>::build(codes, ids, {.radius = this->spec().radius, .threads = codes.size() < kParallelBuild ? 1u : 0u})});
  }
  std::vector<HammingLevelPointer<Code>> levels(view_.levels.begin(), view_.levels.begin() + static_cast<ptrdiff_t>(from));
  if (level) levels.push_back(std::move(level));
  HammingTail<Code> tail;
  const std::unique_lock lock(seen_);
  std::swap(view_.levels, levels);
  std::swap(view_.tail, tail);
}

template <typename Code>
void OpenHammingStore<Code>::flush_locked(const StoreBuild& build) {
  if (view_.unflushed() == 0) return this->flush_manifest_locked();
  std::vector<Code> codes;
  std::vector<uint64_t> ids;
  gather(0, codes, ids);
  PartPointer part;
  std::optional<FileGuard> file;
  if (!codes.empty()) {
    ListedSegment listed{segment_name(this->next_segment_++), 0, clock_, codes.size()};
    const std::string path = this->path_of(listed.file);
    file.emplace(path);
    WriteNames write_names;
    if (this->spec().names) {
      write_names = [&](NameWriter& writer) {
        std::vector<uint64_t> sorted = ids;
        std::ranges::sort(sorted);
        for (const uint64_t id : sorted) writer.add(id, names_.at(id));
      };
    }
    listed.sum = write_hamming_segment<Code>(path, this->spec(), codes, ids, write_names, build).sum;
    part = this->open_segment(listed);
  }
  // The segment replaces what is in memory.
  std::vector<HammingLevelPointer<Code>> levels;
  HammingTail<Code> tail;
  std::unordered_map<uint64_t, std::string> names;
  this->change_locked(std::move(part), file, {}, [&] {
    std::swap(view_.levels, levels);
    std::swap(view_.tail, tail);
    std::swap(names_, names);
  });
}

template class OpenStore<HammingKind<Fingerprint64>>;
template class OpenStore<HammingKind<Fingerprint128>>;
template class OpenHammingStore<Fingerprint64>;
template class OpenHammingStore<Fingerprint128>;

}  // namespace neardup
