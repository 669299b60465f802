#include "dedup/corpus/keep_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "neardup/error.h"

namespace neardup {

uint64_t rank_key(double value) noexcept {
  // IEEE 754 doubles order like sign-magnitude integers: flip all bits of negative ones and the sign bit of the others.
  const uint64_t bits = std::bit_cast<uint64_t>(value + 0.0);  // -0.0 + 0.0 is 0.0
  const uint64_t sign = uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

KeepPolicy KeepPolicy::parse(std::string_view text) {
  KeepPolicy policy;
  policy.is_auto_ = text == "auto";
  if (policy.is_auto_) text = "first";
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, comma - at);
    at = comma + 1;
    if (word == "first") {
      policy.keys_.push_back(Key::kFirst);
    } else if (word == "last") {
      policy.keys_.push_back(Key::kLast);
    } else if (word == "longest") {
      policy.keys_.push_back(Key::kLongest);
    } else if (word == "shortest") {
      policy.keys_.push_back(Key::kShortest);
    } else if (word == "source-order") {
      policy.keys_.push_back(Key::kSourceOrder);
    } else if ((word.starts_with("max:") || word.starts_with("min:")) && word.size() > 4) {
      if (!policy.field_.empty())
        throw Error(ErrorCode::kUsage, fmt::format("keep: '{}' names a second field; one of max:FIELD and min:FIELD is allowed", text));
      policy.keys_.push_back(word.starts_with("max:") ? Key::kMax : Key::kMin);
      policy.field_ = word.substr(4);
    } else if (word == "auto") {
      throw Error(ErrorCode::kUsage, fmt::format("keep: 'auto' stands alone, so '{}' cannot contain it", text));
    } else {
      throw Error(ErrorCode::kUsage,
                  fmt::format("keep: '{}' is not one of auto, first, last, longest, shortest, source-order, max:FIELD, min:FIELD", word));
    }
  }
  return policy;
}

bool KeepPolicy::prefers_shorter() const noexcept {
  return std::ranges::find(keys_, Key::kShortest) != keys_.end();
}

bool KeepPolicy::is_input_order() const noexcept {
  return keys_.front() == Key::kFirst;
}

bool KeepPolicy::before(const RankInputs& a, const RankInputs& b) const noexcept {
  if (a.reference != b.reference) return a.reference;
  if (a.is_protected != b.is_protected) return a.is_protected;
  for (const Key key : keys_) {
    switch (key) {
      case Key::kFirst:
        return a.document < b.document;
      case Key::kLast:
        return a.document > b.document;
      case Key::kLongest:
        if (a.text_bytes != b.text_bytes) return a.text_bytes > b.text_bytes;
        break;
      case Key::kShortest:
        if (a.text_bytes != b.text_bytes) return a.text_bytes < b.text_bytes;
        break;
      case Key::kSourceOrder:
        if (a.source != b.source) return a.source < b.source;
        break;
      case Key::kMax:
        if (a.value_key != b.value_key) return a.value_key > b.value_key;  // kNoValue is the smallest
        break;
      case Key::kMin:
        // kNoValue - 1 wraps to the greatest, so documents without a number come last here too.
        if (a.value_key != b.value_key) return a.value_key - 1 < b.value_key - 1;
        break;
    }
  }
  return a.document < b.document;
}

}  // namespace neardup
