#include "dedup/stages/frequencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/external_sort.h"
#include "base/limits.h"
#include "base/spill_file.h"
#include "dedup/stages/blob_format.h"
#include "dedup/stages/part_blobs.h"
#include "dedup/stages/stage_counts.h"
#include "features/document_frequency.h"
#include "features/frequency_builder.h"
#include "features/frequency_writer.h"
#include "neardup/error.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

constexpr size_t kEntryBytes = sizeof(uint64_t) + sizeof(uint32_t);

// A count that a table cannot have stays one: there are too many documents then, which the table refuses.
void store_entry(const HashCount& entry, uint8_t* out) noexcept {
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(entry.count, std::numeric_limits<uint32_t>::max()));
  std::memcpy(out, &entry.hash, sizeof entry.hash);
  std::memcpy(out + sizeof entry.hash, &count, sizeof count);
}

HashCount load_entry(const uint8_t* bytes) noexcept {
  HashCount entry;
  uint32_t count = 0;
  std::memcpy(&entry.hash, bytes, sizeof entry.hash);
  std::memcpy(&count, bytes + sizeof entry.hash, sizeof count);
  entry.count = count;
  return entry;
}

// Entries that ascend, with the counts of equal hashes added, on their way into blobs.
class SummedBlobs {
 public:
  SummedBlobs(const StageSettings& settings, uint32_t parts, uint64_t memory)
      : parts_(parts), blobs_(settings, BlobKind::kFrequencies, parts, kWideRank, memory) {}

  void add(const HashCount& entry) {
    if (entry.hash != last_.hash) {
      put();
      last_.hash = entry.hash;
    }
    last_.count += entry.count;
  }
  void finish() {
    put();
    blobs_.finish();
  }
  std::optional<Blob> take() { return blobs_.take(); }

 private:
  void put() {
    if (last_.count > 0) store_entry(last_, blobs_.add(part_of(last_.hash, parts_)));
    last_.count = 0;
  }

  const uint32_t parts_;
  PartBlobs blobs_;
  HashCount last_;  // a count of 0: none
};

// The next blob of the entries that `entries.next()` gives; nothing after the last.
template <typename Entries>
std::optional<Blob> next_blob(Entries& entries, SummedBlobs& blobs, bool& finished) {
  for (;;) {
    if (auto blob = blobs.take()) return blob;
    if (finished) return std::nullopt;
    if (const HashCount* const entry = entries.next()) {
      blobs.add(*entry);
    } else {
      blobs.finish();
      finished = true;
    }
  }
}

class Count final : public CountStage {
 public:
  Count(const StageSettings& settings, uint32_t parts, const StageSpace& space)
      : settings_(settings), builder_(1, space.memory / 4 * 3, space.temp_dir), blobs_(settings, parts, space.memory / 8) {}

  void add(std::optional<std::string_view> text) override {
    if (!text || text->size() > limits::kMaxTextBytes) return;
    builder_.add(0, SketcherAccess::token_hashes(settings_.sketcher(), *text, scratch_));
    ++counts_.documents;
    counts_.text_bytes += text->size();
  }

  std::optional<Blob> next() override {
    if (auto blob = next_blob(builder_, blobs_, finished_)) return blob;
    if (std::exchange(counted_, true)) return std::nullopt;
    return Blob{0, BlobKind::kCounts, make_blob(settings_.stamp(), BlobKind::kCounts, kWideRank, 1, save_counts(counts_))};
  }

 private:
  const StageSettings& settings_;
  DocumentFrequencyBuilder builder_;
  SummedBlobs blobs_;
  Sketcher::Scratch scratch_;
  StageCounts counts_;
  bool finished_ = false;  // all entries are in blobs
  bool counted_ = false;   // the blob of counts was given
};

class Sum final : public ReduceStage {
 public:
  Sum(const StageSettings& settings, const StageSpace& space)
      : settings_(settings), entries_(space.memory / 2, space.temp_dir), blobs_(settings, 1, space.memory / 8) {}

  void add(std::string_view bytes) override {
    const BlobView blob = open_blob(settings_, bytes, BlobKind::kFrequencies);
    std::vector<HashCount> entries(blob.records);
    for (uint32_t i = 0; i < blob.records; ++i) entries[i] = load_entry(blob.record(i));
    entries_.add(entries);
  }

  std::optional<Blob> next() override { return next_blob(entries_, blobs_, finished_); }

 private:
  const StageSettings& settings_;
  ExternalSorter<HashCount> entries_;
  SummedBlobs blobs_;
  bool finished_ = false;
};

// Each hash is in one blob, and blobs ascend: so blobs are put in order, and not entries.
class FrequencyTable final : public FrequencyTableStage {
 public:
  FrequencyTable(const StageSettings& settings, const StageSpace& space)
      : settings_(settings), temp_dir_(space.temp_dir), entries_(space.memory, space.temp_dir) {}

  void add(std::string_view bytes) override {
    const BlobView blob = open_blob(settings_, bytes, BlobKind::kFrequencies);
    if (blob.records == 0) return;
    blobs_.push_back({.first = load_entry(blob.data).hash, .at = entries_.size(), .records = blob.records});
    entries_.append(blob.body);
  }

  uint64_t finish(const std::string& path, uint64_t documents) override {
    std::ranges::sort(blobs_, {}, [](const Stored& blob) { return std::pair(blob.first, blob.at); });
    const auto* const entries = reinterpret_cast<const uint8_t*>(entries_.bytes().data());
    FrequencyWriter writer(1, temp_dir_);
    std::optional<uint64_t> last;
    for (const Stored& blob : blobs_) {
      for (uint32_t i = 0; i < blob.records; ++i) {
        const HashCount entry = load_entry(entries + blob.at + i * kEntryBytes);
        if (last && entry.hash <= *last)
          throw Error(ErrorCode::kInput, fmt::format("blobs of frequencies do not ascend: hash {:016x} after {:016x}", entry.hash, *last));
        last = entry.hash;
        writer.add(entry);
      }
    }
    AtomicFile file(path);
    const uint64_t id = writer.finish(frequency_description(settings_.sketcher().recipe().canonical_json()), documents, file);
    file.commit();
    return id;
  }

 private:
  struct Stored {
    uint64_t first;  // hash
    uint64_t at;     // bytes before it
    uint32_t records;
  };
  const StageSettings& settings_;
  const std::string temp_dir_;
  SpillFile entries_;
  std::vector<Stored> blobs_;
};

}  // namespace

std::unique_ptr<CountStage> make_count(const StageSettings& settings, uint32_t parts, const StageSpace& space) {
  return std::make_unique<Count>(settings, parts, space);
}

std::unique_ptr<ReduceStage> make_sum(const StageSettings& settings, const StageSpace& space) {
  return std::make_unique<Sum>(settings, space);
}

std::unique_ptr<FrequencyTableStage> make_frequency_table(const StageSettings& settings, const StageSpace& space) {
  return std::make_unique<FrequencyTable>(settings, space);
}

}  // namespace neardup
