#include "online/finder.h"

#include <algorithm>

#include "features/feature_set.h"
#include "neardup/tools/threshold.h"

namespace neardup {

RecordPlace place_of(const RowHead& head) noexcept {
  return {head.place, head.record_bytes};
}

std::optional<Match> Finder::find(const Visible& visible, const Prepared& prepared, const FeaturesOf& features, const NearCodesOf& codes) {
  // A kept exact copy is the first match: what matches it before would have removed it.
  if (auto exact = find_exact(visible, prepared.head())) return exact;
  if (prepared.is_short()) return std::nullopt;
  if (settings_.bits() != 0) return find_code(visible, prepared.code, codes);
  find_candidates(visible, prepared);
  const Threshold threshold = settings_.spec().threshold;
  Overlap overlap{.common = 0, .size_a = static_cast<uint32_t>(prepared.features.size()), .size_b = 0};
  for (const Candidate& candidate : candidates_) {
    overlap.size_b = candidate.features;
    const uint64_t required = threshold.required_overlap(overlap.size_a, overlap.size_b);
    if (required > std::min(overlap.size_a, overlap.size_b)) continue;
    overlap.common = count_common_at_least(prepared.features, features(candidate.sequence, candidate.place), required);
    if (threshold.met_by(overlap))
      return Match{.sequence = candidate.sequence, .expires = candidate.expires, .place = candidate.place, .similarity = overlap.jaccard()};
  }
  return std::nullopt;
}

void Finder::prefetch(const Visible& visible, const Prepared& prepared) const {
  const RowLayout& layout = settings_.layout();
  const uint8_t* const row = prepared.row.data();
  for (const TablePart& part : visible.parts) {
    if (!visible.concerns(part)) continue;
    for (uint32_t table = 0; table < layout.tables(); ++table) {
      if (layout.in_table(row, table)) part.prefetch(table, layout.key(row, table));
    }
  }
}

std::optional<RowHead> Finder::row_of(std::span<const TablePart> parts, uint64_t sequence) {
  for (const TablePart& part : parts) {
    if (part.last_sequence < sequence) continue;
    if (const std::optional<uint32_t> row = part.find(sequence)) return RowLayout::head(part.row(*row));
  }
  return std::nullopt;
}

std::optional<Match> Finder::find_exact(const Visible& visible, const RowHead& head) const {
  const RowLayout& layout = settings_.layout();
  std::optional<Match> first;
  for (const TablePart& part : visible.parts) {
    if (!visible.concerns(part)) continue;
    part.visit(layout.exact_table(), RowLayout::exact_key(head.exact()), [&](uint32_t row) {
      const RowHead other = RowLayout::head(part.row(row));
      if (other.exact() != head.exact() || !visible.has(other)) return;
      if (!first || other.sequence < first->sequence)
        first = Match{.sequence = other.sequence, .expires = other.expires, .place = place_of(other), .exact = true};
    });
  }
  return first;
}

std::optional<Match> Finder::find_code(const Visible& visible, Fingerprint128 code, const NearCodesOf& codes) const {
  std::optional<Match> first;
  codes(code, [&](uint64_t sequence, uint32_t distance) {
    if (sequence < visible.from || sequence >= visible.end || (first && first->sequence < sequence)) return;
    const std::optional<RowHead> head = row_of(visible.parts, sequence);
    if (!head || !visible.has(*head)) return;
    const Overlap equal_bits{.common = settings_.bits() - distance, .size_a = settings_.bits(), .size_b = settings_.bits() - distance};
    first = Match{.sequence = sequence, .expires = head->expires, .place = place_of(*head), .similarity = equal_bits.jaccard()};
  });
  return first;
}

// Ascending, without repetitions.
void Finder::find_candidates(const Visible& visible, const Prepared& prepared) {
  const RowLayout& layout = settings_.layout();
  const uint8_t* const keys = layout.keys(prepared.row.data());
  const auto key_of = [&](uint32_t band) { return BandKeys::load(keys + band * BandKeys::kKeyBytes); };
  candidates_.clear();
  rows_.clear();
  bool full = false;
  for (size_t p = 0; p < visible.parts.size(); ++p) {
    if (!visible.concerns(visible.parts[p])) continue;
    for (uint32_t band = 0; band < layout.bands(); ++band) {
      uint32_t found = 0;
      visible.parts[p].visit(band, key_of(band), [&](uint32_t row) {
        rows_.push_back(uint64_t{p} << 32 | row);
        ++found;
      });
      full |= found >= kBucketRows;
    }
  }
  std::ranges::sort(rows_);
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
  for (const uint64_t row : rows_) add_if_candidate(visible, prepared, visible.parts[row >> 32].row(static_cast<uint32_t>(row)));
  if (full && visible.hot != nullptr && visible.hot->size() != 0) {
    hot_.clear();
    visible.hot->find(prepared.features, probe_, hot_);
    for (const uint64_t sequence : hot_) {
      for (const TablePart& part : visible.parts) {
        const std::optional<uint32_t> row = part.last_sequence < sequence ? std::nullopt : part.find(sequence);
        if (!row) continue;
        add_if_candidate(visible, prepared, part.row(*row));
        break;
      }
    }
  }
  std::ranges::sort(candidates_, {}, &Candidate::sequence);
  const auto again = std::ranges::unique(candidates_, {}, &Candidate::sequence);
  candidates_.erase(again.begin(), again.end());
}

void Finder::add_if_candidate(const Visible& visible, const Prepared& prepared, const uint8_t* row) {
  const RowLayout& layout = settings_.layout();
  const RowHead head = RowLayout::head(row);
  if (!visible.has(head)) return;
  // The filter first: it is cheaper, and rejects nearly all that share a band by chance.
  if (!settings_.filter().pass(layout.filter(prepared.row.data()), layout.filter(row))) return;
  if (!BandKeys::share_band(layout.plan(), layout.keys(prepared.row.data()), layout.keys(row))) return;
  candidates_.push_back({head.sequence, head.expires, head.features, place_of(head)});
}

}  // namespace neardup
