#include "neardup/tools/tokenize_all.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/format.h"
#include "base/parallel.h"
#include "io/json/field_text.h"
#include "jobs/files/word_lines.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_posseg.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/tokens/code_tokenizer.h"
#include "text/tokens/tokenizer.h"

namespace neardup {
namespace {

// The dictionary in use, with the changes of the run.
struct Words {
  explicit Words(const WordChanges& changes) : base(JiebaDictionary::open(find_jieba_dictionary())) {
    if (changes.empty()) return;
    UserWords words(base);
    if (!changes.user_dict.empty()) words.load(changes.user_dict);
    for (const WordChanges::Added& added : changes.add_words) words.add(added.word, added.frequency, added.tag);
    for (const std::string& word : changes.del_words) words.remove(word);
    for (const std::vector<std::string>& pieces : changes.suggest_freqs) {
      if (pieces.size() == 1) {
        words.suggest(pieces.front(), true);
      } else {
        words.suggest(std::vector<std::string_view>(pieces.begin(), pieces.end()), true);
      }
    }
    changed = words.build();
  }
  [[nodiscard]] const JiebaDictionary& dictionary() const { return changed ? *changed : base; }

  JiebaDictionary base;
  std::optional<JiebaDictionary> changed;
};

JiebaMode mode_of(const TokenizeOptions& options) {
  if (options.mode == "full") return JiebaMode::kFull;
  if (options.mode == "accurate") return options.hmm ? JiebaMode::kAccurate : JiebaMode::kAccurateNoHmm;
  if (options.mode == "search") return options.hmm ? JiebaMode::kSearch : JiebaMode::kSearchNoHmm;
  throw Error(ErrorCode::kUsage, fmt::format("mode: expected one of accurate, full, search, not '{}'", options.mode));
}

// Null: another name.
std::unique_ptr<const Tokenizer> tokenizer_of(std::string_view name) {
  if (name == "words_v1") return make_tokenizer(TokenizerKind::kWords);
  if (name == "chars_v1") return make_tokenizer(TokenizerKind::kChars);
  return name == "code_v1" ? make_code_tokenizer({}) : nullptr;
}

// cut(worker, text, words) fills `words` and returns the text that they are places of.
template <typename Cut>
Summary print_words(const Options& options, const TokenizeOptions& tokenize, const MapRun& run, Cut cut) {
  std::vector<std::vector<FoundWord>> buffers(resolve_threads(options.threads));
  const auto append_strings = [](const std::vector<FoundWord>& words, std::string_view FoundWord::*member, std::string& out) {
    bool first = true;
    for (const FoundWord& word : words) {
      if (!first) out.push_back(',');
      first = false;
      append_json_string(word.*member, out);
    }
  };
  const auto map = [&](uint32_t worker, const Record& record, std::string& out) {
    std::vector<FoundWord>& words = buffers[worker];
    if (tokenize.plain.on) {
      visit_text_lines(record.text, [&](std::string_view line) {
        cut(worker, line, words);
        append_plain_words(words, tokenize.plain.separator, tokenize.pos, out);
      });
      return false;
    }
    begin_word_line(record, "tokens", out);
    const std::string_view text = cut(worker, record.text, words);
    append_strings(words, &FoundWord::text, out);
    out.push_back(']');
    if (tokenize.pos) {
      out += ",\"tags\":[";
      append_strings(words, &FoundWord::tag, out);
      out.push_back(']');
    }
    if (tokenize.offsets) append_word_offsets(words, text, out);
    out += "}\n";
    return false;
  };
  return map_documents("tokenize", options.threads, map, run);
}

Summary tokenize_by_jieba(const Options& options, const TokenizeOptions& tokenize, const MapRun& run) {
  const JiebaMode mode = mode_of(tokenize);
  if (tokenize.offsets && mode == JiebaMode::kFull) throw Error(ErrorCode::kUsage, "offsets: requires mode accurate or search, not full");
  const Words words(tokenize.words);
  const JiebaSegmenter segmenter(words.dictionary(), mode);
  std::vector<JiebaScratch> scratches(resolve_threads(options.threads));
  return print_words(options, tokenize, run, [&](uint32_t worker, std::string_view text, std::vector<FoundWord>& found) {
    JiebaScratch& scratch = scratches[worker];
    found.clear();
    for (const JiebaToken token : segmenter.segment(text, scratch)) {
      found.push_back({.text = scratch.view(token), .begin = token.begin, .end = token.end});
    }
    return scratch.text;
  });
}

Summary tag_by_jieba(const Options& options, const TokenizeOptions& tokenize, const MapRun& run) {
  if (tokenize.mode != "accurate")
    throw Error(ErrorCode::kUsage, fmt::format("pos: parts of speech require mode accurate, not {}", tokenize.mode));
  const Words words(tokenize.words);
  const JiebaTagger tagger(words.dictionary(), tokenize.hmm);
  std::vector<JiebaTagScratch> scratches(resolve_threads(options.threads));
  return print_words(options, tokenize, run, [&](uint32_t worker, std::string_view text, std::vector<FoundWord>& found) {
    JiebaTagScratch& scratch = scratches[worker];
    found.clear();
    for (const JiebaTaggedWord& word : tagger.tag(text, scratch)) {
      found.push_back({.text = scratch.view(word), .tag = tagger.tags()[word.tag], .begin = word.begin, .end = word.end});
    }
    return scratch.text;
  });
}

Summary tokenize_by(const Tokenizer& tokenizer, const Options& options, const TokenizeOptions& tokenize, const MapRun& run) {
  std::vector<TokenBuffer> buffers(resolve_threads(options.threads));
  return print_words(options, tokenize, run, [&](uint32_t worker, std::string_view text, std::vector<FoundWord>& found) {
    TokenBuffer& buffer = buffers[worker];
    tokenizer.tokenize(text, buffer);
    found.clear();
    for (size_t i = 0; i < buffer.size(); ++i) found.push_back({.text = buffer.token(i)});
    return text;
  });
}

}  // namespace

Summary tokenize_all(const Options& options, const TokenizeOptions& tokenize, const MapRun& run) {
  Summary summary;
  if (tokenize.offsets && tokenize.plain.on)
    throw Error(ErrorCode::kUsage, "offsets: places of tokens cannot be combined with plain lines, which have only words");
  if (tokenize.tokenizer == "jieba_v1") {
    summary = tokenize.pos ? tag_by_jieba(options, tokenize, run) : tokenize_by_jieba(options, tokenize, run);
  } else if (const auto tokenizer = tokenizer_of(tokenize.tokenizer)) {
    if (tokenize.mode != "accurate" || !tokenize.hmm || !tokenize.words.empty() || tokenize.pos || tokenize.offsets)
      throw Error(ErrorCode::kUsage,
                  fmt::format("tokenizer: mode, hmm, user words, pos and offsets require jieba_v1, not {}", tokenize.tokenizer));
    summary = tokenize_by(*tokenizer, options, tokenize, run);
  } else {
    throw Error(ErrorCode::kUsage,
                fmt::format("tokenizer: expected one of jieba_v1, words_v1, chars_v1, code_v1, not '{}'", tokenize.tokenizer));
  }
  return summary;
}

Summary keywords_all(const Options& options, const KeywordsOptions& keywords, const MapRun& run) {
  const Words words(keywords.words);
  const JiebaKeywordExtractor extractor(words.dictionary(),
                                        {.idf_file = keywords.idf, .stop_words_file = keywords.stop_words, .tags = keywords.allow_pos});
  std::vector<JiebaKeywordScratch> scratches(resolve_threads(options.threads));
  const auto map = [&](uint32_t worker, const Record& record, std::string& out) {
    const std::span<const JiebaKeyword> found = extractor.extract(record.text, keywords.topk, scratches[worker]);
    if (keywords.plain.on) {
      std::vector<FoundWord> plain;
      for (const JiebaKeyword& keyword : found) plain.push_back({.text = keyword.word});
      append_plain_words(plain, keywords.plain.separator, false, out);
      return false;
    }
    begin_word_line(record, "keywords", out);
    bool first = true;
    for (const JiebaKeyword& keyword : found) {
      out += first ? "[" : ",[";
      first = false;
      append_json_string(keyword.word, out);
      append_format(out, ",{:.17g}]", keyword.weight);
    }
    out += "]}\n";
    return false;
  };
  return map_documents("keywords", options.threads, map, run);
}

}  // namespace neardup
