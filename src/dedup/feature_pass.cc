#include "dedup/feature_pass.h"

#include <algorithm>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {

void run_feature_pass(DocumentSource& source, const Sketcher& sketcher, const DocumentTable& table, const Candidates& candidates,
                      uint32_t threads, const PassMonitor& monitor, FeatureStore& store, FeatureStore* weights) {
  struct Slot {
    std::vector<uint64_t> features;
    std::vector<uint64_t> weights;
    std::vector<uint32_t> sizes;
  };
  std::vector<Sketcher::Scratch> scratch(threads);
  std::vector<Slot> slots(OrderedLine::slot_count(threads));
  const auto& documents = candidates.documents;
  for_each_batch(
      source, threads, monitor, "features",
      [&](uint32_t worker, Batch& batch, uint64_t ordinal, size_t index) {
        Slot& slot = slots[index];
        slot.features.clear();
        slot.weights.clear();
        slot.sizes.clear();
        const uint32_t first = table.first_document(ordinal);
        auto next = std::lower_bound(documents.begin(), documents.end(), first);
        if (next == documents.end() || *next >= first + table.documents(ordinal)) return;
        batch.read(
            Batch::Need::kText,
            [&](uint32_t i) {
              if (next == documents.end() || *next != first + i) return false;
              ++next;
              return true;
            },
            [&](uint32_t, const Record& record) {
              if (weights != nullptr) {
                const auto weighted = sketcher.weighted_features(record.text, scratch[worker]);
                for (const WeightedFeature& feature : weighted) {
                  slot.features.push_back(feature.hash);
                  slot.weights.push_back(static_cast<uint64_t>(feature.weight));
                }
                slot.sizes.push_back(static_cast<uint32_t>(weighted.size()));
                return;
              }
              const auto features = sketcher.features(record.text, scratch[worker]);
              slot.features.insert(slot.features.end(), features.begin(), features.end());
              slot.sizes.push_back(static_cast<uint32_t>(features.size()));
            });
      },
      [&](Batch&, uint64_t ordinal, size_t index) -> uint64_t {
        if (!slots[index].sizes.empty()) {
          store.append(slots[index].features, slots[index].sizes);
          if (weights != nullptr) weights->append(slots[index].weights, slots[index].sizes);
        }
        return table.documents(ordinal);
      },
      table.batch_count());
  if (store.count() != documents.size())
    throw Error(ErrorCode::kInput, "the input changed while it was read: a second reading gave other records");
}

}  // namespace neardup
