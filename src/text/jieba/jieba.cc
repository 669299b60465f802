#include "neardup/jieba.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <mutex>

#include "base/atomic_file.h"
#include "base/limits.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_dictionary_build.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_posseg.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/utf8/code_point_cursor.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

JiebaDictionary open_dictionary(const std::string& path) {
  return JiebaDictionary::open(path.empty() ? find_jieba_dictionary() : path);
}

void check_length(std::string_view text) {
  if (text.size() <= limits::kMaxTextBytes) return;
  throw Error(ErrorCode::kUsage, fmt::format("a text has at most {} bytes, this one has {}", limits::kMaxTextBytes, text.size()));
}

// Code point -> its first byte in a text with malformed UTF-8, and the end of the text.
std::vector<size_t> places_of_code_points(std::string_view text) {
  std::vector<size_t> places;
  for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) places.push_back(at);
  places.push_back(text.size());
  return places;
}

// Cuts with the current words. The taggers are large, so they are kept.
struct Cutters {
  explicit Cutters(const JiebaDictionary& words) : dictionary(words) {
    if (!dictionary.has_tags()) return;
    taggers[0].emplace(dictionary, false);
    taggers[1].emplace(dictionary, true);
  }

  const JiebaDictionary& dictionary;
  std::array<std::optional<JiebaTagger>, 2> taggers;  // by hmm
};

}  // namespace

struct Jieba::Parts {
  // A scratch is used by one call at a time; there are as many as calls ever overlapped.
  class Loan {
   public:
    explicit Loan(Parts& parts) : parts_(parts) {
      const std::lock_guard lock(parts.mutex);
      if (!parts.scratches.empty()) {
        scratch_ = std::move(parts.scratches.back());
        parts.scratches.pop_back();
      }
      if (scratch_) return;
      scratch_ = std::make_unique<JiebaKeywordScratch>();
      parts.scratches.reserve(++parts.lent);  // so that returning it cannot fail
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      const std::lock_guard lock(parts_.mutex);
      parts_.scratches.push_back(std::move(scratch_));
    }
    JiebaKeywordScratch* operator->() const { return scratch_.get(); }
    JiebaKeywordScratch& operator*() const { return *scratch_; }

   private:
    Parts& parts_;
    std::unique_ptr<JiebaKeywordScratch> scratch_;
  };

  explicit Parts(const std::string& path) : base(open_dictionary(path)), user_words(base) {}

  // Builds the tables after a change: the first of several calls builds them, the others wait.
  const Cutters& cutters() {
    if (!ready.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex);
      if (!ready.load(std::memory_order_relaxed)) {
        current.reset();
        if (is_changed) changed = user_words.build();
        current.emplace(changed ? *changed : base);
        ready.store(true, std::memory_order_release);
      }
    }
    return *current;
  }
  // The words for a change: the next cut builds the tables again.
  UserWords& change() {
    ready.store(false, std::memory_order_relaxed);
    is_changed = true;
    return user_words;
  }
  std::vector<std::string> cut(std::string_view text, JiebaMode mode) {
    check_length(text);
    const JiebaSegmenter segmenter(cutters().dictionary, mode);
    const Loan scratch(*this);
    const std::span<const JiebaToken> tokens = segmenter.segment(text, scratch->segmenter);
    std::vector<std::string> words;
    words.reserve(tokens.size());
    for (const JiebaToken token : tokens) words.emplace_back(scratch->segmenter.view(token));
    return words;
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<JiebaKeywordScratch>> scratches;
  size_t lent = 0;  // all that were ever made
  const JiebaDictionary base;
  UserWords user_words;
  bool is_changed = false;
  std::atomic<bool> ready = false;
  std::optional<JiebaDictionary> changed;
  std::optional<Cutters> current;
};

Jieba::Jieba(const std::string& dictionary) : parts_(std::make_unique<Parts>(dictionary)) {}
Jieba::Jieba(Jieba&&) noexcept = default;
Jieba& Jieba::operator=(Jieba&&) noexcept = default;
Jieba::~Jieba() = default;

std::vector<std::string> Jieba::cut(std::string_view text, bool hmm) const {
  return parts_->cut(text, hmm ? JiebaMode::kAccurate : JiebaMode::kAccurateNoHmm);
}

std::vector<std::string> Jieba::cut_all(std::string_view text) const {
  return parts_->cut(text, JiebaMode::kFull);
}

std::vector<std::string> Jieba::cut_for_search(std::string_view text, bool hmm) const {
  return parts_->cut(text, hmm ? JiebaMode::kSearch : JiebaMode::kSearchNoHmm);
}

std::vector<Jieba::Token> Jieba::tokenize(std::string_view text, TokenizeMode mode, bool hmm) const {
  check_length(text);
  const JiebaMode accurate = hmm ? JiebaMode::kAccurate : JiebaMode::kAccurateNoHmm;
  const JiebaMode search = hmm ? JiebaMode::kSearch : JiebaMode::kSearchNoHmm;
  const JiebaSegmenter segmenter(parts_->cutters().dictionary, mode == TokenizeMode::kSearch ? search : accurate);
  const Parts::Loan scratch(*parts_);
  const std::span<const JiebaToken> tokens = segmenter.segment(text, scratch->segmenter);
  const std::string_view cut = scratch->segmenter.text;
  // Malformed text was cut as a repaired copy, which has the same code points at other bytes.
  const bool repaired = cut.data() != text.data();
  const std::vector<size_t> places = repaired ? places_of_code_points(text) : std::vector<size_t>();
  CodePointCursor cursor(cut);
  std::vector<Token> found;
  found.reserve(tokens.size());
  for (const JiebaToken token : tokens) {
    const size_t begin = cursor.count_before(token.begin);
    const size_t end = cursor.count_before(token.end);
    found.push_back({.word = std::string(scratch->segmenter.view(token)),
                     .begin = begin,
                     .end = end,
                     .begin_byte = repaired ? places[begin] : token.begin,
                     .end_byte = repaired ? places[end] : token.end});
  }
  return found;
}

std::vector<Jieba::TaggedWord> Jieba::posseg_cut(std::string_view text, bool hmm) const {
  check_length(text);
  const Cutters& cutters = parts_->cutters();
  const std::optional<JiebaTagger>& tagger = cutters.taggers[hmm ? 1 : 0];
  if (!tagger) JiebaTagger(cutters.dictionary, hmm);  // throws, and says why
  const Parts::Loan scratch(*parts_);
  std::vector<TaggedWord> words;
  for (const JiebaTaggedWord& word : tagger->tag(text, scratch->tagger)) {
    words.push_back({std::string(scratch->tagger.view(word)), std::string(tagger->tags()[word.tag])});
  }
  return words;
}

std::vector<Jieba::Keyword> Jieba::extract_tags(std::string_view text, size_t top, std::span<const std::string> allow_pos) const {
  check_length(text);
  const JiebaKeywordExtractor extractor(parts_->cutters().dictionary,
                                        {.idf_file = {}, .stop_words_file = {}, .tags = {allow_pos.begin(), allow_pos.end()}});
  const Parts::Loan scratch(*parts_);
  std::vector<Keyword> keywords;
  for (const JiebaKeyword& keyword : extractor.extract(text, top, *scratch))
    keywords.push_back({std::string(keyword.word), keyword.weight});
  return keywords;
}

void Jieba::load_userdict(const std::string& path) {
  parts_->change().load(path);
}

void Jieba::add_word(std::string_view word, std::optional<uint64_t> frequency, std::string_view tag) {
  parts_->change().add(word, frequency, tag);
}

void Jieba::del_word(std::string_view word) {
  parts_->change().remove(word);
}

uint64_t Jieba::suggest_freq(std::string_view word, bool tune) {
  return (tune ? parts_->change() : parts_->user_words).suggest(word, tune);
}

uint64_t Jieba::suggest_freq(std::span<const std::string_view> pieces, bool tune) {
  return (tune ? parts_->change() : parts_->user_words).suggest(pieces, tune);
}

std::optional<uint64_t> Jieba::frequency(std::string_view word) const {
  return parts_->user_words.frequency(std::string(word));
}

uint64_t Jieba::total() const noexcept {
  return parts_->user_words.total();
}

DictionaryInfo build_jieba_dictionary(const DictionarySources& sources, const std::string& path) {
  jieba::Sources read;
  read.words = jieba::parse_words(jieba::read_source(sources.words), sources.words);
  if (!sources.idf.empty()) read.idf = jieba::parse_idf(jieba::read_source(sources.idf), sources.idf);
  if (!sources.stop_words.empty()) read.stop_words = jieba::parse_stop_words(jieba::read_source(sources.stop_words), sources.stop_words);
  if (!sources.hmm.empty()) read.hmm = jieba::read_hmm(sources.hmm);
  if (!sources.tags.empty()) read.tag_hmm = jieba::read_tag_hmm(sources.tags);
  AtomicFile file(path);
  file.append(jieba::build_dictionary(read));
  file.commit();
  return jieba_dictionary_info(path);
}

DictionaryInfo jieba_dictionary_info(const std::string& path) {
  DictionaryInfo info;
  info.path = path.empty() ? find_jieba_dictionary() : path;
  const JiebaDictionary dictionary = JiebaDictionary::open(info.path);
  const jieba::Tables& tables = dictionary.tables();
  info.id = dictionary.id();
  info.words = tables.words;
  info.total = tables.total;
  info.characters = tables.alphabet.size() - 1;
  info.slots = tables.slots.size();
  info.has_idf = dictionary.has_idf();
  info.has_hmm = dictionary.has_hmm();
  info.has_tags = dictionary.has_tags();
  for (const jieba::SectionInfo& section : dictionary.sections()) info.sections.emplace_back(section.name, section.bytes);
  info.bytes = dictionary.file_bytes();
  return info;
}

}  // namespace neardup
