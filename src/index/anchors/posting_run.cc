#include "index/anchors/posting_run.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

constexpr uint32_t kGapWidthBits = 6;
constexpr uint32_t kMaxGapWidth = 32;
constexpr uint32_t kIndexWidthBits = 4;
constexpr uint32_t kPlainContexts = kContextBits;  // in place of the width of an index: there is no dictionary

// Distinct contexts of a run, ascending.
class ContextSet {
 public:
  explicit ContextSet(std::span<const Posting> postings) {
    for (const Posting& posting : postings) values_[size_++] = posting.context;
    std::sort(values_.begin(), values_.begin() + size_);
    size_ = static_cast<uint32_t>(std::unique(values_.begin(), values_.begin() + size_) - values_.begin());
  }
  [[nodiscard]] std::span<const uint16_t> values() const noexcept { return {values_.data(), size_}; }
  [[nodiscard]] uint32_t index_of(uint16_t context) const noexcept {
    return static_cast<uint32_t>(std::lower_bound(values_.begin(), values_.begin() + size_, context) - values_.begin());
  }

 private:
  std::array<uint16_t, anchor_format::kBlockPostings> values_;
  uint32_t size_ = 0;
};

void put_contexts(BitWriter& out, std::span<const Posting> postings) {
  const auto put_each = [&] {
    for (const Posting& posting : postings) out.put(posting.context, kContextBits);
  };
  if (postings.size() == 1) return put_each();
  if (postings.size() < kMinPackedRun) {
    const bool equal = std::ranges::all_of(postings, [&](const Posting& posting) { return posting.context == postings[0].context; });
    out.put(equal ? 1 : 0, 1);
    if (!equal) return put_each();
    return out.put(postings[0].context, kContextBits);
  }
  const ContextSet set(postings);
  const auto distinct = static_cast<uint32_t>(set.values().size());
  const auto width = static_cast<uint32_t>(std::bit_width(distinct - 1));
  if (width + uint64_t{distinct} * kContextBits + postings.size() * width >= postings.size() * kContextBits) {
    out.put(kPlainContexts, kIndexWidthBits);
    return put_each();
  }
  out.put(width, kIndexWidthBits);
  out.put(distinct - 1, width);
  for (const uint16_t context : set.values()) out.put(context, kContextBits);
  if (width == 0) return;
  for (const Posting& posting : postings) out.put(set.index_of(posting.context), width);
}

void put_gaps(BitWriter& out, std::span<const Posting> postings, uint32_t before) {
  uint32_t widest = 0;
  uint32_t last = before;
  for (const Posting& posting : postings) {
    widest = std::max(widest, posting.text - last);
    last = posting.text;
  }
  const auto width = static_cast<uint32_t>(std::bit_width(widest));
  out.put(width, kGapWidthBits);
  for (const Posting& posting : postings) {
    out.put(posting.text - before, width);
    before = posting.text;
  }
}

// All that follows trusts no bits: fields are read only where the reader has them, and every value is checked.

bool has(const BitReader& in, uint64_t bits) noexcept {
  return in.ok() && bits <= in.end() - in.at();
}

// visit(i, value) for `count` fields of one width.
template <typename Visit>
bool get_fields(BitReader& in, uint32_t count, uint32_t width, const Visit& visit) noexcept {
  if (!has(in, uint64_t{count} * width)) return false;
  const char* const bytes = in.bytes();
  uint64_t at = in.at();
  for (uint32_t i = 0; i < count; ++i, at += width) visit(i, load_bits(bytes, at, width));
  in.skip(uint64_t{count} * width);
  return true;
}

bool get_plain_contexts(BitReader& in, uint32_t count, uint16_t* out) noexcept {
  return get_fields(in, count, kContextBits, [&](uint32_t i, uint64_t context) { out[i] = static_cast<uint16_t>(context); });
}

bool get_contexts(BitReader& in, uint32_t count, PostingRun& run) noexcept {
  uint16_t* const contexts = run.contexts.data();
  if (count == 1) return get_plain_contexts(in, 1, contexts);
  if (count < kMinPackedRun) {
    if (in.get(1) == 0) return get_plain_contexts(in, count, contexts);
    std::fill_n(contexts, count, static_cast<uint16_t>(in.get(kContextBits)));
    return in.ok();
  }
  const auto width = static_cast<uint32_t>(in.get(kIndexWidthBits));
  if (width == kPlainContexts) return get_plain_contexts(in, count, contexts);
  if (width > kContextBits) return false;
  const auto distinct = static_cast<uint32_t>(in.get(width)) + 1;
  std::array<uint16_t, anchor_format::kBlockPostings> values;
  if (distinct > count || !get_plain_contexts(in, distinct, values.data())) return false;
  if (width == 0) {
    std::fill_n(contexts, count, values[0]);
    return true;
  }
  uint32_t greatest = 0;
  const bool read = get_fields(in, count, width, [&](uint32_t i, uint64_t index) {
    const auto place = static_cast<uint32_t>(index);
    greatest = std::max(greatest, place);
    contexts[i] = values[std::min(place, distinct - 1)];
  });
  return read && greatest < distinct;
}

// `count` gaps; texts go to run.texts from `first` on.
bool get_gaps(BitReader& in, uint32_t first, uint32_t count, uint64_t before, uint64_t text_limit, PostingRun& run) noexcept {
  const auto width = static_cast<uint32_t>(in.get(kGapWidthBits));
  if (width > kMaxGapWidth) return false;
  uint64_t text = before;  // at most 129 gaps below 2^32: cannot overflow
  const bool read = get_fields(in, count, width, [&](uint32_t i, uint64_t gap) {
    text += gap;
    run.texts[first + i] = static_cast<uint32_t>(text);
  });
  return read && text < text_limit;
}

bool ascends(const PostingRun& run, uint32_t count) noexcept {
  uint32_t wrong = 0;
  for (uint32_t i = 1; i < count; ++i) {
    wrong |= static_cast<uint32_t>(run.texts[i] < run.texts[i - 1]);
    wrong |= static_cast<uint32_t>(run.texts[i] == run.texts[i - 1]) & static_cast<uint32_t>(run.contexts[i] <= run.contexts[i - 1]);
  }
  return wrong == 0;
}

}  // namespace

void put_list(BitWriter& out, std::span<const Posting> postings, uint32_t text_bits) {
  if (postings.size() < kMinPackedRun) {
    for (const Posting& posting : postings) out.put(posting.text, text_bits);
  } else {
    out.put(postings[0].text, text_bits);
    put_gaps(out, postings.subspan(1), postings[0].text);
  }
  put_contexts(out, postings);
}

void put_block(BitWriter& out, std::span<const Posting> postings, uint32_t before) {
  put_gaps(out, postings, before);
  put_contexts(out, postings);
}

bool get_list(BitReader& in, uint32_t count, uint32_t text_bits, uint64_t text_limit, PostingRun& run) noexcept {
  if (count < kMinPackedRun) {
    uint64_t greatest = 0;
    const bool read = get_fields(in, count, text_bits, [&](uint32_t i, uint64_t text) {
      run.texts[i] = static_cast<uint32_t>(text);
      greatest = std::max(greatest, text);
    });
    if (!read || greatest >= text_limit) return false;
  } else {
    const uint64_t text = in.get(text_bits);
    run.texts[0] = static_cast<uint32_t>(text);
    if (!get_gaps(in, 1, count - 1, text, text_limit, run)) return false;
  }
  return get_contexts(in, count, run) && ascends(run, count);
}

bool get_block(BitReader& in, uint32_t count, uint32_t before, uint64_t text_limit, PostingRun& run) noexcept {
  return get_gaps(in, 0, count, before, text_limit, run) && get_contexts(in, count, run) && ascends(run, count);
}

void skip_list(BitReader& in, uint32_t count, uint32_t text_bits) noexcept {
  if (count == 1) return in.skip(text_bits + kContextBits);
  if (count < kMinPackedRun) {
    in.skip(uint64_t{count} * text_bits);
    return in.skip(uint64_t{in.get(1) == 1 ? 1 : count} * kContextBits);
  }
  in.skip(text_bits);
  const uint64_t gap_width = in.get(kGapWidthBits);
  in.skip((count - 1) * gap_width);
  const auto width = static_cast<uint32_t>(in.get(kIndexWidthBits));
  if (width >= kPlainContexts) return in.skip(uint64_t{count} * kContextBits);
  const uint64_t distinct = in.get(width) + 1;
  in.skip(distinct * kContextBits + uint64_t{count} * width);
}

}  // namespace neardup
