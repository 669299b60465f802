// make_clue_corpus: a JSON Lines file of many short texts that quote and copy each other, for the bars of clue search. Deterministic.
//
//   make_clue_corpus --texts 300000 --out FILE.jsonl --boilerplate SENTENCES.txt [--bytes 200] [--seed 1] INPUT.jsonl ...
//
// The inputs are cut into pieces of 60 to 340 bytes (0.3 to 1.7 times --bytes). Of the texts, 60 % are a piece, 25 % a copy of an earlier
// text with 1 to 15 % of the characters edited, 10 % a piece with a quotation of an earlier text, 5 % a piece with one of 64 sentences of
// boilerplate. When the pieces are used up they come again in a "dialect": letters and ideographs are permuted, so that the texts are new
// and as frequent in kind. A corpus begins with that of fewer texts.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/io.h"
#include "text/utf8/utf8.h"

namespace {

using Random = std::mt19937_64;
using Characters = std::u32string;

constexpr size_t kRemembered = 1 << 16;  // a copy or quotation is of one of this many last texts
constexpr size_t kSentences = 64;

bool is_letter(char32_t c) {
  return (c | 0x20) - U'a' < 26;
}
bool is_ideograph(char32_t c) {
  return c - 0x4E00 < 0x5200;
}

Characters characters_of(std::string_view text) {
  Characters out;
  for (size_t at = 0; at < text.size();) {
    const neardup::Decoded c = neardup::decode_quickly(text, at);
    out += c.code_point;
    at += c.length;
  }
  return out;
}

std::string utf8_of(const Characters& text) {
  std::string out;
  for (const char32_t c : text) neardup::append_utf8(c, out);
  return out;
}

void cut(std::string_view text, size_t bytes, Random& random, std::vector<std::string>& pieces) {
  const size_t shortest = bytes * 3 / 10;
  while (text.size() >= shortest) {
    size_t end = std::min<size_t>(text.size(), shortest + random() % (bytes * 14 / 10 + 1));
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// A permutation of the letters and of the ideographs that occur, for every number one. Number 0 changes nothing.
class Dialects {
 public:
  explicit Dialects(const std::vector<std::string>& pieces) : place_(0x10000, 0) {
    std::vector<bool> seen(0x10000);
    for (const std::string& piece : pieces) {
      for (const char32_t c : characters_of(piece)) {
        if (is_ideograph(c)) seen[c] = true;
      }
    }
    for (char32_t c = 0; c < 0x10000; ++c) {
      if (!seen[c]) continue;
      place_[c] = ideographs_.size();
      ideographs_ += c;
    }
    choose(0);
  }
  void choose(uint64_t number) {
    letters_ = U"abcdefghijklmnopqrstuvwxyz";
    permuted_ = ideographs_;
    if (number == 0) return;
    Random random(number);
    std::ranges::shuffle(letters_, random);
    std::ranges::shuffle(permuted_, random);
  }
  [[nodiscard]] Characters translate(std::string_view piece) const {
    Characters text = characters_of(piece);
    for (char32_t& c : text) {
      if (is_letter(c)) {
        c = letters_[(c | 0x20) - U'a'] - (c & 0x20 ? 0 : 0x20);
      } else if (is_ideograph(c)) {
        c = permuted_[place_[c]];
      }
    }
    return text;
  }

 private:
  std::vector<size_t> place_;
  Characters ideographs_;
  Characters letters_;
  Characters permuted_;
};

class Texts {
 public:
  Texts(std::vector<std::string> pieces, uint64_t seed) : random_(seed), pieces_(std::move(pieces)), dialects_(pieces_) {
    std::ranges::shuffle(pieces_, random_);
    choose_sentences();
  }

  [[nodiscard]] const std::vector<Characters>& sentences() const { return sentences_; }

  std::string next() {
    const uint64_t kind = random_() % 100;
    Characters text;
    if (kind < 25 && count_ > 0) {
      text = edited(earlier());
    } else {
      text = fresh();
      if (kind >= 95) insert(text, sentences_[std::min(random_() % kSentences, random_() % kSentences)]);
      if (kind >= 85 && kind < 95 && count_ > 0) insert(text, quotation(earlier()));
    }
    std::string out = utf8_of(text);
    if (remembered_.size() < kRemembered) remembered_.emplace_back();
    remembered_[count_++ % kRemembered] = std::move(text);
    return out;
  }

 private:
  Characters fresh() {
    if (next_piece_ == pieces_.size()) {
      next_piece_ = 0;
      dialects_.choose(++dialect_);
    }
    return dialects_.translate(pieces_[next_piece_++]);
  }
  const Characters& earlier() { return remembered_[random_() % remembered_.size()]; }

  /// 1 to 15 % of the characters replaced by one of the same text, dropped, or doubled by one of the same text.
  Characters edited(const Characters& text) {
    const uint64_t per_mille = 10 + random_() % 141;
    Characters out;
    for (const char32_t c : text) {
      const bool edit = random_() % 1000 < per_mille;
      const uint64_t way = edit ? random_() % 3 : 3;
      if (way != 1 && way != 0) out += c;
      if (way == 0 || way == 2) out += text[random_() % text.size()];
    }
    return out.empty() ? text : out;
  }
  Characters quotation(const Characters& text) {
    const size_t length = std::min<size_t>(text.size(), 12 + random_() % 69);
    return text.substr(random_() % (text.size() - length + 1), length);
  }
  void insert(Characters& text, const Characters& passage) { text.insert(random_() % (text.size() + 1), passage); }

  /// Half of them Latin, half Chinese, of 40 characters and more; cut out of pieces that are texts, too.
  void choose_sentences() {
    size_t latin = 0;
    for (const std::string& piece : pieces_) {
      if (sentences_.size() == kSentences) break;
      Characters text = characters_of(piece);
      const auto letters = static_cast<size_t>(std::ranges::count_if(text, is_letter));
      const auto ideographs = static_cast<size_t>(std::ranges::count_if(text, is_ideograph));
      const bool is_latin = letters * 10 > text.size() * 7;
      if (text.size() < 60 || (!is_latin && ideographs * 10 < text.size() * 8)) continue;
      if ((is_latin ? latin : sentences_.size() - latin) == kSentences / 2) continue;
      latin += is_latin;
      sentences_.push_back(text.substr(0, 90));
    }
    if (sentences_.size() < kSentences) throw std::runtime_error("the inputs have too little Latin or Chinese text for the boilerplate");
  }

  Random random_;
  std::vector<std::string> pieces_;
  Dialects dialects_;
  std::vector<Characters> sentences_;
  std::vector<Characters> remembered_;
  uint64_t count_ = 0;
  uint64_t dialect_ = 0;
  size_t next_piece_ = 0;
};

struct Options {
  std::vector<std::string> inputs;
  std::string output;
  std::string sentences;
  uint64_t texts = 300'000;
  uint64_t bytes = 200;
  uint64_t seed = 1;
};

int make(const Options& options) {
  std::vector<std::string> pieces;
  Random random(options.seed + 1);
  const auto source = neardup::open_source(options.inputs, {});
  while (const auto batch = source->next()) {
    batch->read(neardup::Batch::Need::kText, {}, [&](uint32_t, const neardup::Record& record) {
      if (record.problem.empty()) cut(record.text, options.bytes, random, pieces);
    });
  }
  const size_t number = pieces.size();
  Texts texts(std::move(pieces), options.seed);
  std::ofstream boilerplate(options.sentences, std::ios::binary);
  for (const Characters& sentence : texts.sentences())
    boilerplate << boost::json::serialize(boost::json::string(utf8_of(sentence))) << '\n';
  boilerplate.close();
  std::ofstream out(options.output, std::ios::binary);
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < options.texts; ++i) {
    const std::string text = texts.next();
    bytes += text.size();
    out << R"({"id":")" << i << R"(","text":)" << boost::json::serialize(boost::json::string(text)) << "}\n";
  }
  out.close();
  if (!out || !boilerplate) return std::fprintf(stderr, "make_clue_corpus: cannot write %s\n", options.output.c_str()), 1;
  std::printf(R"({"pieces":%zu,"texts":%llu,"text_bytes":%llu})"
              "\n",
              number, static_cast<unsigned long long>(options.texts), static_cast<unsigned long long>(bytes));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"make a corpus of short texts that quote each other"};
  Options options;
  app.add_option("inputs", options.inputs)->required();
  app.add_option("--out", options.output)->required();
  app.add_option("--boilerplate", options.sentences, "where to write the sentences of boilerplate, a JSON string a line")->required();
  app.add_option("--texts", options.texts, "number of texts");
  app.add_option("--bytes", options.bytes, "mean size of a text, about")->check(CLI::Range(100, 100'000));
  app.add_option("--seed", options.seed);
  CLI11_PARSE(app, argc, argv);
  try {
    return make(options);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "make_clue_corpus: %s\n", error.what()), 1;
  }
}
