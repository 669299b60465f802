// The slow, obvious twin of an online store: a list of kept documents that every text is compared with, one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/lsh/band_keys.h"
#include "index/lsh/signature_filter.h"
#include "neardup/online_store.h"
#include "neardup/recipe.h"
#include "neardup/sketcher.h"
#include "sketch/sketcher_access.h"

namespace neardup::testing {

class OnlineModel {
 public:
  explicit OnlineModel(const OnlineStoreSpec& spec)
      : spec_(spec),
        recipe_(Recipe::load(spec.recipe)),
        sketcher_(recipe_),
        plan_(recipe_.fingerprints() ? LshPlan{} : plan_lsh(spec.threshold, spec.miss_probability, recipe_.lanes)),
        filter_(recipe_.fingerprints() ? SignatureFilter() : SignatureFilter(recipe_.lanes, spec.threshold)) {}

  OnlineAnswer apply(const OnlineRequest& request, uint64_t now) {
    clock_ = std::max(clock_, now);
    // What cannot come back is only in the way of long runs.
    if (++operations_ % 4096 == 0) std::erase_if(kept_, [this](const Document& kept) { return !sees(kept); });
    Document made = document(request);
    if (request.insert) {
      if (Document* const known = find(request.id)) {
        if (known->normalized == made.normalized) {
          return {.outcome = OnlineOutcome::kRepeated,
                  .reason = known->is_short ? Reason::kShort : Reason::kUnique,
                  .sequence = known->sequence};
        }
        if (!request.replace) return {.outcome = OnlineOutcome::kConflict, .sequence = known->sequence};
        known->alive = false;
        ++next_;
      }
    }
    for (Document& kept : kept_) {
      if (!sees(kept)) continue;
      const std::optional<std::pair<Reason, double>> match = matches(made, kept);
      if (!match) continue;
      if (request.insert && request.touch && kept.expires < made.expires) {
        kept.expires = made.expires;
        ++next_;
      }
      return {.decision = Decision::kRemove,
              .reason = match->first,
              .keeper_id = kept.id,
              .sequence = kept.sequence,
              .similarity = match->second};
    }
    OnlineAnswer answer{.reason = made.is_short ? Reason::kShort : Reason::kUnique};
    if (!request.insert) return answer;
    made.sequence = answer.sequence = next_++;
    kept_.push_back(std::move(made));
    return answer;
  }

  bool remove(std::string_view id, uint64_t now) {
    clock_ = std::max(clock_, now);
    Document* const known = find(id);
    if (known == nullptr) return false;
    known->alive = false;
    ++next_;
    return true;
  }

  /// Ids and sequences of what is in it.
  [[nodiscard]] std::vector<std::pair<uint64_t, std::string>> documents() const {
    std::vector<std::pair<uint64_t, std::string>> all;
    for (const Document& kept : kept_) {
      if (sees(kept)) all.emplace_back(kept.sequence, kept.id);
    }
    return all;
  }
  [[nodiscard]] uint64_t next_sequence() const { return next_; }

 private:
  struct Document {
    std::string id;
    std::string normalized;
    bool is_short = false;
    std::set<uint64_t> features;
    std::vector<uint8_t> keys;
    std::vector<uint8_t> filter;
    Fingerprint128 code;
    uint64_t expires = UINT64_MAX;
    uint64_t sequence = 0;
    bool alive = true;
  };

  [[nodiscard]] bool sees(const Document& kept) const { return kept.alive && kept.expires > clock_; }
  Document* find(std::string_view id) {
    for (Document& kept : kept_) {
      if (sees(kept) && kept.id == id) return &kept;
    }
    return nullptr;
  }

  Document document(const OnlineRequest& request) {
    Document made;
    made.id = request.id;
    made.normalized = sketcher_.normalize(request.text, scratch_);
    std::vector<uint32_t> sketch(sketcher_.sketch_words());
    const Sketcher::Result result = sketcher_.sketch(request.text, scratch_, sketch);
    size_t characters = 0;
    for (const char byte : made.normalized) characters += static_cast<size_t>((static_cast<unsigned char>(byte) & 0xC0) != 0x80);
    made.is_short = result.too_short || characters < spec_.min_length;
    if (!made.is_short && recipe_.fingerprints()) made.code = Sketcher::fingerprint(sketch);
    if (!made.is_short && !recipe_.fingerprints()) {
      BandKeys::append_row(plan_, sketch, made.keys);
      filter_.append_row(sketch, made.filter);
      const auto features = sketcher_.features(request.text, scratch_);
      made.features.insert(features.begin(), features.end());
    }
    if (request.expires_ms)
      made.expires = *request.expires_ms;
    else if (spec_.ttl_ms != 0)
      made.expires = clock_ + spec_.ttl_ms;
    return made;
  }

  [[nodiscard]] std::optional<std::pair<Reason, double>> matches(const Document& a, const Document& b) const {
    if (a.normalized == b.normalized) return std::pair(Reason::kExactCopy, 1.0);
    if (a.is_short || b.is_short) return std::nullopt;
    if (recipe_.fingerprints()) {
      const uint32_t distance = hamming_distance(a.code, b.code);
      if (distance > spec_.max_distance) return std::nullopt;
      return std::pair(Reason::kNearDuplicate, static_cast<double>(recipe_.bits - distance) / recipe_.bits);
    }
    if (!BandKeys::share_band(plan_, a.keys.data(), b.keys.data()) || !filter_.pass(a.filter.data(), b.filter.data())) return std::nullopt;
    uint64_t common = 0;
    for (const uint64_t feature : a.features) common += b.features.count(feature);
    const uint64_t united = a.features.size() + b.features.size() - common;
    if (common * 1'000'000 < united * spec_.threshold.millionths()) return std::nullopt;
    return std::pair(Reason::kNearDuplicate, static_cast<double>(common) / static_cast<double>(united));
  }

  const OnlineStoreSpec spec_;
  const Recipe recipe_;
  const Sketcher sketcher_;
  Sketcher::Scratch scratch_;
  const LshPlan plan_;
  const SignatureFilter filter_;
  std::vector<Document> kept_;
  uint64_t next_ = 0;
  uint64_t clock_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace neardup::testing
