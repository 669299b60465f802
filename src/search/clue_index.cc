// ClueIndex and ClueWriter: the public face of ClueStore, with forms, anchors and questions.
#include "neardup/clue_index.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "neardup/error.h"
#include "search/answer.h"
#include "search/clue_scratch.h"
#include "search/clue_segment_texts.h"
#include "search/question.h"
#include "store/clue/clue_store.h"

namespace neardup {
namespace {

StoreBuild store_build(const ClueBuild& build) {
  return {.threads = build.threads, .memory = build.memory, .temp_dir = build.temp_dir, .stop = build.stop};
}

}  // namespace

ClueScratch::ClueScratch() : impl_(std::make_unique<Impl>()) {}
ClueScratch::~ClueScratch() = default;
ClueScratch::ClueScratch(ClueScratch&&) noexcept = default;
ClueScratch& ClueScratch::operator=(ClueScratch&&) noexcept = default;

struct ClueIndex::Impl {
  Impl(ClueStore opened, const ClueRecipe& parsed) : store(std::move(opened)), recipe(parsed), maker(parsed) {}
  ClueStore store;
  ClueRecipe recipe;
  ClueMaker maker;
};

ClueIndex::ClueIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ClueIndex::~ClueIndex() = default;
ClueIndex::ClueIndex(ClueIndex&&) noexcept = default;
ClueIndex& ClueIndex::operator=(ClueIndex&&) noexcept = default;

ClueIndex ClueIndex::create(const std::string& folder, const ClueRecipe& recipe) {
  recipe.check();
  const ClueStoreSpec spec{.recipe_id = recipe.id(), .recipe = recipe.canonical_json()};
  return ClueIndex(std::make_unique<Impl>(ClueStore::create(folder, spec), recipe));
}

ClueIndex ClueIndex::open(const std::string& folder, ClueAccess access) {
  ClueStore store = ClueStore::open(folder, access == ClueAccess::kWrite ? StoreAccess::kWrite : StoreAccess::kRead);
  try {
    const ClueRecipe recipe = ClueRecipe::parse(store.spec().recipe);
    return ClueIndex(std::make_unique<Impl>(std::move(store), recipe));
  } catch (const Error& error) {
    throw Error(ErrorCode::kInput, fmt::format("the index '{}': {}", folder, error.what()));
  }
}

const ClueRecipe& ClueIndex::recipe() const noexcept {
  return impl_->recipe;
}

ClueAnswer ClueIndex::search(std::string_view clue, const ClueSearch& options, ClueScratch& scratch) const {
  const ClueStore::View view = impl_->store.view();
  ClueAnswer answer = answer_question(search_view(view), impl_->maker, clue, options, scratch.impl().workers);
  view.check_files();
  return answer;
}

std::optional<std::string> ClueIndex::text(uint64_t id) const {
  const ClueStore::View view = impl_->store.view();
  for (const auto& part : view.segments) {
    if (view.removals.kill(id, part->born)) continue;
    const std::optional<uint32_t> number = part->segment->find(id);
    if (!number) continue;
    std::string text;
    ClueSegment::Scratch scratch;
    part->segment->read_text(*number, text, scratch);
    part->segment->file().check();
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
}

struct ClueWriter::Impl {
  Impl(ClueStore& store, const ClueMaker& makes, const ClueBuild& build) : maker(makes), bulk(store, store_build(build)) {}
  const ClueMaker& maker;
  ClueBulk bulk;
  ClueScratch scratch;  // of add()
  std::string piece;
  std::vector<Anchor> anchors;  // of add_prepared()
};

ClueWriter::ClueWriter(ClueIndex& index, const ClueBuild& build)
    : impl_(std::make_unique<Impl>(index.impl_->store, index.impl_->maker, build)) {}
ClueWriter::~ClueWriter() = default;
ClueWriter::ClueWriter(ClueWriter&&) noexcept = default;
ClueWriter& ClueWriter::operator=(ClueWriter&&) noexcept = default;

// A piece is the number of anchors in 8 bytes, the anchors as they are in memory, and the text.
void ClueWriter::prepare(std::string_view text, ClueScratch& scratch, std::string& piece) const {
  SearchWorker& worker = scratch.impl().workers.front();
  impl_->maker.form.form(text, worker.form, worker.form_scratch);
  text_anchors(worker.form, impl_->maker.shape, worker.anchor_scratch, worker.anchors);
  const uint64_t count = worker.anchors.size();
  piece.append(reinterpret_cast<const char*>(&count), sizeof count);
  piece.append(reinterpret_cast<const char*>(worker.anchors.data()), count * sizeof(Anchor));
  piece += text;
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
