// scan_speed: how fast one core scans texts for clues without an index (neardup/tools/clue_scan.h); a JSON line for each set of clues.
//
//   scan_speed TEXTS.jsonl [--megabytes 20] [--seconds 4]
//
// Clues are runs of characters of the texts, so each is found at least once. `scan` says only which clues a text has, `hits` also keeps the
// first hits of each clue with their passages.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../measure.h"
#include "neardup/tools/clue_scan.h"
#include "search/text_matcher.h"

namespace {

using neardup::measure::Stopwatch;

struct Options {
  std::string texts;
  uint64_t megabytes = 20;
  double seconds = 4;
};

struct Set {
  std::string_view kind;
  size_t clues;
  size_t bytes;
  neardup::ClueSearch search;
};

std::vector<std::string> read_texts(const Options& options) {
  std::vector<std::string> texts;
  std::ifstream file(options.texts, std::ios::binary);
  uint64_t left = options.megabytes * 1'000'000;
  for (std::string line; left > 0 && std::getline(file, line);) {
    texts.emplace_back(boost::json::parse(line).as_object().at("text").as_string());
    left -= std::min<uint64_t>(left, texts.back().size());
  }
  if (texts.empty()) throw std::runtime_error("no texts in " + options.texts);
  return texts;
}

// Megabytes a second of work(text), over as many texts as the seconds allow.
template <typename Work>
double speed(const std::vector<std::string>& texts, const Options& options, const Work& work) {
  const Stopwatch clock;
  uint64_t bytes = 0;
  for (const std::string& text : texts) {
    if (clock.cpu() > options.seconds) break;
    work(text);
    bytes += text.size();
  }
  return 1e-6 * static_cast<double>(bytes) / clock.cpu();
}

std::vector<std::string> cut_clues(const std::vector<std::string>& texts, const Set& set) {
  std::mt19937_64 random(set.clues + set.bytes);
  const neardup::ClueForm form(false);
  neardup::ClueForm::Scratch scratch;
  std::vector<std::string> clues;
  std::string formed;
  while (clues.size() < set.clues) {
    const std::string& text = texts[random() % texts.size()];
    if (text.size() <= set.bytes) continue;
    std::string clue = text.substr(random() % (text.size() - set.bytes), set.bytes);
    form.form(clue, formed, scratch);
    if (formed.size() * 4 >= set.bytes * 3) clues.push_back(std::move(clue));  // not a ruler or a table of numbers
  }
  return clues;
}

void measure_set(const std::vector<std::string>& texts, const Set& set, const Options& options) {
  const std::vector<std::string> clues = cut_clues(texts, set);
  std::vector<neardup::ScanClue> named;
  for (const std::string& clue : clues) named.push_back({"clue", clue});
  const int64_t before = neardup::measure::resident();
  const Stopwatch clock;
  const neardup::ClueScanner scanner(named, {}, set.search);
  const double built = clock.cpu();
  const auto bytes = static_cast<double>(neardup::measure::resident() - before);
  neardup::ClueScanner::Scratch scratch(scanner);
  std::vector<neardup::ScanMatch> matches;
  uint64_t found = 0;
  const double scan = speed(texts, options, [&](const std::string& text) {
    scanner.scan(text, scratch, matches);
    found += matches.size();
  });
  neardup::ScanHits hits(scanner);
  uint64_t id = 0;
  const double with_hits = speed(texts, options, [&](const std::string& text) { hits.add(std::to_string(id++), text); });
  neardup::measure::Line("scan")
      .add("kind", set.kind)
      .add("clues", uint64_t{set.clues})
      .add("clue_bytes", uint64_t{set.bytes})
      .add("scan_mb_s", scan)
      .add("hits_mb_s", with_hits)
      .add("matches", found)
      .add("build_s", built)
      .add("bytes_a_clue", bytes / static_cast<double>(set.clues))
      .print();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"scan texts for many clues on one core"};
  Options options;
  app.add_option("texts", options.texts)->required();
  app.add_option("--megabytes", options.megabytes, "how much of the texts is read")->check(CLI::PositiveNumber);
  app.add_option("--seconds", options.seconds, "of processor time for each measurement")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<std::string> texts = read_texts(options);
    const neardup::ClueMaker maker({});
    neardup::SearchWorker worker;
    const double form = speed(texts, options, [&](const std::string& text) { neardup::form_text(maker, text, worker); });
    const double anchors = speed(texts, options, [&](const std::string& text) {
      neardup::form_text(maker, text, worker);
      neardup::text_anchors(worker.form, maker.shape, worker.anchor_scratch, worker.anchors);
    });
    neardup::measure::Line("baseline").add("form_mb_s", form).add("anchors_mb_s", anchors).print();
    const neardup::ClueSearch contained;
    const neardup::ClueSearch edited{.edits = 0.1};
    const neardup::ClueSearch similar{.mode = neardup::ClueSearch::Mode::kResembles};
    for (const size_t clues : {10, 1000, 100'000}) {
      measure_set(texts, {"contains", clues, 60, contained}, options);
      measure_set(texts, {"edits", clues, 60, edited}, options);
      measure_set(texts, {"resembles", clues, 60, similar}, options);
    }
    measure_set(texts, {"contains", 1000, 8, contained}, options);
    measure_set(texts, {"contains", 10'000, 8, contained}, options);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "scan_speed: %s\n", error.what()), 1;
  }
}
