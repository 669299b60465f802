// WorkContext: what one thread needs to look up texts. ContextPool: contexts that threads take turns with.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "neardup/hamming_store.h"
#include "online/finder.h"
#include "online/log/record_log.h"
#include "online/online_settings.h"
#include "online/prepared.h"

namespace neardup {

/// The features and ids of documents that were read last: texts that many others resemble are read once.
class FeatureCache {
 public:
  /// `read(features, id)` replaces both, unless they are known.
  template <typename Read>
  std::span<const uint64_t> get(uint64_t sequence, const Read& read) {
    Slot& slot = slots_[sequence % slots_.size()];
    if (slot.sequence == sequence) return slot.features;
    read(read_, id_);
    if (read_.size() > kMost) return read_;
    slot.features = read_;
    slot.id = id_;
    slot.sequence = sequence;
    return slot.features;
  }
  /// Null: not known.
  [[nodiscard]] const std::string* id(uint64_t sequence) const {
    const Slot& slot = slots_[sequence % slots_.size()];
    return slot.sequence == sequence ? &slot.id : nullptr;
  }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;
  static constexpr size_t kMost = 16 << 10;  // features of a set that is kept
  struct Slot {
    uint64_t sequence = kNone;
    std::vector<uint64_t> features;
    std::string id;
  };
  std::vector<Slot> slots_{512};
  std::vector<uint64_t> read_;
  std::string id_;
};

struct WorkContext {
  WorkContext(const OnlineSettings& of, const RecordLog& from) : settings(of), log(from), finder(of) {}

  const OnlineSettings& settings;
  const RecordLog& log;
  Finder finder;
  PrepareScratch prepare;
  PrepareScratch prepare_stored;
  Prepared stored;
  FeatureCache cache;
  HammingStoreScratch hamming;
  RecordLog::Space space;

  // Both of a document of the store. Throw Error{kInput}.

  std::span<const uint64_t> features(uint64_t sequence, const RecordPlace& place) {
    return cache.get(sequence, [&](std::vector<uint64_t>& features, std::string& id) {
      const StoredDocument document = log.read(place, space);
      read_stored_features(settings, document, log.name_of(place), prepare_stored, features);
      id = document.id;
    });
  }
  void read_id(uint64_t sequence, const RecordPlace& place, std::string& id) {
    const std::string* const known = cache.id(sequence);
    id = known != nullptr ? *known : log.read(place, space).id;
  }
};

/// Thread-safe.
class ContextPool {
 public:
  ContextPool(const OnlineSettings& settings, const RecordLog& log) : settings_(settings), log_(log) {}

  /// A context that is given back at the end of its scope.
  class Lease {
   public:
    explicit Lease(ContextPool& pool) : pool_(pool), context_(pool.take()) {}
    ~Lease() { pool_.give(std::move(context_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    WorkContext* operator->() const noexcept { return context_.get(); }
    WorkContext& operator*() const noexcept { return *context_; }

   private:
    ContextPool& pool_;
    std::unique_ptr<WorkContext> context_;
  };

 private:
  std::unique_ptr<WorkContext> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto context = std::move(free_.back());
        free_.pop_back();
        return context;
      }
    }
    return std::make_unique<WorkContext>(settings_, log_);
  }
  void give(std::unique_ptr<WorkContext> context) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(context));
  }

  const OnlineSettings& settings_;
  const RecordLog& log_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<WorkContext>> free_;
};

}  // namespace neardup
