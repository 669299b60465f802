#include "neardup/tools/tokenize_all.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/format.h"
#include "base/parallel.h"
#include "io/json/field_text.h"
#include "neardup/error.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_posseg.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/jieba/jieba_user_words.h"
#include "text/tokens/tokenizer.h"

namespace neardup {
namespace {

void begin_line(const Record& record, std::string_view field, std::string& out) {
  out += "{\"id\":";
  if (record.has_id) {
    append_json_string(record.id, out);
  } else {
    out += "null";
  }
  out += ",\"";
  out += field;
  out += "\":[";
}

// The dictionary in use, with the user's words if there are any.
struct Words {
  explicit Words(const std::string& user_dict) : base(JiebaDictionary::open(find_jieba_dictionary())) {
    if (user_dict.empty()) return;
    UserWords words(base);
    words.load(user_dict);
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

Summary tokenize_by_jieba(const Options& options, const TokenizeOptions& tokenize, const MapRun& run) {
  const JiebaMode mode = mode_of(tokenize);
  const Words words(tokenize.user_dict);
  const JiebaSegmenter segmenter(words.dictionary(), mode);
  std::vector<JiebaScratch> scratches(resolve_threads(options.threads));
  const auto map = [&](uint32_t worker, const Record& record, std::string& out) {
    begin_line(record, "tokens", out);
    JiebaScratch& scratch = scratches[worker];
    bool first = true;
    for (const JiebaToken token : segmenter.segment(record.text, scratch)) {
      if (!first) out.push_back(',');
      first = false;
      append_json_string(scratch.view(token), out);
    }
    out += "]}\n";
    return false;
  };
  return map_documents("tokenize", options.threads, map, run);
}

Summary tag_by_jieba(const Options& options, const TokenizeOptions& tokenize, const MapRun& run) {
  if (tokenize.mode != "accurate")
    throw Error(ErrorCode::kUsage, fmt::format("pos: parts of speech require mode accurate, not {}", tokenize.mode));
  const Words words(tokenize.user_dict);
  const JiebaTagger tagger(words.dictionary(), tokenize.hmm);
  std::vector<JiebaTagScratch> scratches(resolve_threads(options.threads));
  const auto map = [&](uint32_t worker, const Record& record, std::string& out) {
    begin_line(record, "tokens", out);
    JiebaTagScratch& scratch = scratches[worker];
    const std::span<const JiebaTaggedWord> tagged = tagger.tag(record.text, scratch);
    const auto append = [&](auto text_of) {
      for (size_t i = 0; i < tagged.size(); ++i) {
        if (i > 0) out.push_back(',');
        append_json_string(text_of(tagged[i]), out);
      }
    };
    append([&](const JiebaTaggedWord& word) { return scratch.view(word); });
    out += "],\"tags\":[";
    append([&](const JiebaTaggedWord& word) { return tagger.tags()[word.tag]; });
    out += "]}\n";
    return false;
  };
  return map_documents("tokenize", options.threads, map, run);
}

Summary tokenize_by(TokenizerKind kind, const Options& options, const MapRun& run) {
  const auto tokenizer = make_tokenizer(kind);
  std::vector<TokenBuffer> buffers(resolve_threads(options.threads));
  const auto map = [&](uint32_t worker, const Record& record, std::string& out) {
    begin_line(record, "tokens", out);
    TokenBuffer& buffer = buffers[worker];
    tokenizer->tokenize(record.text, buffer);
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (i > 0) out.push_back(',');
      append_json_string(buffer.token(i), out);
    }
    out += "]}\n";
    return false;
  };
  return map_documents("tokenize", options.threads, map, run);
}

}  // namespace

Summary tokenize_all(const Options& options, const TokenizeOptions& tokenize, const MapRun& run) {
  Summary summary;
  if (tokenize.tokenizer == "jieba_v1") {
    summary = tokenize.pos ? tag_by_jieba(options, tokenize, run) : tokenize_by_jieba(options, tokenize, run);
  } else if (tokenize.tokenizer == "words_v1" || tokenize.tokenizer == "chars_v1") {
    if (tokenize.mode != "accurate" || !tokenize.hmm || !tokenize.user_dict.empty() || tokenize.pos)
      throw Error(ErrorCode::kUsage,
                  fmt::format("tokenizer: mode, hmm, user_dict and pos are for jieba_v1, not for {}", tokenize.tokenizer));
    summary = tokenize_by(tokenize.tokenizer == "words_v1" ? TokenizerKind::kWords : TokenizerKind::kChars, options, run);
  } else {
    throw Error(ErrorCode::kUsage, fmt::format("tokenizer: expected one of jieba_v1, words_v1, chars_v1, not '{}'", tokenize.tokenizer));
  }
  return summary;
}

Summary keywords_all(const Options& options, const KeywordsOptions& keywords, const MapRun& run) {
  const Words words(keywords.user_dict);
  const JiebaKeywordExtractor extractor(words.dictionary(),
                                        {.idf_file = keywords.idf, .stop_words_file = keywords.stop_words, .tags = keywords.allow_pos});
  std::vector<JiebaKeywordScratch> scratches(resolve_threads(options.threads));
  const auto map = [&](uint32_t worker, const Record& record, std::string& out) {
    begin_line(record, "keywords", out);
    bool first = true;
    for (const JiebaKeyword& keyword : extractor.extract(record.text, keywords.topk, scratches[worker])) {
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
