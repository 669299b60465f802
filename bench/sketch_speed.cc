// Speed of the way from text to sketch, on one core: one JSON line a mode.
//
// usage: sketch_speed PASSES MODE[,MODE...] CORPUS.jsonl...
// MODE: words (jieba's, accurate with HMM), keywords-K (extract_tags), or a recipe (bytes to sketch). The texts are read first;
// dictionaries are opened outside the timing; the best pass counts, by processor time of the thread and by the clock.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/io.h"
#include "neardup/recipe.h"
#include "neardup/sketcher.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_segmenter.h"

namespace neardup {
namespace {

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<std::string> read_texts(const std::vector<std::string>& paths) {
  std::vector<std::string> texts;
  const auto source = open_source(paths, {});
  while (const auto batch = source->next()) {
    batch->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) { texts.emplace_back(record.text); });
  }
  return texts;
}

// `run` returns a number that depends on all that it did.
void measure(int passes, const std::string& mode, const std::vector<std::string>& texts,
             const std::function<uint64_t(const std::string&)>& run) {
  double best_cpu = 1e9;
  double best_wall = 1e9;
  uint64_t items = 0;
  size_t bytes = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    const double wall = seconds(CLOCK_MONOTONIC);
    items = bytes = 0;
    for (const std::string& text : texts) {
      items += run(text);
      bytes += text.size();
    }
    best_cpu = std::min(best_cpu, seconds(CLOCK_THREAD_CPUTIME_ID) - cpu);
    best_wall = std::min(best_wall, seconds(CLOCK_MONOTONIC) - wall);
  }
  const auto speed = [bytes](double time) { return static_cast<double>(bytes) / time / 1e6; };
  fmt::print(R"({{"mode":"{}","documents":{},"bytes":{},"items":{},"cpu_s":{:.4f},"wall_s":{:.4f},"cpu_MBps":{:.2f},"MBps":{:.2f}}})"
             "\n",
             mode, texts.size(), bytes, items, best_cpu, best_wall, speed(best_cpu), speed(best_wall));
  std::fflush(stdout);
}

void measure_mode(int passes, const std::string& mode, const std::vector<std::string>& texts) {
  constexpr std::string_view kKeywords = "keywords-";
  if (mode == "words" || mode.starts_with(kKeywords)) {
    const JiebaDictionary dictionary = JiebaDictionary::open(find_jieba_dictionary());
    if (mode == "words") {
      JiebaScratch scratch;
      const JiebaSegmenter segmenter(dictionary, JiebaMode::kAccurate);
      measure(passes, mode, texts, [&](const std::string& text) { return segmenter.segment(text, scratch).size(); });
      return;
    }
    size_t top = 0;
    std::from_chars(mode.data() + kKeywords.size(), mode.data() + mode.size(), top);
    JiebaKeywordScratch scratch;
    const JiebaKeywordExtractor extractor(dictionary);
    measure(passes, mode, texts, [&](const std::string& text) { return extractor.extract(text, top, scratch).size(); });
    return;
  }
  const Sketcher sketcher(Recipe::load(mode));
  Sketcher::Scratch scratch;
  std::vector<uint32_t> sketch(sketcher.sketch_words());
  measure(passes, mode, texts, [&](const std::string& text) {
    sketcher.sketch(text, scratch, sketch);
    return uint64_t{sketch[0]};
  });
}

int run(int count, char** arguments) {
  if (count < 4) {
    fmt::print(stderr, "usage: sketch_speed PASSES MODE[,MODE...] CORPUS.jsonl...\n");
    return 2;
  }
  const int passes = std::max(1, std::atoi(arguments[1]));
  const std::vector<std::string> texts = read_texts({arguments + 3, arguments + count});
  const std::string_view modes = arguments[2];
  for (size_t at = 0; at <= modes.size();) {
    const size_t end = std::min(modes.find(',', at), modes.size());
    measure_mode(passes, std::string(modes.substr(at, end - at)), texts);
    at = end + 1;
  }
  return 0;
}

}  // namespace
}  // namespace neardup

int main(int count, char** arguments) {
  try {
    return neardup::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sketch_speed: %s\n", error.what());
    return 1;
  }
}
