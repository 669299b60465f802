#include "index/anchors/anchors_reference.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

struct FormPoint {
  std::string bytes;
  uint32_t begin;
  uint32_t columns;
};

std::vector<FormPoint> points_of(std::string_view form) {
  std::vector<FormPoint> points;
  for (size_t at = 0; at < form.size();) {
    const Decoded decoded = decode_utf8(form, at);
    points.push_back(
        {std::string(form.substr(at, decoded.length)), static_cast<uint32_t>(at), is_single_token(decoded.code_point) ? 2u : 1u});
    at += decoded.length;
  }
  return points;
}

std::string bytes_of(const std::vector<FormPoint>& points, size_t from, size_t to) {
  std::string bytes;
  for (size_t i = from; i < to; ++i) bytes += points[i].bytes;
  return bytes;
}

// The end of the shortest run from `from` on with at least so many columns; none if the form ends before.
std::optional<size_t> run_end(const std::vector<FormPoint>& points, size_t from, uint32_t columns) {
  uint32_t sum = 0;
  for (size_t i = from; i < points.size(); ++i) {
    sum += points[i].columns;
    if (sum >= columns) return i + 1;
  }
  return std::nullopt;
}

std::optional<size_t> run_begin(const std::vector<FormPoint>& points, size_t to, uint32_t columns) {
  uint32_t sum = 0;
  for (size_t i = to; i > 0; --i) {
    sum += points[i - 1].columns;
    if (sum >= columns) return i - 1;
  }
  return std::nullopt;
}

struct FormGram {
  uint64_t hash;
  std::pair<int, uint64_t> order;
  size_t from;
  size_t to;
};

uint64_t hash_of_sub_gram(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = bytes.size(); i > 0; --i) number = number << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return number * 0x9E37'79B9'7F4A'7C15u >> 33;
}

// 0: open, 1: closed, 2: neither.
int kind_of_gram(const std::vector<FormPoint>& points, size_t from, size_t to) {
  std::vector<uint64_t> subs;
  for (size_t sub = from; sub < to; ++sub) {
    const std::optional<size_t> end = run_end(points, sub, kSubColumns);
    if (end && *end <= to) subs.push_back(hash_of_sub_gram(bytes_of(points, sub, *end)));
  }
  if (subs.empty()) return 0;
  const auto smallest = static_cast<size_t>(std::ranges::min_element(subs) - subs.begin());
  if (smallest == (subs.size() - 1) / 2) return 0;
  return smallest == 0 || smallest == subs.size() - 1 ? 1 : 2;
}

std::vector<FormGram> grams_of(const std::vector<FormPoint>& points, const AnchorShape& shape) {
  std::vector<FormGram> grams;
  for (size_t from = 0; from < points.size(); ++from) {
    const std::optional<size_t> to = run_end(points, from, shape.gram);
    if (!to) break;
    const uint64_t hash = hash64(bytes_of(points, from, *to));
    grams.push_back({hash >> (64 - kAnchorHashBits), {kind_of_gram(points, from, *to), hash % (uint64_t{1} << 30)}, from, *to});
  }
  return grams;
}

ClueAnchor with_context(const std::vector<FormPoint>& points, const FormGram& gram) {
  ClueAnchor anchor{gram.hash, points[gram.from].begin, 0, 0};
  const auto add = [&](uint32_t cell, std::string_view bytes, bool whole) {
    const uint64_t bits = hash64(bytes) >> (64 - kContextCellBits);
    anchor.context = static_cast<uint16_t>(anchor.context | bits << (cell * kContextCellBits));
    if (whole) anchor.known = static_cast<uint16_t>(anchor.known | ((1u << kContextCellBits) - 1) << (cell * kContextCellBits));
  };
  const std::optional<size_t> near_left = run_begin(points, gram.from, kContextColumns);
  add(0, bytes_of(points, near_left.value_or(0), gram.from), near_left.has_value());
  const std::optional<size_t> far_left = run_begin(points, near_left.value_or(0), kContextColumns);
  add(1, bytes_of(points, far_left.value_or(0), near_left.value_or(0)), far_left.has_value());
  const std::optional<size_t> near_right = run_end(points, gram.to, kContextColumns);
  add(2, bytes_of(points, gram.to, near_right.value_or(points.size())), near_right.has_value());
  const size_t next = near_right.value_or(points.size());
  const std::optional<size_t> far_right = run_end(points, next, kContextColumns);
  add(3, bytes_of(points, next, far_right.value_or(points.size())), far_right.has_value());
  return anchor;
}

std::vector<ClueAnchor> all_with_context(const std::vector<FormPoint>& points, const std::vector<FormGram>& grams,
                                         const std::set<size_t>& chosen) {
  std::vector<ClueAnchor> anchors;
  anchors.reserve(chosen.size());
  for (const size_t gram : chosen) anchors.push_back(with_context(points, grams[gram]));
  return anchors;
}

// Of grams[from..to), the first one in the order, of equal ones the last.
size_t first_of(const std::vector<FormGram>& grams, size_t from, size_t to) {
  size_t first = from;
  for (size_t i = from; i < to; ++i) {
    if (grams[i].order <= grams[first].order) first = i;
  }
  return first;
}

std::set<size_t> minima(const std::vector<FormPoint>& points, const std::vector<FormGram>& grams, uint32_t window) {
  std::set<size_t> chosen;
  for (size_t from = 0; from < grams.size(); ++from) {
    const std::optional<size_t> to = run_end(points, from, window);
    if (to && *to <= grams.size()) chosen.insert(first_of(grams, from, *to));
  }
  return chosen;
}

uint64_t hash_of_whole(std::string_view form) {
  return hash64(std::string(form) + '\0') >> (64 - kAnchorHashBits);
}

}  // namespace

std::vector<Anchor> reference_text_anchors(std::string_view form, const AnchorShape& shape) {
  if (form.empty()) return {};
  const std::vector<FormPoint> points = points_of(form);
  const std::vector<FormGram> grams = grams_of(points, shape);
  if (grams.empty()) return {{hash_of_whole(form), 0, 0}};
  std::set<size_t> chosen = minima(points, grams, shape.window);
  uint32_t columns = 0;
  for (const FormPoint& point : points) columns += point.columns;
  const uint32_t small = std::max(columns / kShortWindows, 1u);
  if (columns < kShortColumns && small < shape.window) chosen.merge(minima(points, grams, small));
  if (chosen.empty()) chosen.insert(first_of(grams, 0, grams.size()));
  std::vector<Anchor> anchors;
  for (const ClueAnchor& anchor : all_with_context(points, grams, chosen)) anchors.push_back({anchor.hash, anchor.begin, anchor.context});
  return anchors;
}

std::vector<ClueAnchor> reference_certain_anchors(std::string_view form, const AnchorShape& shape) {
  const std::vector<FormPoint> points = points_of(form);
  const std::vector<FormGram> grams = grams_of(points, shape);
  return all_with_context(points, grams, minima(points, grams, shape.window));
}

std::vector<ClueAnchor> reference_clue_grams(std::string_view form, const AnchorShape& shape) {
  if (form.empty()) return {};
  const std::vector<FormPoint> points = points_of(form);
  const std::vector<FormGram> grams = grams_of(points, shape);
  if (grams.empty()) return {{hash_of_whole(form), 0, 0, 0}};
  std::vector<ClueAnchor> anchors;
  anchors.reserve(grams.size());
  for (const FormGram& gram : grams) anchors.push_back(with_context(points, gram));
  return anchors;
}

}  // namespace neardup
