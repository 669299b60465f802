#include "search/hit_passage.h"

#include <algorithm>
#include <utility>

#include "search/code_points.h"
#include "search/differences.h"
#include "search/find_bytes.h"
#include "search/gram_features.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

// Code points of the form.
struct FormRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// Of any bytes; each malformed part is one.
uint64_t count_characters(std::string_view text) noexcept {
  uint64_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) at += decode_quickly(text, at).length;
  return count;
}

FormRange range_of(std::string_view form, size_t begin, size_t end) noexcept {
  const uint64_t before = count_character_begins(form.substr(0, begin));
  return {static_cast<uint32_t>(before), static_cast<uint32_t>(before + count_character_begins(form.substr(begin, end - begin)))};
}

FormRange find_unchanged(const Clue& clue, const SearchWorker& worker, ClueHit& hit) {
  const std::string_view form = worker.form;
  const std::string& wanted = clue.form();
  const size_t first = find_bytes(form, wanted, 0);
  for (size_t at = first; at != std::string_view::npos; at = find_bytes(form, wanted, at + wanted.size())) ++hit.occurrences;
  return range_of(form, first, first + wanted.size());
}

FormRange find_edited(const Clue& clue, std::string_view text, SearchWorker& worker, ClueHit& hit) {
  if (!worker.has_points) to_code_points(worker.form, worker.points);
  worker.has_points = true;
  std::vector<Occurrence> all;
  clue.aligner().all(worker.points, clue.max_edits(), worker.align_scratch, all);
  hit.occurrences = static_cast<uint32_t>(all.size());
  const Occurrence best = clue.aligner().best(worker.points, clue.max_edits(), worker.align_scratch).value_or(Occurrence{});
  if (best.edits > 0) {
    std::string clue_form;
    std::vector<ClueForm::Place> clue_places;
    clue.maker().form.form_with_places(clue.clue(), clue_form, clue_places, worker.form_scratch);
    const size_t length = best.end - best.begin;
    hit.differences = mark_differences(
        {clue.points(), clue_places, clue.clue()},
        {std::span(worker.points).subspan(best.begin, length), std::span(worker.places).subspan(best.begin, length), text});
  }
  return {best.begin, best.end};
}

// The longest run of grams that the clue has, too; of equal ones the first.
FormRange find_common_run(const Clue& clue, const SearchWorker& worker) {
  size_t best_begin = 0;
  size_t best_end = 0;
  size_t run_begin = 0;
  uint32_t run_grams = 0;
  uint32_t best_grams = 0;
  for_each_gram(worker.form, clue.maker().shape, [&](size_t begin, size_t end) {
    if (!std::ranges::binary_search(clue.features(), gram_feature(worker.form, begin, end))) {
      run_grams = 0;
      return;
    }
    if (run_grams++ == 0) run_begin = begin;
    if (run_grams <= best_grams) return;
    best_grams = run_grams;
    best_begin = run_begin;
    best_end = end;
  });
  return range_of(worker.form, best_begin, best_end);
}

}  // namespace

void describe_hit(const SearchRun& run, const FoundText& found, SearchWorker& worker, ClueHit& hit) {
  const IndexedTexts& texts = *run.view().parts[found.part].texts;
  if (found.kept.empty())
    texts.read_text(found.text, worker.text, worker.text_scratch);
  else
    worker.text = found.kept;
  texts.read_name(found.text, hit.name, worker.text_scratch);
  place_form(run.question().maker(), worker.text, worker);
  describe_passage(run.question(), worker.text, worker, hit);
}

void place_form(const ClueMaker& maker, std::string_view text, SearchWorker& worker) {
  maker.form.form_with_places(text, worker.form, worker.places, worker.form_scratch);
  worker.has_points = false;
  worker.has_features = false;
}

void describe_passage(const Clue& clue, std::string_view text, SearchWorker& worker, ClueHit& hit) {
  hit.text_bytes = text.size();
  const FormRange range = clue.resembles()        ? find_common_run(clue, worker)
                          : clue.max_edits() == 0 ? find_unchanged(clue, worker, hit)
                                                  : find_edited(clue, text, worker, hit);
  hit.begin = worker.places[range.begin].begin;
  hit.end = worker.places[range.end - 1].end;
  hit.begin_character = count_characters(text.substr(0, hit.begin));
  hit.end_character = hit.begin_character + count_characters(text.substr(hit.begin, hit.end - hit.begin));
  hit.passage = text.substr(hit.begin, hit.end - hit.begin);
}

}  // namespace neardup
