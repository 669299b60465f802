// clue_speed: asks a clue index clues one at a time; a JSON line for each, like those of rivals.py, for bench/clue/clue.py.
//
//   clue_speed INDEX CLUES.jsonl [--limit 100] [--turns 2] [--max-candidates N]
//
// Each clue is asked --turns times, the last time counts: 2 measures a warm index, 1 the first question after opening. Ids of texts must
// be their ordinals in the corpus, as clue_questions.cc counts them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "../measure.h"
#include "neardup/clue_index.h"

namespace {

struct Options {
  std::string index;
  std::string clues;
  uint64_t limit = 100;
  uint64_t max_candidates = neardup::ClueSearch{}.max_candidates;
  int turns = 2;
};

/// The text's ordinal, which is its name.
uint64_t ordinal_of(const neardup::ClueHit& hit) {
  return std::stoull(hit.name);
}

void ask(const neardup::ClueIndex& index, const boost::json::object& clue, const Options& options, neardup::ClueScratch& scratch) {
  neardup::ClueSearch search;
  search.limit = options.limit;
  search.max_candidates = options.max_candidates;
  const std::string kind(clue.at("class").as_string());
  if (clue.at("edits").to_number<uint32_t>() > 0) search.edits = neardup::Threshold(kind.find("word") != std::string::npos ? 0.2 : 0.1);
  const std::string text(clue.at("text").as_string());
  neardup::ClueAnswer answer;
  double cpu = 0;
  double wall = 0;
  for (int turn = 0; turn < options.turns; ++turn) {
    const neardup::measure::Stopwatch clock;
    answer = index.search(text, search, scratch);
    cpu = clock.cpu();
    wall = clock.wall();
  }
  std::unordered_set<uint64_t> answers;
  if (const auto* known = clue.if_contains("answers")) {
    for (const auto& value : known->as_array()) answers.insert(value.to_number<uint64_t>());
  }
  const auto right = std::ranges::count_if(answer.hits, [&](const neardup::ClueHit& hit) { return answers.contains(ordinal_of(hit)); });
  const boost::json::value& source = clue.at("source");
  const bool source_found = !source.is_null() && std::ranges::any_of(answer.hits, [&](const neardup::ClueHit& hit) {
    return ordinal_of(hit) == source.to_number<uint64_t>();
  });
  const boost::json::object line{{"id", clue.at("id")},
                                 {"cpu_us", 1e6 * cpu},
                                 {"wall_us", 1e6 * wall},
                                 {"hits", answer.hits.size()},
                                 {"right", right},
                                 {"source_found", source_found},
                                 {"certainty", neardup::to_string(answer.certainty)},
                                 {"predicted_recall", answer.predicted_recall},
                                 {"guaranteed", answer.guaranteed},
                                 {"more", answer.more},
                                 {"capped", answer.capped},
                                 {"lookups", answer.trace.lookups},
                                 {"postings", answer.trace.postings},
                                 {"candidates", answer.trace.candidates},
                                 {"settled", answer.trace.settled},
                                 {"texts_read", answer.trace.texts_read}};
  std::printf("%s\n", boost::json::serialize(line).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"ask a clue index one clue after another"};
  Options options;
  app.add_option("index", options.index)->required();
  app.add_option("clues", options.clues)->required();
  app.add_option("--limit", options.limit);
  app.add_option("--max-candidates", options.max_candidates);
  app.add_option("--turns", options.turns, "how often each clue is asked")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    const auto index = neardup::ClueIndex::open(options.index, neardup::ClueAccess::kRead);
    neardup::ClueScratch scratch;
    std::ifstream clues(options.clues, std::ios::binary);
    for (std::string line; std::getline(clues, line);) ask(index, boost::json::parse(line).as_object(), options, scratch);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "clue_speed: %s\n", error.what()), 1;
  }
}
