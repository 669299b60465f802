// Any bytes as a question to a clue index of any texts: an Error of wrong usage in one line, or an answer whose passages lie in their
// texts. The same question as a scan has all its hits; if the answer is exact and complete, the same ones.
// A scanner of clues finds them without the index. Any bytes as a recipe.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fuzz_support.h"
#include "neardup/tools/clue_scan.h"
#include "search/answer/answer.h"
#include "support/memory_texts.h"

namespace {

using namespace neardup;
using fuzz::require;

constexpr size_t kMaxTexts = 40;
constexpr uint64_t kAll = UINT64_MAX;

ClueSearch question_of(fuzz::Fields& fields) {
  const uint8_t flags = fields.byte();
  const double share = (1 + fields.byte() % 250) / 250.0;  // also above the maximum of edits
  ClueSearch search;
  if ((flags & 1) != 0) search.mode = ClueSearch::Mode::kResembles;
  if ((flags & 2) != 0) search.measure = ClueMeasure::kJaccard;
  if ((flags & 4) != 0) search.edits = Threshold(share);
  if ((flags & 8) != 0) search.threshold = share;
  search.count_only = (flags & 16) != 0;
  search.explain = (flags & 32) != 0;
  search.limit = (flags & 64) != 0 ? kAll : fields.byte() % 8;
  search.max_candidates = (flags & 128) != 0 ? kAll : fields.byte();
  return search;
}

std::optional<ClueAnswer> ask(const SearchView& view, const ClueMaker& maker, std::string_view clue, const ClueSearch& search) {
  static std::vector<SearchWorker> workers;
  try {
    return answer_question(view, maker, clue, search, workers);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kUsage);
    fuzz::require_one_line(error);
    return std::nullopt;
  }
}

void check_hits(const ClueAnswer& answer, const ClueSearch& search, const std::vector<std::string>& texts) {
  for (const ClueHit& hit : answer.hits) {
    const std::string_view text = texts.at(hit.id);
    require(hit.begin < hit.end && hit.end <= text.size() && hit.text_bytes == text.size());
    require(text.substr(hit.begin, hit.end - hit.begin) == hit.passage);
    require(hit.begin_character < hit.end_character && hit.end_character <= text.size());
    require(hit.edits <= answer.max_edits && hit.similarity >= 0 && hit.similarity <= 1);
    require(hit.differences.empty() == (hit.edits == 0));
    if (search.mode == ClueSearch::Mode::kContains) require(hit.occurrences >= 1);
  }
}

std::vector<uint64_t> ids_of(const ClueAnswer& answer) {
  std::vector<uint64_t> ids;
  for (const ClueHit& hit : answer.hits) ids.push_back(hit.id);
  return ids;
}

void check_against_scan(const ClueAnswer& answer, const ClueAnswer& all) {
  const std::vector<uint64_t> ids = ids_of(answer);
  const std::vector<uint64_t> matching = ids_of(all);
  require(answer.count <= all.count && (answer.more || answer.certainty != ClueCertainty::kExact || answer.count == all.count));
  for (const uint64_t id : ids) require(std::ranges::find(matching, id) != matching.end());
  if (answer.certainty != ClueCertainty::kExact || answer.capped || ids.empty()) return;
  require(std::equal(ids.begin(), ids.end(), matching.begin()));  // the first ones, in the same order
  require(answer.more == (ids.size() < matching.size()));
}

// `all`: every hit of the clue, in order.
void check_scanner(const ClueRecipe& recipe, const ClueSearch& search, std::string_view clue, const std::vector<std::string>& texts,
                   const ClueAnswer& all) {
  const std::string_view part = clue.substr(0, 1 + clue.size() / 2);
  std::vector<ScanClue> clues{{"whole", clue}};
  if (ask({}, ClueMaker(recipe), part, search)) clues.push_back({"part", part});
  const ClueScanner scanner(clues, recipe, search);
  ScanHits hits(scanner);
  for (size_t i = texts.size(); i > 0; --i) hits.add(std::string(1, static_cast<char>(i)), texts[i - 1]);
  std::vector<ScanHits::Found> found;
  hits.take(found);
  std::erase_if(found, [](const ScanHits::Found& each) { return each.clue != 0; });
  std::ranges::sort(found, {}, [](const ScanHits::Found& each) { return std::tie(each.order, each.id); });
  require(hits.counts()[0] == all.count && found.size() == all.hits.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const ClueHit& hit = all.hits[i];
    require(static_cast<uint8_t>(found[i].id[0]) == hit.id + 1 && found[i].hit.passage == hit.passage && found[i].hit.edits == hit.edits);
    require(found[i].hit.begin == hit.begin && found[i].hit.occurrences == hit.occurrences && found[i].hit.differences == hit.differences);
  }
}

void parse_recipe(std::string_view json) {
  try {
    require(ClueRecipe::parse(json).canonical_json() == json);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kUsage);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Fields fields({reinterpret_cast<const char*>(data), size});
  const uint8_t run = fields.byte();
  const ClueRecipe recipe{.fold_han = run >= 128, .min_run = ClueRecipe::kMinRunMin + run % 32};
  ClueSearch search = question_of(fields);
  const std::string clue(fields.until('\0'));
  parse_recipe(clue);
  parse_recipe(recipe.canonical_json());
  std::vector<std::string> texts;
  while (!fields.empty() && texts.size() < kMaxTexts) texts.emplace_back(fields.until('\0'));
  const ClueMaker maker(recipe);
  const SearchView view = testing::make_view(texts, 2, maker);
  const std::optional<ClueAnswer> answer = ask(view, maker, clue, search);
  if (!answer) return 0;
  check_hits(*answer, search, texts);
  const bool counted = search.count_only;
  search.count_only = false;
  search.scan = true;
  search.limit = kAll;
  const std::optional<ClueAnswer> all = ask(view, maker, clue, search);
  require(all && !all->more && all->certainty == ClueCertainty::kScan && all->count == all->hits.size());
  check_hits(*all, search, texts);
  if (!counted) check_against_scan(*answer, *all);
  check_scanner(recipe, search, clue, texts, *all);
  require(answer->count <= all->count && (answer->certainty != ClueCertainty::kExact || !counted || answer->count == all->count));
  return 0;
}
