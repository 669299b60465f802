#include "jobs/report/passages/passage_units.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "text/utf8/utf8.h"

namespace neardup {

void PassageUnitCutter::cut(std::string_view text, PassageUnits& out) {
  out.units.clear();
  out.places.clear();
  form_.form_with_places(text, formed_, places_, scratch_);
  const std::string_view formed = formed_;
  size_t word_at = 0;  // where the open word begins: byte and code point of the form
  size_t word_point = 0;
  const auto end_word = [&](size_t at, size_t point) {
    if (at > word_at) append(word_at, at, word_point, point, out);
  };
  size_t point = 0;
  for (size_t at = 0; at < formed.size(); ++point) {
    const Decoded c = decode_quickly(formed, at);
    const size_t next = at + c.length;
    const bool alone = columns_of(c.code_point) == 2;
    if (alone || c.code_point == ' ') {
      end_word(at, point);
      if (alone) append(at, next, point, point + 1, out);
      word_at = next;
      word_point = point + 1;
    }
    at = next;
  }
  end_word(formed.size(), point);
}

void PassageUnitCutter::append(size_t begin, size_t end, size_t first_point, size_t end_point, PassageUnits& out) const {
  out.units.push_back(hash64(std::string_view(formed_).substr(begin, end - begin)));
  out.places.push_back({places_[first_point].begin, places_[end_point - 1].end});
}

// Knuth, Morris and Pratt: each unit is looked at about twice, whatever the texts repeat.
void find_units(std::span<const uint64_t> units, std::span<const uint64_t> wanted, const std::function<void(size_t)>& found) {
  if (units.size() < wanted.size()) return;
  std::vector<size_t> border(wanted.size() + 1);  // of the first i units: the longest beginning that they also end with
  for (size_t i = 1, length = 0; i < wanted.size(); ++i) {
    while (length > 0 && wanted[i] != wanted[length]) length = border[length];
    if (wanted[i] == wanted[length]) ++length;
    border[i + 1] = length;
  }
  for (size_t at = 0, length = 0; at < units.size(); ++at) {
    while (length > 0 && units[at] != wanted[length]) length = border[length];
    if (units[at] == wanted[length]) ++length;
    if (length < wanted.size()) continue;
    found(at + 1 - wanted.size());
    length = 0;  // places do not overlap
  }
}

std::string without_units(std::string_view text, const PassageUnits& units, std::span<const uint64_t> wanted) {
  std::string out;
  size_t copied = 0;
  find_units(units.units, wanted, [&](size_t first) {
    // One code point may become several units, so the places of neighbours may overlap.
    const size_t begin = std::max<size_t>(units.places[first].begin, copied);
    out += text.substr(copied, begin - copied);
    out += ' ';
    copied = std::max<size_t>(units.places[first + wanted.size() - 1].end, begin);
  });
  out += text.substr(copied);
  return out;
}

}  // namespace neardup
