#include "neardup/jieba.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "base/atomic_file.h"
#include "base/limits.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_dictionary_build.h"
#include "text/jieba/dictionary/jieba_other_words.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_posseg.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/utf8/code_point_cursor.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

std::shared_ptr<const JiebaDictionary> open_dictionary(const std::string& path) {
  return JiebaDictionary::open_shared(path.empty() ? find_jieba_dictionary() : path);
}

std::vector<Jieba::Keyword> copy_keywords(std::span<const JiebaKeyword> keywords) {
  std::vector<Jieba::Keyword> copied;
  copied.reserve(keywords.size());
  for (const JiebaKeyword& keyword : keywords) copied.push_back({std::string(keyword.word), keyword.weight});
  return copied;
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

// All that cutting reads: the words as they are between two changes. Immutable, and shared by the calls that began meanwhile.
struct Cutters {
  // `words`: what changed, or nothing. The taggers are large, so they are kept.
  Cutters(std::shared_ptr<const JiebaDictionary> base, std::optional<JiebaDictionary> words)
      : original(std::move(base)), changed(std::move(words)), dictionary(changed ? *changed : *original) {
    if (!dictionary.has_tags()) return;
    taggers[0].emplace(dictionary, false);
    taggers[1].emplace(dictionary, true);
  }

  const std::shared_ptr<const JiebaDictionary> original;
  const std::optional<JiebaDictionary> changed;
  const JiebaDictionary& dictionary;
  std::array<std::optional<JiebaTagger>, 2> taggers;  // by hmm
};

struct Scratch {
  JiebaKeywordScratch keywords;
  std::vector<std::string_view> words;
};

JiebaMode mode_of(Jieba::CutMode mode, bool hmm) {
  switch (mode) {
    case Jieba::CutMode::kDefault:
      return hmm ? JiebaMode::kAccurate : JiebaMode::kAccurateNoHmm;
    case Jieba::CutMode::kAll:
      return JiebaMode::kFull;
    case Jieba::CutMode::kSearch:
      return hmm ? JiebaMode::kSearch : JiebaMode::kSearchNoHmm;
  }
  return JiebaMode::kAccurate;
}

}  // namespace

struct Jieba::Parts {
  // What one call uses: a scratch, which no other call has at the same time, and the words of its beginning. There are as many scratches as
  // calls ever overlapped.
  class Loan {
   public:
    explicit Loan(Parts& parts) : parts_(parts) {
      const std::lock_guard lock(parts.mutex);
      if (!parts.current) parts.build();
      cutters_ = parts.current;
      if (!parts.scratches.empty()) {
        scratch_ = std::move(parts.scratches.back());
        parts.scratches.pop_back();
      }
      if (scratch_) return;
      scratch_ = std::make_unique<Scratch>();
      parts.scratches.reserve(++parts.lent);  // so that returning it cannot fail
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      const std::lock_guard lock(parts_.mutex);
      parts_.scratches.push_back(std::move(scratch_));
    }
    [[nodiscard]] const std::shared_ptr<const Cutters>& cutters() const { return cutters_; }
    [[nodiscard]] const JiebaDictionary& dictionary() const { return cutters_->dictionary; }
    [[nodiscard]] Scratch& scratch() const { return *scratch_; }

   private:
    Parts& parts_;
    std::unique_ptr<Scratch> scratch_;
    std::shared_ptr<const Cutters> cutters_;
  };

  explicit Parts(std::shared_ptr<const JiebaDictionary> words) : base(std::move(words)), user_words(*base) {}

  // With the lock. Other calls that cut wait for it, because they need the same tables.
  void build() {
    current = std::make_shared<const Cutters>(base, is_changed ? std::optional(user_words.build()) : std::nullopt);
    is_ready.store(true, std::memory_order_relaxed);
  }
  // Calls change(user_words) under the lock; the next call that cuts builds the tables again.
  template <typename Change>
  auto change(const Change& change) {
    const std::lock_guard lock(mutex);
    current.reset();
    is_ready.store(false, std::memory_order_relaxed);
    is_changed = true;
    return change(user_words);
  }

  std::mutex mutex;  // of all below but the base
  std::vector<std::unique_ptr<Scratch>> scratches;
  size_t lent = 0;  // all that were ever made
  const std::shared_ptr<const JiebaDictionary> base;
  UserWords user_words;
  bool is_changed = false;
  std::atomic<bool> is_ready = false;
  std::shared_ptr<const Cutters> current;  // null after a change
};

Jieba::Jieba(const std::string& dictionary) : parts_(std::make_unique<Parts>(open_dictionary(dictionary))) {}
Jieba Jieba::with_words(const std::string& words, const std::string& dictionary) {
  struct Both {
    std::shared_ptr<const JiebaDictionary> base;
    JiebaDictionary other;
  };
  std::shared_ptr<const JiebaDictionary> base = open_dictionary(dictionary);
  JiebaDictionary other = jieba::with_other_words(*base, jieba::parse_words(jieba::read_source(words), words));
  const auto both = std::make_shared<const Both>(Both{std::move(base), std::move(other)});
  return Jieba(std::make_unique<Parts>(std::shared_ptr<const JiebaDictionary>(both, &both->other)));
}
Jieba::Jieba(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Jieba::Jieba(Jieba&&) noexcept = default;
Jieba& Jieba::operator=(Jieba&&) noexcept = default;
Jieba::~Jieba() = default;

void Jieba::cut_each(std::span<const std::string_view> texts, CutMode mode, bool hmm,
                     const std::function<void(size_t text, std::span<const std::string_view> words)>& take) const {
  const Parts::Loan loan(*parts_);
  const JiebaSegmenter segmenter(loan.dictionary(), mode_of(mode, hmm));
  JiebaScratch& scratch = loan.scratch().keywords.segmenter;
  std::vector<std::string_view>& words = loan.scratch().words;
  for (size_t i = 0; i < texts.size(); ++i) {
    check_length(texts[i]);
    const std::span<const JiebaToken> tokens = segmenter.segment(texts[i], scratch);
    words.resize(tokens.size());
    for (size_t k = 0; k < tokens.size(); ++k) words[k] = scratch.view(tokens[k]);
    take(i, words);
  }
}

namespace {

std::vector<std::string> copy_words(const Jieba& jieba, std::string_view text, Jieba::CutMode mode, bool hmm) {
  std::vector<std::string> copied;
  jieba.cut_each({&text, 1}, mode, hmm,
                 [&](size_t, std::span<const std::string_view> words) { copied.assign(words.begin(), words.end()); });
  return copied;
}

}  // namespace

std::vector<std::string> Jieba::cut(std::string_view text, bool hmm) const {
  return copy_words(*this, text, CutMode::kDefault, hmm);
}

std::vector<std::string> Jieba::cut_all(std::string_view text) const {
  return copy_words(*this, text, CutMode::kAll, false);
}

std::vector<std::string> Jieba::cut_for_search(std::string_view text, bool hmm) const {
  return copy_words(*this, text, CutMode::kSearch, hmm);
}

void Jieba::tokenize_views(std::string_view text, TokenizeMode mode, bool hmm,
                           const std::function<void(std::span<const TokenView>)>& take) const {
  check_length(text);
  const Parts::Loan loan(*parts_);
  JiebaScratch& scratch = loan.scratch().keywords.segmenter;
  const JiebaSegmenter segmenter(loan.dictionary(), mode_of(mode == TokenizeMode::kSearch ? CutMode::kSearch : CutMode::kDefault, hmm));
  const std::span<const JiebaToken> tokens = segmenter.segment(text, scratch);
  // Malformed text was cut as a repaired copy, which has the same code points at other bytes.
  const bool repaired = scratch.text.data() != text.data();
  const std::vector<size_t> places = repaired ? places_of_code_points(text) : std::vector<size_t>();
  CodePointCursor cursor(scratch.text);
  std::vector<TokenView> found;
  found.reserve(tokens.size());
  for (const JiebaToken token : tokens) {
    const size_t begin = cursor.count_before(token.begin);
    const size_t end = cursor.count_before(token.end);
    found.push_back({.word = scratch.view(token),
                     .begin = begin,
                     .end = end,
                     .begin_byte = repaired ? places[begin] : token.begin,
                     .end_byte = repaired ? places[end] : token.end});
  }
  take(found);
}

std::vector<Jieba::Token> Jieba::tokenize(std::string_view text, TokenizeMode mode, bool hmm) const {
  std::vector<Token> copied;
  tokenize_views(text, mode, hmm, [&](std::span<const TokenView> tokens) {
    copied.reserve(tokens.size());
    for (const TokenView& token : tokens) {
      copied.push_back({std::string(token.word), token.begin, token.end, token.begin_byte, token.end_byte});
    }
  });
  return copied;
}

void Jieba::posseg_views(std::string_view text, bool hmm, const std::function<void(std::span<const TaggedView>)>& take) const {
  check_length(text);
  const Parts::Loan loan(*parts_);
  const std::optional<JiebaTagger>& tagger = loan.cutters()->taggers[hmm ? 1 : 0];
  if (!tagger) JiebaTagger(loan.dictionary(), hmm);  // throws, and says why
  JiebaTagScratch& scratch = loan.scratch().keywords.tagger;
  std::vector<TaggedView> found;
  for (const JiebaTaggedWord& word : tagger->tag(text, scratch)) found.push_back({scratch.view(word), tagger->tags()[word.tag]});
  take(found);
}

std::vector<Jieba::TaggedWord> Jieba::posseg_cut(std::string_view text, bool hmm) const {
  std::vector<TaggedWord> copied;
  posseg_views(text, hmm, [&](std::span<const TaggedView> words) {
    copied.reserve(words.size());
    for (const TaggedView& word : words) copied.push_back({std::string(word.word), std::string(word.tag)});
  });
  return copied;
}

std::vector<Jieba::Keyword> Jieba::extract_tags(std::string_view text, size_t top, std::span<const std::string> allow_pos) const {
  check_length(text);
  const Parts::Loan loan(*parts_);
  const JiebaKeywordExtractor extractor(loan.dictionary(), {.tags = {allow_pos.begin(), allow_pos.end()}});
  return copy_keywords(extractor.extract(text, top, loan.scratch().keywords));
}

bool Jieba::ready() const noexcept {
  return parts_->is_ready.load(std::memory_order_relaxed);
}

void Jieba::load_userdict(const std::string& path) {
  const std::string text = jieba::read_source(path);
  parts_->change([&](UserWords& words) { words.load_text(text, path); });
}

void Jieba::add_word(std::string_view word, std::optional<uint64_t> frequency, std::string_view tag) {
  parts_->change([&](UserWords& words) { words.add(word, frequency, tag); });
}

void Jieba::del_word(std::string_view word) {
  parts_->change([&](UserWords& words) { words.remove(word); });
}

uint64_t Jieba::suggest_freq(std::string_view word, bool tune) {
  if (tune) return parts_->change([&](UserWords& words) { return words.suggest(word, true); });
  const std::lock_guard lock(parts_->mutex);
  return parts_->user_words.suggest(word);
}

uint64_t Jieba::suggest_freq(std::span<const std::string_view> pieces, bool tune) {
  if (tune) return parts_->change([&](UserWords& words) { return words.suggest(pieces, true); });
  const std::lock_guard lock(parts_->mutex);
  return parts_->user_words.suggest(pieces);
}

std::optional<uint64_t> Jieba::frequency(std::string_view word) const {
  const std::lock_guard lock(parts_->mutex);
  return parts_->user_words.frequency(std::string(word));
}

uint64_t Jieba::total() const {
  const std::lock_guard lock(parts_->mutex);
  return parts_->user_words.total();
}

std::vector<std::string> Jieba::stop_words() const {
  std::vector<std::string> words = jieba::parse_stop_words(parts_->base->tables().stop_words, "the dictionary");
  std::sort(words.begin(), words.end());
  return words;
}

// Keywords.

struct JiebaKeywords::Parts {
  // The tables of the words, settings and tags of a call.
  struct Prepared {
    std::shared_ptr<const Cutters> cutters;
    std::vector<std::string> tags;
    std::shared_ptr<const JiebaKeywordExtractor> extractor;
  };
  // Programs use few sets of tags; others are prepared again.
  static constexpr size_t kMaxPrepared = 4;

  std::shared_ptr<const JiebaKeywordExtractor> extractor_of(const std::shared_ptr<const Cutters>& cutters,
                                                            std::span<const std::string> tags) {
    const std::lock_guard lock(mutex);
    const auto known = std::find_if(prepared.begin(), prepared.end(), [&](const Prepared& each) {
      return each.cutters == cutters && std::equal(tags.begin(), tags.end(), each.tags.begin(), each.tags.end());
    });
    if (known != prepared.end()) return known->extractor;
    // Tables of earlier words are of no use any more, and hold them in memory.
    std::erase_if(prepared, [&](const Prepared& each) { return each.cutters.use_count() == 1; });
    if (prepared.size() == kMaxPrepared) prepared.erase(prepared.begin());
    std::vector<std::string> wanted(tags.begin(), tags.end());
    prepared.push_back({cutters, wanted,
                        std::make_shared<const JiebaKeywordExtractor>(
                            cutters->dictionary,
                            JiebaKeywordOptions{.idf_table = idf, .stop_words = stop_words, .tags = std::move(wanted), .any_tags = true})});
    return prepared.back().extractor;
  }

  std::mutex mutex;  // of all below
  std::optional<std::vector<jieba::WordIdf>> idf;
  std::optional<std::vector<std::string>> stop_words;
  std::vector<Prepared> prepared;
};

JiebaKeywords::JiebaKeywords() : parts_(std::make_unique<Parts>()) {}
JiebaKeywords::JiebaKeywords(JiebaKeywords&&) noexcept = default;
JiebaKeywords& JiebaKeywords::operator=(JiebaKeywords&&) noexcept = default;
JiebaKeywords::~JiebaKeywords() = default;

void JiebaKeywords::set_idf_path(const std::string& path) {
  std::vector<jieba::WordIdf> table = jieba::parse_idf(jieba::read_source(path), path);
  const std::lock_guard lock(parts_->mutex);
  parts_->idf = std::move(table);
  parts_->prepared.clear();
}

void JiebaKeywords::set_stop_words(std::span<const std::string> words) {
  std::vector<std::string> list(words.begin(), words.end());
  const std::lock_guard lock(parts_->mutex);
  parts_->stop_words = std::move(list);
  parts_->prepared.clear();
}

std::vector<Jieba::Keyword> JiebaKeywords::extract_tags(const Jieba& jieba, std::string_view text, size_t top,
                                                        std::span<const std::string> allow_pos) const {
  check_length(text);
  const Jieba::Parts::Loan loan(*jieba.parts_);
  const auto extractor = parts_->extractor_of(loan.cutters(), allow_pos);
  return copy_keywords(extractor->extract(text, top, loan.scratch().keywords));
}

double JiebaKeywords::idf(const Jieba& jieba, std::string_view word) const {
  const Jieba::Parts::Loan loan(*jieba.parts_);
  return parts_->extractor_of(loan.cutters(), {})->idf(word);
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
