#include "jobs/tune/corpus_statistics.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "jobs/tune/text_traits.h"
#include "text/clean/line_list.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

// A line is boilerplate if at least this share, and at least this number, of the sampled texts have it: fewer texts may have it in common
// because they are versions of one text.
constexpr double kCommonLine = 0.02;
constexpr uint64_t kCommonLineTexts = 10;
constexpr uint64_t kShortestLine = 3;  // characters: not "}" and "---"
constexpr size_t kShownLines = 10;

class LineCounts {
 public:
  void add(std::string_view text) {
    ++texts_;
    for (size_t at = 0; at < text.size();) {
      const std::string_view line = trim_line(line_at(text, at, at));
      const uint64_t characters = count_character_begins(line);
      characters_ += characters;
      if (characters <= kShortestLine) continue;
      Line& counted = lines_[hash64(line)];
      counted.characters += characters;
      if (counted.last == texts_) continue;
      counted.last = texts_;
      if (counted.texts++ == 0) counted.line = line;
    }
  }
  void describe(TuneCorpus& corpus) const {
    std::vector<const Line*> common;
    uint64_t characters = 0;
    for (const auto& [hash, line] : lines_) {
      if (line.texts < kCommonLineTexts || static_cast<double>(line.texts) < kCommonLine * static_cast<double>(texts_)) continue;
      common.push_back(&line);
      characters += line.characters;
    }
    if (characters_ > 0) corpus.line_characters = static_cast<double>(characters) / static_cast<double>(characters_);
    std::ranges::sort(common, [](const Line* a, const Line* b) { return a->texts != b->texts ? a->texts > b->texts : a->line < b->line; });
    common.resize(std::min(common.size(), kShownLines));
    for (const Line* line : common) {
      corpus.lines.push_back({std::string(line->line), static_cast<double>(line->texts) / static_cast<double>(texts_)});
    }
  }

 private:
  struct Line {
    std::string_view line;  // of a text of the sample
    uint64_t texts = 0;
    uint64_t last = 0;  // the text that was counted last
    uint64_t characters = 0;
  };
  std::unordered_map<uint64_t, Line> lines_;
  uint64_t texts_ = 0;
  uint64_t characters_ = 0;
};

double share_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void describe_sample(const UniformSample& sample, TuneCorpus& corpus) {
  std::array<uint64_t, TuneCorpus::kScripts> letters{};
  uint64_t html = 0;
  uint64_t code = 0;
  uint64_t short_texts = 0;
  LineCounts lines;
  for (const auto& [hash, entry] : sample.texts()) {
    const TextTraits traits = traits_of(entry.text);
    corpus.sampled += entry.copies;
    for (size_t i = 0; i < letters.size(); ++i) letters[i] += traits.letters[i] * entry.copies;
    html += traits.html ? entry.copies : 0;
    code += traits.code ? entry.copies : 0;
    short_texts += traits.characters < (traits.mostly_han() ? kShortText / 2 : kShortText) ? entry.copies : 0;
    lines.add(entry.text);
  }
  uint64_t all_letters = 0;
  for (const uint64_t of_script : letters) all_letters += of_script;
  for (size_t i = 0; i < letters.size(); ++i) corpus.scripts[i] = share_of(letters[i], all_letters);
  corpus.html = share_of(html, corpus.sampled);
  corpus.code = share_of(code, corpus.sampled);
  corpus.short_texts = share_of(short_texts, corpus.sampled);
  lines.describe(corpus);
}

}  // namespace

TuneCorpus describe_corpus(const CorpusReading& reading, const DocumentSource& source) {
  TuneCorpus corpus;
  corpus.documents = reading.documents;
  corpus.characters = reading.characters;
  corpus.empty = reading.empty;
  for (uint32_t i = 0; i < reading.documents_of.size(); ++i) {
    corpus.sources.push_back({std::string(source.source_name(i)), reading.documents_of[i]});
  }
  corpus.lengths = reading.lengths.bins();
  corpus.median_length = reading.lengths.quantile(0.5);
  describe_sample(reading.uniform, corpus);
  return corpus;
}

}  // namespace neardup
