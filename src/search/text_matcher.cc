#include "search/text_matcher.h"

#include "search/code_points.h"
#include "search/find_bytes.h"
#include "search/gram_features.h"

namespace neardup {
namespace {

// |A n B| over its denominator.
uint64_t denominator_of(const Overlap& overlap, ClueMeasure measure) noexcept {
  return measure == ClueMeasure::kContainment ? overlap.size_a : overlap.union_size();
}

}  // namespace

void form_text(const ClueMaker& maker, std::string_view text, SearchWorker& worker) {
  maker.form.form(text, worker.form, worker.form_scratch);
  worker.has_points = false;
  worker.has_features = false;
}

std::optional<TextMatch> TextMatcher::match(std::string_view text, SearchWorker& worker) const {
  form_text(clue_.maker(), text, worker);
  return match_form(worker);
}

std::optional<TextMatch> TextMatcher::match_form(SearchWorker& worker, size_t from) const {
  TextMatch match;
  if (clue_.resembles()) {
    if (!worker.has_features) gram_features(worker.form, clue_.maker().shape, worker.features);
    worker.has_features = true;
    match.overlap = {.common = count_common(clue_.features(), worker.features),
                     .size_a = static_cast<uint32_t>(clue_.features().size()),
                     .size_b = static_cast<uint32_t>(worker.features.size())};
    return similar(match.overlap) ? std::optional(match) : std::nullopt;
  }
  if (clue_.max_edits() == 0) {
    return find_bytes(worker.form, clue_.form(), from) == std::string_view::npos ? std::nullopt : std::optional(match);
  }
  if (!worker.has_points) to_code_points(worker.form, worker.points);
  worker.has_points = true;
  const std::optional<uint32_t> edits = clue_.aligner().distance(worker.points, clue_.max_edits(), worker.align_scratch);
  if (!edits) return std::nullopt;
  match.edits = *edits;
  return match;
}

bool TextMatcher::similar(const Overlap& overlap) const noexcept {
  const uint64_t least = clue_.options().threshold.millionths();
  return overlap.common * Threshold::kOne >= denominator_of(overlap, clue_.options().measure) * least;
}

bool TextMatcher::before(const FoundText& a, const FoundText& b) const noexcept {
  if (a.match.edits != b.match.edits) return a.match.edits < b.match.edits;
  if (clue_.resembles()) {
    const ClueMeasure measure = clue_.options().measure;
    const uint64_t left = a.match.overlap.common * denominator_of(b.match.overlap, measure);
    const uint64_t right = b.match.overlap.common * denominator_of(a.match.overlap, measure);
    if (left != right) return left > right;
  }
  return a.id < b.id;
}

int64_t TextMatcher::order(const TextMatch& match) const noexcept {
  if (!clue_.resembles()) return match.edits;
  // The distance 1 - similarity in units of 2^-62, rounded down: two fractions with denominators below 2^31 differ by more than a unit.
  __extension__ using Wide = unsigned __int128;
  const uint64_t denominator = denominator_of(match.overlap, clue_.options().measure);
  return static_cast<int64_t>((Wide{denominator - match.overlap.common} << 62) / denominator);
}

double TextMatcher::similarity(const TextMatch& match) const noexcept {
  if (clue_.resembles()) {
    return static_cast<double>(match.overlap.common) / static_cast<double>(denominator_of(match.overlap, clue_.options().measure));
  }
  return 1 - static_cast<double>(match.edits) / static_cast<double>(clue_.points().size());
}

}  // namespace neardup
