#include "store/clue/clue_store.h"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <utility>

#include "base/limits.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/tools/printable.h"
#include "store/clue/clue_segment_check.h"
#include "store/clue/clue_segment_merge.h"
#include "store/clue/clue_segment_writer.h"
#include "store/name_search.h"
#include "store/open_store.h"
#include "store/store_merge.h"

namespace neardup {
namespace {

struct ClueKind {
  using Spec = ClueStoreSpec;
  using Segment = ClueSegment;
  using View = StoreView<ClueSegment>;

  static const Spec& spec_of(const StoreManifest& manifest, const std::string& folder) { return clue_spec_of(manifest, folder); }
  static std::unique_ptr<const Segment> open_segment(const std::string& path, const Spec& spec) {
    return std::make_unique<const Segment>(path, spec.recipe_id);
  }
  static uint64_t entries(const Segment& segment) noexcept { return segment.texts(); }
};

using OpenClueStore = OpenStore<ClueKind>;

constexpr uint64_t kStopEvery = 1 << 14;  // texts: well below a tenth of a second

// Calls visit(number in the segment, id) for every text that is not removed.
template <typename Visit>
void for_each_text(const ClueStore::Part& part, const Removals& removals, const Visit& visit) {
  const uint32_t texts = part.segment->texts();
  for (uint32_t text = 0; text < texts; ++text) {
    if (text % kStopEvery == 0) check_stop();
    const uint64_t id = part.segment->id(text);
    if (!removals.kill(id, part.born)) visit(text, id);
  }
}

uint64_t texts_left(const ClueStore::Part& part, const Removals& removals) {
  if (!removals.concern(part.born)) return part.segment->texts();
  uint64_t texts = 0;
  for_each_text(part, removals, [&](uint32_t, uint64_t) { ++texts; });
  return texts;
}

// Segments of bulks that were open at the same time have alternating ids; others follow one another.
void require_distinct_ids(const ClueStore::View& view) {
  struct Head {
    uint64_t id;
    const ClueSegment* segment;
    uint32_t text;
    bool operator>(const Head& other) const noexcept { return id > other.id; }
  };
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  for (const auto& part : view.segments) {
    if (part->segment->texts() > 0) heads.push({part->segment->id(0), part->segment.get(), 0});
  }
  for (uint64_t steps = 1; heads.size() > 1; ++steps) {
    if (steps % kStopEvery == 0) check_stop();
    Head head = heads.top();
    heads.pop();
    if (heads.top().id == head.id) {
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}': the id {} is also in '{}'", head.segment->file().name(), head.id, heads.top().segment->file().name()));
    }
    if (++head.text == head.segment->texts()) continue;
    head.id = head.segment->id(head.text);
    heads.push(head);
  }
}

void require_room(uint64_t texts, const std::string& folder) {
  if (texts <= ClueSegment::kMaxTexts) return;
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}': a segment of {} texts; expected at most {}: keep more segments", folder,
                                             texts, ClueSegment::kMaxTexts));
}

void require_lengths(std::string_view name, std::string_view text, const std::string& folder) {
  constexpr size_t kShownBytes = 200;  // of a name
  const auto refuse = [&](std::string_view what, uint64_t bytes) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the index '{}': the {} '{}'{} has {} bytes; expected at most {}", folder, what,
                            printable(name.substr(0, kShownBytes)), name.size() > kShownBytes ? "..." : "", bytes, limits::kMaxTextBytes));
  };
  if (name.size() > limits::kMaxTextBytes) refuse("name", name.size());
  if (text.size() > limits::kMaxTextBytes) refuse("text", text.size());
}

}  // namespace

struct ClueStore::Impl {
  template <typename... Arguments>
  explicit Impl(Arguments&&... arguments) : open(std::forward<Arguments>(arguments)...) {}
  OpenClueStore open;
};

ClueStore::ClueStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ClueStore::~ClueStore() = default;
ClueStore::ClueStore(ClueStore&&) noexcept = default;
ClueStore& ClueStore::operator=(ClueStore&&) noexcept = default;

ClueStore ClueStore::create(const std::string& folder, const ClueStoreSpec& spec) {
  check_spec(spec);
  return ClueStore(std::make_unique<Impl>(folder, spec, std::make_unique<NewFolder>(folder)));
}

ClueStore ClueStore::open(const std::string& folder, StoreAccess access) {
  std::unique_ptr<FolderLock> lock;
  if (access == StoreAccess::kWrite) lock = OpenClueStore::lock_existing(folder);
  return ClueStore(std::make_unique<Impl>(folder, std::move(lock)));
}

const ClueStoreSpec& ClueStore::spec() const noexcept {
  return impl_->open.spec();
}

const std::string& ClueStore::folder() const noexcept {
  return impl_->open.folder();
}

ClueStore::View ClueStore::view() const {
  return impl_->open.view();
}

std::optional<std::string> ClueStore::name(uint64_t id) const {
  const View view = impl_->open.view();
  for (const auto& part : view.segments) {
    if (view.removals.kill(id, part->born)) continue;
    const std::optional<uint32_t> text = part->segment->find(id);
    if (!text) continue;
    std::string name;
    ClueSegment::Scratch scratch;
    part->segment->read_name(*text, name, scratch);
    part->segment->file().check();
    return name;
  }
  view.check_files();
  return std::nullopt;
}

void ClueStore::find_names(std::span<const std::string> names, const std::function<void(size_t position, uint64_t id)>& visit) const {
  const View view = impl_->open.view();
  NameSearch search(names);
  std::string name;
  for (const auto& part : view.segments) {
    ClueSegment::Scratch scratch;
    for_each_text(*part, view.removals, [&](uint32_t text, uint64_t id) {
      part->segment->read_name(text, name, scratch);
      search.look(name, id);
    });
  }
  view.check_files();
  search.report(visit);
}

void ClueStore::remove(uint64_t id) {
  impl_->open.require_writing();
  impl_->open.remove(id);
}

void ClueStore::flush() {
  impl_->open.require_writing();
  impl_->open.flush({});
}

void ClueStore::merge(size_t max_segments, const StoreBuild& build) {
  const StopScope scope(&build.stop);
  OpenClueStore& open = impl_->open;
  const auto write = [&](const std::vector<OpenClueStore::PartPointer>& parts, const Removals& removals) -> std::optional<NewSegment> {
    uint64_t texts = 0;
    std::vector<ClueMergePart> merged;
    for (const auto& part : parts) {
      texts += texts_left(*part, removals);
      merged.push_back({part->segment.get(), part->born});
    }
    if (texts == 0) return std::nullopt;
    require_room(texts, open.folder());
    const std::string name = open.new_segment();
    const std::string path = open.folder() + "/" + name;
    return NewSegment{name, merge_clue_segments(path, open.spec().recipe_id, open.spec().recipe, merged, removals, build)};
  };
  merge_smallest(open, max_segments, build, write);
}

ClueStoreStat ClueStore::stat() const {
  return impl_->open.see([&](const View& view) {
    ClueStoreStat stat{.folder = folder(), .spec = spec(), .segments = {}};
    for (const auto& part : view.segments) {
      const ClueSegment& segment = *part->segment;
      stat.segments.push_back(
          {part->listed.file, segment.file().file_bytes(), segment.texts(), segment.anchors().postings(), segment.anchor_bytes()});
      stat.texts += segment.texts();
    }
    stat.removed_ids = view.removals.size();
    stat.next_id = impl_->open.next_id();
    return stat;
  });
}

void ClueStore::verify(uint32_t threads) const {
  const auto [view, next_id] = impl_->open.see([&](const View& now) { return std::pair(now, impl_->open.next_id()); });
  for (const auto& part : view.segments) verify_clue_segment(*part->segment, next_id, threads);
  require_distinct_ids(view);
}

// ClueBulk: hands texts to the writer of a segment, which begins with the first one; commit() publishes it.

struct ClueBulk::Impl {
  Impl(OpenClueStore& open_store, const StoreBuild& options) : store(open_store), build(options) {}

  // What a failed call wrote may be incomplete.
  void require_usable() const {
    if (!failed) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("the index '{}': an addition of these texts failed; they must be added again, by a new bulk", store.folder()));
  }

  OpenClueStore& store;
  StoreBuild build;
  std::string file;  // of the segment
  std::unique_ptr<ClueSegmentWriter> writer;
  uint64_t texts = 0;
  bool failed = false;
};

ClueBulk::ClueBulk(ClueStore& store, const StoreBuild& build) : impl_(std::make_unique<Impl>(store.impl_->open, build)) {
  impl_->store.require_writing();
}
ClueBulk::~ClueBulk() = default;
ClueBulk::ClueBulk(ClueBulk&&) noexcept = default;
ClueBulk& ClueBulk::operator=(ClueBulk&&) noexcept = default;

uint64_t ClueBulk::add(std::string_view name, std::string_view text, std::span<const Anchor> anchors) {
  Impl& impl = *impl_;
  impl.require_usable();
  require_room(impl.texts + 1, impl.store.folder());
  require_lengths(name, text, impl.store.folder());
  const uint64_t id = impl.store.take_ids(1);
  const StopScope scope(impl.build.stop ? &impl.build.stop : current_stop());
  impl.failed = true;  // until it is done
  if (!impl.writer) {
    impl.file = impl.store.new_segment();
    const ClueStoreSpec& spec = impl.store.spec();
    impl.writer = std::make_unique<ClueSegmentWriter>(impl.store.folder() + "/" + impl.file, spec.recipe_id, spec.recipe, impl.build);
  }
  impl.writer->add(id, name, text, anchors);
  impl.failed = false;
  ++impl.texts;
  return id;
}

uint64_t ClueBulk::size() const noexcept {
  return impl_->texts;
}

void ClueBulk::commit() {
  Impl& impl = *impl_;
  impl.require_usable();
  if (impl.texts == 0) return impl.store.flush(impl.build);
  const StopScope scope(impl.build.stop ? &impl.build.stop : current_stop());
  impl.failed = true;  // until it is done
  const WrittenSegment written = impl.writer->commit();
  impl.store.publish(NewSegment{impl.file, written}, std::nullopt, {}, impl.build);
  impl_ = std::make_unique<Impl>(impl.store, impl.build);
}

}  // namespace neardup
