#include "features/number_key.h"

#include <algorithm>

#include "base/hash.h"

namespace neardup {
namespace {

constexpr bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

// Without zeros that change nothing: at the beginning, and at the end of the digits after the point. `point` is its place, or npos.
std::string_view shortened(std::string_view number, size_t point) {
  size_t end = number.size();
  if (point != std::string_view::npos) {
    while (number[end - 1] == '0') --end;
    if (end - 1 == point) --end;
  }
  const size_t last_of_whole = std::min(point, end) - 1;
  size_t begin = 0;
  while (begin < last_of_whole && number[begin] == '0') ++begin;
  return number.substr(begin, end - begin);
}

}  // namespace

uint64_t number_key(std::string_view normalized, NumberScratch& scratch) {
  scratch.numbers.clear();
  const auto digits_end = [&](size_t at) {
    while (at < normalized.size() && is_digit(normalized[at])) ++at;
    return at;
  };
  for (size_t at = 0; at < normalized.size();) {
    if (!is_digit(normalized[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    at = digits_end(at);
    size_t point = std::string_view::npos;
    if (at + 1 < normalized.size() && normalized[at] == '.' && is_digit(normalized[at + 1])) {
      point = at - begin;
      at = digits_end(at + 1);
    }
    scratch.numbers.push_back(shortened(normalized.substr(begin, at - begin), point));
  }
  std::ranges::sort(scratch.numbers);
  scratch.joined.clear();
  for (const std::string_view number : scratch.numbers) {
    scratch.joined += number;
    scratch.joined += ' ';
  }
  // Mixed, because the hash of "12 " is also that of the shingle "12 ": combined, both would vanish, whatever the number.
  return mix64(hash64(scratch.joined));
}

}  // namespace neardup
