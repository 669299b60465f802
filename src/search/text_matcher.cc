#include "search/text_matcher.h"

#include "search/code_points.h"
#include "search/gram_features.h"

namespace neardup {
namespace {

// |A n B| over its denominator.
uint64_t denominator_of(const Overlap& overlap, ClueMeasure measure) noexcept {
  return measure == ClueMeasure::kContainment ? overlap.size_a : overlap.union_size();
}

}  // namespace

std::optional<TextMatch> TextMatcher::match(std::string_view text, SearchWorker& worker) const {
  const ClueMaker& maker = question_.maker();
  maker.form.form(text, worker.form, worker.form_scratch);
  TextMatch match;
  if (question_.resembles()) {
    gram_features(worker.form, maker.shape, worker.features);
    match.overlap = {.common = count_common(question_.features(), worker.features),
                     .size_a = static_cast<uint32_t>(question_.features().size()),
                     .size_b = static_cast<uint32_t>(worker.features.size())};
    return similar(match.overlap) ? std::optional(match) : std::nullopt;
  }
  if (question_.max_edits() == 0) {
    return worker.form.find(question_.form()) == std::string::npos ? std::nullopt : std::optional(match);
  }
  to_code_points(worker.form, worker.points);
  const std::optional<uint32_t> edits = question_.aligner().distance(worker.points, question_.max_edits(), worker.align_scratch);
  if (!edits) return std::nullopt;
  match.edits = *edits;
  return match;
}

bool TextMatcher::similar(const Overlap& overlap) const noexcept {
  const uint64_t least = question_.options().threshold.millionths();
  return overlap.common * Threshold::kOne >= denominator_of(overlap, question_.options().measure) * least;
}

bool TextMatcher::before(const FoundText& a, const FoundText& b) const noexcept {
  if (a.match.edits != b.match.edits) return a.match.edits < b.match.edits;
  if (question_.resembles()) {
    const ClueMeasure measure = question_.options().measure;
    const uint64_t left = a.match.overlap.common * denominator_of(b.match.overlap, measure);
    const uint64_t right = b.match.overlap.common * denominator_of(a.match.overlap, measure);
    if (left != right) return left > right;
  }
  return a.id < b.id;
}

double TextMatcher::similarity(const TextMatch& match) const noexcept {
  if (question_.resembles()) {
    return static_cast<double>(match.overlap.common) / static_cast<double>(denominator_of(match.overlap, question_.options().measure));
  }
  return 1 - static_cast<double>(match.edits) / static_cast<double>(question_.points().size());
}

}  // namespace neardup
