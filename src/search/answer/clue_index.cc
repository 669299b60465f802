// ClueIndex and ClueWriter: the public face of ClueStore, with forms, anchors and questions.
#include "neardup/clue_index.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/hash.h"
#include "base/limits.h"
#include "base/parallel.h"
#include "neardup/error.h"
#include "search/answer/answer.h"
#include "search/clue_scratch.h"
#include "search/clue_segment_texts.h"
#include "search/question.h"
#include "search/text_matcher.h"
#include "search/text_reference.h"
#include "store/clue/clue_store.h"

namespace neardup {
namespace {

StoreBuild store_build(const ClueBuild& build) {
  return {.threads = build.threads, .memory = build.memory, .temp_dir = build.temp_dir, .stop = build.stop};
}

void append_anchors(const ClueMaker& maker, std::string_view text, SearchWorker& worker, std::string& piece) {
  form_text(maker, text, worker);
  text_anchors(worker.form, maker.shape, worker.anchor_scratch, worker.anchors);
  const uint64_t count = worker.anchors.size();
  piece.append(reinterpret_cast<const char*>(&count), sizeof count);
  piece.append(reinterpret_cast<const char*>(worker.anchors.data()), count * sizeof(Anchor));
}

}  // namespace

ClueScratch::ClueScratch() : impl_(std::make_unique<Impl>()) {}
ClueScratch::~ClueScratch() = default;
ClueScratch::ClueScratch(ClueScratch&&) noexcept = default;
ClueScratch& ClueScratch::operator=(ClueScratch&&) noexcept = default;

struct ClueIndex::Impl {
  Impl(ClueStore opened, const ClueRecipe& parsed, OpenReferredTexts referred)
      : store(std::move(opened)), recipe(parsed), maker(parsed), stored{parsed.refer, std::move(referred)} {}
  ClueStore store;
  ClueRecipe recipe;
  ClueMaker maker;
  StoredTexts stored;
};

ClueIndex::ClueIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ClueIndex::~ClueIndex() = default;
ClueIndex::ClueIndex(ClueIndex&&) noexcept = default;
ClueIndex& ClueIndex::operator=(ClueIndex&&) noexcept = default;

ClueIndex ClueIndex::create(const std::string& folder, const ClueRecipe& recipe, OpenReferredTexts referred) {
  recipe.check();
  const ClueStoreSpec spec{.recipe_id = recipe.id(), .recipe = recipe.canonical_json()};
  return ClueIndex(std::make_unique<Impl>(ClueStore::create(folder, spec), recipe, std::move(referred)));
}

ClueIndex ClueIndex::open(const std::string& folder, ClueAccess access, OpenReferredTexts referred) {
  ClueStore store = ClueStore::open(folder, access == ClueAccess::kWrite ? StoreAccess::kWrite : StoreAccess::kRead);
  try {
    const ClueRecipe recipe = ClueRecipe::parse(store.spec().recipe);
    return ClueIndex(std::make_unique<Impl>(std::move(store), recipe, std::move(referred)));
  } catch (const Error& error) {
    throw Error(ErrorCode::kInput, fmt::format("the index '{}': {}", folder, error.what()));
  }
}

const ClueRecipe& ClueIndex::recipe() const noexcept {
  return impl_->recipe;
}

ClueAnswer ClueIndex::search(std::string_view clue, const ClueSearch& options, ClueScratch& scratch) const {
  const ClueStore::View view = impl_->store.view();
  ClueAnswer answer = answer_question(search_view(view, impl_->stored), impl_->maker, clue, options, scratch.impl().workers);
  view.check_files();
  return answer;
}

std::optional<std::string> ClueIndex::text(uint64_t id) const {
  const ClueStore::View view = impl_->store.view();
  const SearchView seen = search_view(view, impl_->stored);
  for (size_t i = 0; i < view.segments.size(); ++i) {
    const ClueStore::Part& part = *view.segments[i];
    if (view.removals.kill(id, part.born)) continue;
    const std::optional<uint32_t> number = part.segment->find(id);
    if (!number) continue;
    std::string text;
    TextScratch text_scratch;
    seen.parts[i].texts->read_text(*number, text, text_scratch);
    part.segment->file().check();
    return text;
  }
  view.check_files();
  return std::nullopt;
}

std::optional<std::string> ClueIndex::name(uint64_t id) const {
  return impl_->store.name(id);
}

void ClueIndex::find_names(std::span<const std::string> names, const std::function<void(size_t position, uint64_t id)>& visit) const {
  impl_->store.find_names(names, visit);
}

void ClueIndex::remove(uint64_t id) {
  impl_->store.remove(id);
}

void ClueIndex::flush() {
  impl_->store.flush();
}

void ClueIndex::merge(size_t max_segments, const ClueBuild& build) {
  impl_->store.merge(max_segments, store_build(build));
}

ClueIndexStat ClueIndex::stat() const {
  const ClueStoreStat stored = impl_->store.stat();
  ClueIndexStat stat{.folder = stored.folder,
                     .recipe = impl_->recipe,
                     .segments = {},
                     .texts = stored.texts,
                     .removed_ids = stored.removed_ids,
                     .next_id = stored.next_id};
  for (const ClueStoreSegmentStat& segment : stored.segments) {
    stat.segments.push_back({.file = segment.file,
                             .bytes = segment.bytes,
                             .texts = segment.texts,
                             .postings = segment.postings,
                             .anchor_bytes = segment.anchor_bytes});
  }
  return stat;
}

void ClueIndex::verify(uint32_t threads) const {
  impl_->store.verify(threads);
  if (!impl_->stored.refer) return;
  constexpr size_t kGrain = 256;
  const ClueStore::View view = impl_->store.view();
  const SearchView seen = search_view(view, impl_->stored);
  const uint32_t workers = resolve_threads(threads);
  for (const SearchPart& part : seen.parts) {
    std::vector<TextScratch> scratches(workers);
    std::vector<std::string> texts(workers);
    parallel_for(workers, part.texts->texts(), kGrain, [&](uint32_t worker, size_t i) {
      const auto text = static_cast<uint32_t>(i);
      if (seen.removed(part, text)) return;
      part.texts->read_text(text, texts[worker], scratches[worker]);
    });
  }
}

struct ClueWriter::Impl {
  Impl(ClueStore& store, const ClueMaker& makes, bool refers, const ClueBuild& build)
      : maker(makes), refer(refers), bulk(store, store_build(build)) {}

  const ClueMaker& maker;
  const bool refer;
  ClueBulk bulk;
  ClueScratch scratch;  // of add()
  std::string piece;
  std::vector<Anchor> anchors;  // of add_prepared()
};

ClueWriter::ClueWriter(ClueIndex& index, const ClueBuild& build)
    : impl_(std::make_unique<Impl>(index.impl_->store, index.impl_->maker, index.impl_->stored.refer, build)) {}
ClueWriter::~ClueWriter() = default;
ClueWriter::ClueWriter(ClueWriter&&) noexcept = default;
ClueWriter& ClueWriter::operator=(ClueWriter&&) noexcept = default;

// A piece is the number of anchors in 8 bytes, the anchors as they are in memory, and the text or a reference to it.
void ClueWriter::prepare(std::string_view text, ClueScratch& scratch, std::string& piece) const {
  if (impl_->refer) throw Error(ErrorCode::kUsage, "the index refers to texts; a text requires its place in a source");
  append_anchors(impl_->maker, text, scratch.impl().workers.front(), piece);
  piece += text;
}

void ClueWriter::prepare(std::string_view text, TextReference reference, ClueScratch& scratch, std::string& piece) const {
  if (!impl_->refer) throw Error(ErrorCode::kUsage, "the index keeps texts; it cannot refer to one in a source");
  if (reference.length > limits::kMaxTextBytes) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the index cannot refer to a text in {} bytes; expected at most {}", reference.length, limits::kMaxTextBytes));
  }
  append_anchors(impl_->maker, text, scratch.impl().workers.front(), piece);
  reference.hash = hash64(text);
  append_reference(reference, piece);
}

uint64_t ClueWriter::add_prepared(std::string_view name, std::string_view piece) {
  uint64_t count = 0;
  std::memcpy(&count, piece.data(), sizeof count);
  piece.remove_prefix(sizeof count);
  impl_->anchors.resize(count);
  if (count > 0) std::memcpy(impl_->anchors.data(), piece.data(), count * sizeof(Anchor));
  piece.remove_prefix(count * sizeof(Anchor));
  return impl_->bulk.add(name, piece, impl_->anchors);
}

uint64_t ClueWriter::add(std::string_view name, std::string_view text) {
  impl_->piece.clear();
  prepare(text, impl_->scratch, impl_->piece);
  return add_prepared(name, impl_->piece);
}

uint64_t ClueWriter::size() const noexcept {
  return impl_->bulk.size();
}

void ClueWriter::commit() {
  impl_->bulk.commit();
}

}  // namespace neardup
