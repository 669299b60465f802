#include "dedup/feature_pass.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/byte_codec.h"
#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {
namespace {

// The sets of the candidates of one batch, one after the other.
struct Slot {
  std::vector<uint64_t> features;
  std::vector<uint64_t> weights;
  std::vector<uint32_t> sizes;
  std::string stored;  // as it goes into the journal; empty: it comes from there

  void clear() {
    features.clear();
    weights.clear();
    sizes.clear();
    stored.clear();
  }
  void save() {
    ByteWriter to(stored);
    to.array(features);
    to.array(weights);
    to.array(sizes);
  }
  void load(std::string_view bytes, const std::string& name) {
    ByteReader from(bytes, name);
    from.array(features);
    from.array(weights);
    from.array(sizes);
    from.end();
    uint64_t total = 0;
    for (const uint32_t size : sizes) total += size;
    if (total != features.size() || (!weights.empty() && weights.size() != features.size())) from.fail();
  }
};

class FeaturePass {
 public:
  FeaturePass(const FeaturePassInputs& in, bool weighted)
      : in_(in), weighted_(weighted), scratch_(in.threads), slots_(batch_slots(in.source, in.threads)) {}

  // A batch without candidates is not read at all.
  void fetch(Batch& batch, uint64_t ordinal) const {
    if ((in_.journal == nullptr || !in_.journal->has(ordinal)) && !candidates_of(ordinal).empty()) batch.fetch(Batch::Need::kText);
  }

  void work(uint32_t worker, Batch& batch, uint64_t ordinal, size_t index) {
    Slot& slot = slots_[index];
    slot.clear();
    if (in_.journal != nullptr && in_.journal->has(ordinal)) {
      slot.load(in_.journal->get(ordinal), in_.journal->name_of(ordinal));
      return;
    }
    read(worker, batch, ordinal, slot);
    if (in_.journal != nullptr) slot.save();
  }

  uint64_t commit(uint64_t ordinal, size_t index, FeatureStore& store, FeatureStore* weights) {
    const Slot& slot = slots_[index];
    if (!slot.sizes.empty()) {
      store.append(slot.features, slot.sizes);
      if (weights != nullptr) weights->append(slot.weights, slot.sizes);
    }
    if (in_.journal != nullptr) in_.journal->put(ordinal, slot.stored);
    return in_.table.records(ordinal);
  }

 private:
  // The candidates among the documents of the batch.
  [[nodiscard]] std::span<const uint32_t> candidates_of(uint64_t ordinal) const {
    const auto& documents = in_.candidates.documents;
    const uint32_t first = in_.table.first_document(ordinal);
    const auto begin = std::lower_bound(documents.begin(), documents.end(), first);
    return {begin, std::lower_bound(begin, documents.end(), first + in_.table.documents(ordinal))};
  }

  void read(uint32_t worker, Batch& batch, uint64_t ordinal, Slot& slot) {
    const std::span<const uint32_t> candidates = candidates_of(ordinal);
    if (candidates.empty()) return;
    auto next = candidates.begin();
    batch.read(
        Batch::Need::kText,
        [&](uint32_t i) {
          if (next == candidates.end() || *next != in_.table.document(ordinal, i)) return false;
          ++next;
          return true;
        },
        [&](uint32_t, const Record& record) { add(record, scratch_[worker], slot); });
  }

  void add(const Record& record, Sketcher::Scratch& scratch, Slot& slot) const {
    if (weighted_) {
      const auto weighted = in_.sketcher.weighted_features(record.text, scratch);
      for (const WeightedFeature& feature : weighted) {
        slot.features.push_back(feature.hash);
        slot.weights.push_back(static_cast<uint64_t>(feature.weight));
      }
      slot.sizes.push_back(static_cast<uint32_t>(weighted.size()));
      return;
    }
    const auto features = in_.sketcher.features(record.text, scratch);
    slot.features.insert(slot.features.end(), features.begin(), features.end());
    slot.sizes.push_back(static_cast<uint32_t>(features.size()));
  }

  const FeaturePassInputs& in_;
  const bool weighted_;
  std::vector<Sketcher::Scratch> scratch_;
  std::vector<Slot> slots_;
};

}  // namespace

void run_feature_pass(const FeaturePassInputs& in, FeatureStore& store, FeatureStore* weights) {
  FeaturePass pass(in, weights != nullptr);
  for_each_batch(
      in.source, in.threads, in.monitor, "features", [&](Batch& batch, uint64_t ordinal) { pass.fetch(batch, ordinal); },
      [&](uint32_t worker, Batch& batch, uint64_t ordinal, size_t slot) { pass.work(worker, batch, ordinal, slot); },
      [&](Batch&, uint64_t ordinal, size_t slot) { return pass.commit(ordinal, slot, store, weights); }, in.table.batch_count());
  if (in.journal != nullptr) in.journal->finish();
  store.finish();
  if (weights != nullptr) weights->finish();
  if (store.count() != in.candidates.documents.size())
    throw Error(ErrorCode::kInput, "the input changed while it was read: a second reading gave other records");
}

}  // namespace neardup
