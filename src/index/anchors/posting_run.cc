#include "index/anchors/posting_run.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

using anchor_format::kBlockPostings;

constexpr uint32_t kMinPacked = 8;  // postings of a list with a parameter and a dictionary of its own
constexpr uint32_t kParameterBits = 5;
constexpr uint32_t kDictionaryBits = 4;
constexpr uint32_t kNoDictionary = (1u << kDictionaryBits) - 1;
constexpr uint32_t kMaxPlaceBits = 7;  // of a dictionary of kBlockPostings

constexpr uint32_t place_bits(uint32_t size) noexcept {
  return static_cast<uint32_t>(std::bit_width(size - 1));
}

using Gaps = std::array<uint32_t, kBlockPostings>;

// The cheapest one, or one next to it.
uint32_t best_parameter(const Gaps& gaps, size_t count) noexcept {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += gaps[i];
  const uint64_t mean = sum / std::max<size_t>(count, 1);
  const auto middle = mean == 0 ? 0u : static_cast<uint32_t>(std::bit_width(mean)) - 1;
  uint32_t best = 0;
  uint64_t least = UINT64_MAX;
  for (uint32_t k = middle == 0 ? 0 : middle - 1; k <= std::min(middle + 1, 31u); ++k) {
    uint64_t bits = count * k;
    for (size_t i = 0; i < count; ++i) bits += gaps[i] >> k;
    if (bits < least) {
      least = bits;
      best = k;
    }
  }
  return best;
}

void gaps_of(std::span<const Posting> postings, uint32_t before, Gaps& gaps) noexcept {
  for (size_t i = 0; i < postings.size(); ++i) {
    gaps[i] = postings[i].text - before;
    before = postings[i].text;
  }
}

void put_gaps(BitWriter& out, const Gaps& gaps, size_t count, uint32_t k) {
  const uint32_t low = (1u << k) - 1;
  for (size_t i = 0; i < count; ++i) out.put(gaps[i] & low, k);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t zeros = gaps[i] >> k;
    if (zeros < kMaxFieldBits) {
      out.put(uint64_t{1} << zeros, zeros + 1);
    } else {
      out.put_zeros(zeros);
      out.put(1, 1);
    }
  }
}

// The different contexts of a run, those of its dictionary first.
class ContextDictionary {
 public:
  explicit ContextDictionary(std::span<const Posting> postings) : count_(static_cast<uint32_t>(postings.size())) {
    find_different(postings);
    // Those that occur once are worth no place unless all have one.
    std::array<Entry, kBlockPostings> order;
    std::copy_n(entries_.begin(), different_, order.begin());
    const auto rest = std::partition(order.begin(), order.begin() + different_, [](const Entry& entry) { return entry.count > 1; });
    const auto before = [](const Entry& x, const Entry& y) { return x.count != y.count ? x.count > y.count : x.context < y.context; };
    std::sort(order.begin(), rest, before);
    choose_size(order, static_cast<uint32_t>(rest - order.begin()));
    if (size_ == different_) std::sort(rest, order.begin() + different_, before);
    std::array<uint8_t, kBlockPostings> place_of;
    for (uint32_t i = 0; i < different_; ++i) {
      contexts_[i] = order[i].context;
      place_of[order[i].number] = static_cast<uint8_t>(i);
    }
    for (uint32_t i = 0; i < count_; ++i) places_[i] = place_of[places_[i]];
  }

  /// 0: it is worth nothing.
  [[nodiscard]] uint32_t size() const noexcept { return size_; }
  [[nodiscard]] bool has_others() const noexcept { return size_ < different_; }
  [[nodiscard]] uint16_t context(uint32_t place) const noexcept { return contexts_[place]; }
  /// Of posting i; size() or more: outside it.
  [[nodiscard]] uint32_t place(size_t i) const noexcept { return places_[i]; }

 private:
  struct Entry {
    uint16_t count;
    uint16_t context;
    uint8_t number;  // in order of first occurrence
  };
  static constexpr uint8_t kFree = 0xFF;
  static constexpr uint32_t kSlots = 512;

  // Fills entries_ and, for now, places_ with numbers of entries.
  void find_different(std::span<const Posting> postings) noexcept {
    std::array<uint8_t, kSlots> slots;
    slots.fill(kFree);
    for (size_t i = 0; i < postings.size(); ++i) {
      const uint16_t context = postings[i].context;
      uint32_t slot = (context ^ context >> 3) % kSlots;
      while (slots[slot] != kFree && entries_[slots[slot]].context != context) slot = (slot + 1) % kSlots;
      if (slots[slot] == kFree) {
        slots[slot] = static_cast<uint8_t>(different_);
        entries_[different_] = {0, context, static_cast<uint8_t>(different_)};
        ++different_;
      }
      places_[i] = slots[slot];
      ++entries_[slots[slot]].count;
    }
  }

  void choose_size(const std::array<Entry, kBlockPostings>& order, uint32_t frequent) noexcept {
    uint32_t least = count_ * kContextBits;
    const auto consider = [&](uint32_t size, uint32_t inside) {
      const uint32_t width = place_bits(size);
      const uint32_t bits =
          1 + width + size * kContextBits + (inside < count_ ? count_ : 0) + inside * width + (count_ - inside) * kContextBits;
      if (bits >= least) return;
      least = bits;
      size_ = size;
    };
    uint32_t inside = 0;
    for (uint32_t size = 1; size <= frequent; ++size) {
      inside += order[size - 1].count;
      if (std::has_single_bit(size) || size == frequent) consider(size, inside);
    }
    if (different_ > frequent) consider(different_, count_);
  }

  uint32_t count_;
  uint32_t different_ = 0;
  uint32_t size_ = 0;
  std::array<Entry, kBlockPostings> entries_;
  std::array<uint16_t, kBlockPostings> contexts_;
  std::array<uint8_t, kBlockPostings> places_;
};

void put_packed_contexts(BitWriter& out, std::span<const Posting> postings) {
  const ContextDictionary dictionary(postings);
  if (dictionary.size() == 0) {
    out.put(kNoDictionary, kDictionaryBits);
    for (const Posting& posting : postings) out.put(posting.context, kContextBits);
    return;
  }
  const uint32_t width = place_bits(dictionary.size());
  out.put(width, kDictionaryBits);
  out.put(dictionary.has_others() ? 1 : 0, 1);
  out.put(dictionary.size() - 1, width);
  for (uint32_t i = 0; i < dictionary.size(); ++i) out.put(dictionary.context(i), kContextBits);
  if (dictionary.has_others()) {
    for (size_t i = 0; i < postings.size(); ++i) out.put(dictionary.place(i) < dictionary.size() ? 1 : 0, 1);
  }
  for (size_t i = 0; i < postings.size(); ++i) {
    if (dictionary.place(i) < dictionary.size()) {
      out.put(dictionary.place(i), width);
    } else {
      out.put(postings[i].context, kContextBits);
    }
  }
}

void put_few_contexts(BitWriter& out, std::span<const Posting> postings) {
  std::array<uint16_t, kMinPacked> known;
  uint32_t size = 0;
  for (const Posting& posting : postings) {
    const auto place = static_cast<uint32_t>(std::find(known.begin(), known.begin() + size, posting.context) - known.begin());
    if (size > 0) out.put(place < size ? 1 : 0, 1);
    if (place < size) {
      out.put(place, place_bits(size));
    } else {
      out.put(posting.context, kContextBits);
      known[size++] = posting.context;
    }
  }
}

// All that follows trusts no bits: fields are read only where the reader has them, and every value is checked.

bool has_bits(const BitReader& in, uint64_t bits) noexcept {
  return in.ok() && bits <= in.end() - in.at();
}

// visit(i, value) for `count` fields of one width.
template <typename Visit>
bool get_fields(BitReader& in, uint32_t count, uint32_t width, const Visit& visit) noexcept {
  if (!has_bits(in, uint64_t{count} * width)) return false;
  const char* const bytes = in.bytes();
  uint64_t at = in.at();
  for (uint32_t i = 0; i < count; ++i, at += width) visit(i, load_bits(bytes, at, width));
  in.skip(uint64_t{count} * width);
  return true;
}

bool get_gaps(BitReader& in, uint32_t count, uint32_t k, uint64_t before, uint64_t text_limit, uint32_t* texts) noexcept {
  if (!has_bits(in, uint64_t{count} * (k + 1))) return false;
  const char* const bytes = in.bytes();
  uint64_t at = in.at();
  in.skip(uint64_t{count} * k);
  uint64_t text = before;
  uint64_t zeros = 0;
  const bool read = in.get_ones(count, [&](uint32_t i, uint64_t quotient) {
    zeros += quotient;
    text += (quotient << k) + load_bits(bytes, at, k);
    texts[i] = static_cast<uint32_t>(text);
    at += k;
  });
  // With so few zeros the sum did not overflow.
  return read && zeros <= text_limit >> k && text < text_limit;
}

bool get_plain_contexts(BitReader& in, uint32_t count, uint16_t* out) noexcept {
  return get_fields(in, count, kContextBits, [&](uint32_t i, uint64_t context) { out[i] = static_cast<uint16_t>(context); });
}

struct Dictionary {
  uint32_t width = 0;  // of a place
  uint32_t size = 0;
  bool has_others = false;
};

// Without its contexts.
bool get_dictionary(BitReader& in, uint32_t width, uint32_t count, Dictionary& out) noexcept {
  if (width > kMaxPlaceBits) return false;
  out.width = width;
  out.has_others = in.get(1) == 1;
  out.size = static_cast<uint32_t>(in.get(width)) + 1;
  return out.size <= count && in.ok();
}

// The bits that say which postings have a place, as two words.
using Inside = std::array<uint64_t, 2>;
static_assert(sizeof(Inside) * 8 >= kBlockPostings);

Inside get_inside(BitReader& in, uint32_t count) noexcept {
  Inside inside = {};
  for (uint32_t begin = 0; begin < count; begin += 32) {
    const uint32_t width = std::min(count - begin, 32u);
    inside[begin / 64] |= in.get(width) << begin % 64;
  }
  return inside;
}

uint64_t bits_of_places(const Inside& inside, uint32_t count, uint32_t width) noexcept {
  const auto places = static_cast<uint32_t>(std::popcount(inside[0]) + std::popcount(inside[1]));
  return uint64_t{places} * width + uint64_t{count - places} * kContextBits;
}

bool get_packed_contexts(BitReader& in, uint32_t count, uint16_t* contexts) noexcept {
  const auto width = static_cast<uint32_t>(in.get(kDictionaryBits));
  if (width == kNoDictionary) return get_plain_contexts(in, count, contexts);
  Dictionary dictionary;
  std::array<uint16_t, size_t{1} << kMaxPlaceBits> known;
  if (!get_dictionary(in, width, count, dictionary) || !get_plain_contexts(in, dictionary.size, known.data())) return false;
  if (!dictionary.has_others) {
    if (width == 0) {
      std::fill_n(contexts, count, known[0]);
      return true;
    }
    uint32_t greatest = 0;
    const bool read = get_fields(in, count, width, [&](uint32_t i, uint64_t place) {
      greatest = std::max(greatest, static_cast<uint32_t>(place));
      contexts[i] = known[std::min<uint64_t>(place, dictionary.size - 1)];
    });
    return read && greatest < dictionary.size;
  }
  const Inside inside = get_inside(in, count);
  const uint64_t bits = bits_of_places(inside, count, width);
  if (!has_bits(in, bits)) return false;
  uint64_t at = in.at();
  uint32_t greatest = 0;
  for (uint32_t i = 0; i < count; ++i) {
    // Whether there is a place is hard to predict: masks instead of branches.
    const uint32_t has_place = 0u - static_cast<uint32_t>(inside[i / 64] >> i % 64 & 1);
    const uint32_t field = kContextBits ^ ((kContextBits ^ width) & has_place);
    const auto value = static_cast<uint32_t>(load_bits(in.bytes(), at, field));
    const uint32_t place = value & has_place;
    greatest = std::max(greatest, place);
    contexts[i] = static_cast<uint16_t>((known[std::min(place, dictionary.size - 1)] & has_place) | (value & ~has_place));
    at += field;
  }
  in.skip(bits);
  return greatest < dictionary.size;
}

bool get_few_contexts(BitReader& in, uint32_t count, uint16_t* contexts) noexcept {
  std::array<uint16_t, kMinPacked> known;
  uint32_t size = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (size == 0 || in.get(1) == 0) {
      contexts[i] = known[size++] = static_cast<uint16_t>(in.get(kContextBits));
    } else {
      const uint64_t place = in.get(place_bits(size));
      if (place >= size) return false;
      contexts[i] = known[place];
    }
  }
  return in.ok();
}

bool ascends(const PostingRun& run, uint32_t count) noexcept {
  uint32_t wrong = 0;
  for (uint32_t i = 1; i < count; ++i) {
    wrong |= static_cast<uint32_t>(run.texts[i] == run.texts[i - 1]) & static_cast<uint32_t>(run.contexts[i] <= run.contexts[i - 1]);
  }
  return wrong == 0;
}

}  // namespace

TextScale TextScale::of(uint32_t greatest) noexcept {
  TextScale scale;
  scale.width_ = static_cast<uint32_t>(std::bit_width(greatest));
  if (scale.width_ >= 3) scale.quarter_ = greatest >> (scale.width_ - 3) & 3;
  return scale;
}

TextScale TextScale::of_bits(uint32_t bits) noexcept {
  TextScale scale;
  scale.width_ = bits & 63;
  scale.quarter_ = bits >> 6 & 3;
  return scale;
}

uint32_t TextScale::parameter(uint32_t count) const noexcept {
  const uint64_t greatest = width_ < 3 ? uint64_t{1} << width_ : uint64_t{5 + quarter_} << (width_ - 3);
  const uint64_t gap = greatest / (count + 1);
  return gap == 0 ? 0 : static_cast<uint32_t>(std::bit_width(gap)) - 1;  // < 31
}

void put_list(BitWriter& out, std::span<const Posting> postings, TextScale scale) {
  const auto count = static_cast<uint32_t>(postings.size());
  if (count == 1) {
    out.put(postings[0].text, scale.width());
    out.put(postings[0].context, kContextBits);
    return;
  }
  if (count >= kMinPacked) return put_block(out, postings, 0);
  Gaps gaps = {};
  gaps_of(postings, 0, gaps);
  put_gaps(out, gaps, count, scale.parameter(count));
  put_few_contexts(out, postings);
}

void put_block(BitWriter& out, std::span<const Posting> postings, uint32_t before) {
  Gaps gaps = {};
  gaps_of(postings, before, gaps);
  const uint32_t k = best_parameter(gaps, postings.size());
  out.put(k, kParameterBits);
  put_gaps(out, gaps, postings.size(), k);
  put_packed_contexts(out, postings);
}

bool get_list(BitReader& in, uint32_t count, TextScale scale, uint64_t text_limit, PostingRun& run) noexcept {
  if (count == 1) {
    const uint64_t text = in.get(scale.width());
    run.texts[0] = static_cast<uint32_t>(text);
    run.contexts[0] = static_cast<uint16_t>(in.get(kContextBits));
    return text < text_limit && in.ok();
  }
  if (count >= kMinPacked) return get_block(in, count, 0, text_limit, run);
  return get_gaps(in, count, scale.parameter(count), 0, text_limit, run.texts.data()) && get_few_contexts(in, count, run.contexts.data()) &&
         ascends(run, count);
}

bool get_block(BitReader& in, uint32_t count, uint32_t before, uint64_t text_limit, PostingRun& run) noexcept {
  const auto k = static_cast<uint32_t>(in.get(kParameterBits));
  return get_gaps(in, count, k, before, text_limit, run.texts.data()) && get_packed_contexts(in, count, run.contexts.data()) &&
         ascends(run, count);
}

void skip_list(BitReader& in, uint32_t count, TextScale scale) noexcept {
  const auto nothing = [](uint32_t, uint64_t) {};
  if (count == 1) return in.skip(scale.width() + kContextBits);
  if (count < kMinPacked) {
    in.skip(uint64_t{count} * scale.parameter(count));
    if (!in.get_ones(count, nothing)) return;
    in.skip(kContextBits);
    for (uint32_t i = 1, size = 1; i < count; ++i) {
      if (in.get(1) == 0) {
        in.skip(kContextBits);
        ++size;
      } else {
        in.skip(place_bits(size));
      }
    }
    return;
  }
  in.skip(count * in.get(kParameterBits));
  if (!in.get_ones(count, nothing)) return;
  const auto width = static_cast<uint32_t>(in.get(kDictionaryBits));
  if (width == kNoDictionary) return in.skip(uint64_t{count} * kContextBits);
  Dictionary dictionary;
  if (!get_dictionary(in, width, count, dictionary)) return in.skip(UINT64_MAX);
  in.skip(uint64_t{dictionary.size} * kContextBits);
  if (!dictionary.has_others) return in.skip(uint64_t{count} * width);
  const Inside inside = get_inside(in, count);
  in.skip(bits_of_places(inside, count, width));
}

}  // namespace neardup
