#include "search/find/asked_grams.h"

#include <algorithm>
#include <tuple>

#include "neardup/stop.h"
#include "search/gram_features.h"

namespace neardup {

std::vector<ClueAnchor> spread(const std::vector<ClueAnchor>& anchors, size_t count) {
  if (anchors.size() <= count) return anchors;
  std::vector<ClueAnchor> some;
  some.reserve(count);
  for (size_t i = 0; i < count; ++i) some.push_back(anchors[i * anchors.size() / count]);
  return some;
}

std::vector<AskedGram> look_up(SearchRun& run, const std::vector<ClueAnchor>& anchors, GramKind kind) {
  std::vector<ClueAnchor> sorted = anchors;
  std::ranges::stable_sort(sorted, {}, &ClueAnchor::hash);
  std::vector<AskedGram> grams;
  for (const ClueAnchor& anchor : sorted) {
    if (grams.empty() || grams.back().hash != anchor.hash) grams.push_back({.kind = kind, .hash = anchor.hash});
    auto& places = grams.back().places;
    const bool known = std::ranges::any_of(
        places, [&](const ClueAnchor& place) { return place.context == anchor.context && place.known == anchor.known; });
    if (!known) places.push_back(anchor);
  }
  for (const SearchPart& part : run.view().parts) {
    // Announces all reads of a kind before the first of them, so that a disk works on many at once.
    const AnchorImage& image = part.texts->anchors();
    for (const AskedGram& gram : grams) image.fetch_directory(gram.hash);
    for (const AskedGram& gram : grams) image.fetch_bucket(gram.hash);
    for (AskedGram& gram : grams) {
      gram.lists.push_back(image.find(gram.hash));
      gram.postings += gram.lists.back().count;
    }
    check_stop();
  }
  run.trace.lookups += grams.size() * run.view().parts.size();
  if (kind == GramKind::kGuess) std::erase_if(grams, [](const AskedGram& gram) { return gram.postings == 0; });
  std::ranges::sort(grams, {}, [](const AskedGram& gram) { return std::tuple(gram.postings, gram.hash); });

  const Question& question = run.question();
  for (const AskedGram& gram : grams) {
    run.trace.postings += gram.postings;
    if (!question.options().explain || kind == GramKind::kGuess) continue;
    const std::string_view text = gram_at(question.form(), gram.places.front().begin, question.maker().shape);
    run.trace.asked.push_back({.gram = std::string(text), .postings = gram.postings, .certain = kind == GramKind::kCertain});
  }
  return grams;
}

}  // namespace neardup
