// Speed of the jieba segmenter, of parts of speech and of keyword extraction over a corpus, on one core: one JSON line a mode.
//
// usage: jieba_speed CORPUS.jsonl... ; texts are read first, the dictionary is opened outside the timing, the best of five passes counts.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "neardup/io.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_posseg.h"
#include "text/jieba/jieba_segmenter.h"

namespace neardup {
namespace {

// Of this thread: what other programs take of the core does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<std::string> read_texts(const std::string& path) {
  std::vector<std::string> texts;
  const auto source = open_source({path}, {});
  while (const auto batch = source->next()) {
    batch->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) { texts.emplace_back(record.text); });
  }
  return texts;
}

void measure(const std::string& path, const std::string& mode, const std::vector<std::string>& texts,
             const std::function<size_t(const std::string&)>& run) {
  constexpr int kPasses = 5;
  double best = 1e9;
  size_t tokens = 0;
  size_t bytes = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    const double start = cpu_seconds();
    tokens = bytes = 0;
    for (const std::string& text : texts) {
      tokens += run(text);
      bytes += text.size();
    }
    best = std::min(best, cpu_seconds() - start);
  }
  fmt::print("{{\"corpus\":\"{}\",\"mode\":\"{}\",\"documents\":{},\"bytes\":{},\"tokens\":{},\"MBps\":{:.1f}}}\n", path, mode,
             texts.size(), bytes, tokens, static_cast<double>(bytes) / best / 1e6);
  std::fflush(stdout);
}

int run(int count, char** arguments) {
  const double start = cpu_seconds();
  const JiebaDictionary dictionary = JiebaDictionary::open(find_jieba_dictionary());
  fmt::print("{{\"open_ms\":{:.2f}}}\n", (cpu_seconds() - start) * 1e3);
  JiebaScratch scratch;
  for (int i = 1; i < count; ++i) {
    const std::vector<std::string> texts = read_texts(arguments[i]);
    for (const auto& [name, mode] : {std::pair{"accurate", JiebaMode::kAccurate},
                                     {"no-hmm", JiebaMode::kAccurateNoHmm},
                                     {"full", JiebaMode::kFull},
                                     {"search", JiebaMode::kSearch}}) {
      const JiebaSegmenter segmenter(dictionary, mode);
      measure(arguments[i], name, texts, [&](const std::string& text) { return segmenter.segment(text, scratch).size(); });
    }
    if (dictionary.has_tags()) {
      const JiebaTagger tagger(dictionary);
      JiebaTagScratch tags;
      measure(arguments[i], "pos", texts, [&](const std::string& text) { return tagger.tag(text, tags).size(); });
    }
    const JiebaKeywordExtractor extractor(dictionary);
    JiebaKeywordScratch keywords;
    for (const size_t top : {20, 200}) {
      measure(arguments[i], fmt::format("keywords-{}", top), texts,
              [&](const std::string& text) { return extractor.extract(text, top, keywords).size(); });
    }
  }
  return 0;
}

}  // namespace
}  // namespace neardup

int main(int count, char** arguments) {
  try {
    return neardup::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jieba_speed: %s\n", error.what());
    return 1;
  }
}
