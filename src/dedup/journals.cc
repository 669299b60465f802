#include "dedup/journals.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "dedup/checkpoint/sketched_batch.h"

namespace neardup {
namespace {

constexpr uint64_t kAllDecided = ~uint64_t{0};

// The same batch, with the sketches of kept documents only.
std::string thin(const CorpusState& corpus, uint64_t batch, std::string_view bytes, const std::string& name) {
  const std::vector<uint32_t>& documents = corpus.sketches.kept;
  SketchedBatch sketched;
  sketched.load(bytes, name);
  const uint32_t first = corpus.table.first_document(batch);
  auto kept = std::ranges::lower_bound(documents, first);
  sketched.thin([&](uint32_t i) {
    const bool is_kept = kept != documents.end() && *kept == first + i;
    if (is_kept) ++kept;
    return is_kept;
  });
  std::string thinned;
  sketched.save(thinned);
  return thinned;
}

}  // namespace

DecidedSlices load_decided(const CheckpointDirectory* directory, uint64_t recipe_id) {
  DecidedSlices decided;
  if (directory != nullptr && !directory->shared() && !directory->read_only())
    decided.slices = Decisions::load(*directory, recipe_id, decided.copy_of);
  return decided;
}

Journals::Journals(std::unique_ptr<const CheckpointDirectory> directory, uint64_t recipe_id, const DecidedSlices& decided)
    : directory_(std::move(directory)), recipe_id_(recipe_id) {
  if (!directory_) return;
  sketches_ = std::make_unique<PassJournal>(*directory_, "sketch", recipe_id_, directory_->shared() ? kAllDecided : decided.end_batch());
}

const CheckpointDirectory* Journals::writable() const noexcept {
  return directory_ != nullptr && !directory_->read_only() ? directory_.get() : nullptr;
}

uint64_t Journals::sketched_batches() const noexcept {
  return sketches_ && sketches_->complete() ? sketches_->end() : 0;
}

std::unique_ptr<PassJournal> Journals::open_features() const {
  return writable() != nullptr ? std::make_unique<PassJournal>(*directory_, "features", recipe_id_) : nullptr;
}

SliceBounds Journals::bounds_of(const CorpusState& corpus) const {
  return {.recipe_id = recipe_id_,
          .first_batch = corpus.first_batch,
          .first_document = corpus.table.open_begin(),
          .end_document = corpus.table.size()};
}

std::optional<SliceCandidates> Journals::load_groups(const CorpusState& corpus) const {
  if (writable() == nullptr) return std::nullopt;
  auto loaded = SliceCandidates::load(*directory_, bounds_of(corpus));
  const auto is_kept = [&](uint32_t document) {
    return document >= corpus.table.open_begin() || std::ranges::binary_search(corpus.sketches.kept, document);
  };
  if (!loaded || !std::ranges::all_of(loaded->groups.documents, is_kept)) return std::nullopt;
  return loaded;
}

void Journals::save_groups(const CorpusState& corpus, std::span<const IndexMatch> index_matches, const CandidateGroups& groups) const {
  if (writable() != nullptr) SliceCandidates::save(*directory_, bounds_of(corpus), corpus.copy_of, index_matches, groups);
}

void Journals::save_decided(const CorpusState& corpus, const Decisions& slice) const {
  if (writable() == nullptr) return;
  slice.save(*directory_, recipe_id_, corpus.copy_of);
  SliceCandidates::remove(*directory_, slice.first_batch);
}

void Journals::thin_sketches(const CorpusState& corpus) const {
  if (writable() == nullptr) return;
  sketches_->thin(corpus.table.batch_count(),
                  [&](uint64_t batch, std::string_view bytes, const std::string& name) { return thin(corpus, batch, bytes, name); });
}

}  // namespace neardup
