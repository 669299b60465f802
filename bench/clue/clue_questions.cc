// clue_questions: clues for a corpus, with the exact answers, for bench/clue/clue.py.
//
//   clue_questions CORPUS.jsonl --boilerplate SENTENCES.txt --clues CLUES.jsonl --forms FORMS.txt [--per-class 40] [--seed 1]
//
// Clues are passages of normal forms (text/clue/clue_form.h), so that all programs are asked the same question: rivals index FORMS.txt, one
// form a line. A class names the script, the kind and the length in characters. A clue with edits has at most `edits` of them to the text
// it was drawn from, and the answers are all texts with a passage as close: "edit" changes characters (limit: 10 % of the clue), "word"
// replaces, drops or doubles words (10 % of the words; limit: 20 % of the characters).
//
// The answers come from a scan of all forms: an exact clue must occur as it is; of a clue with e edits, cut into e + 1 pieces, one piece
// must occur as it is, and Myers' algorithm decides. Lines: id, class, text, source, edits, count, answers (the ordinals, if at most
// 20,000).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "neardup/io.h"
#include "text/clue/clue_form.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace {

using Random = std::mt19937_64;
using Characters = std::u32string;

constexpr size_t kListed = 20'000;

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

/// All forms, each followed by a line feed, which no form contains.
class Forms {
 public:
  void add(std::string_view form) {
    bytes_ += form;
    bytes_ += '\n';
    ends_.push_back(bytes_.size());
  }
  void finish() { bytes_.append(8, '\0'); }  // room for reading 8 bytes anywhere
  [[nodiscard]] size_t size() const { return ends_.size(); }
  [[nodiscard]] uint64_t begin(size_t text) const { return text == 0 ? 0 : ends_[text - 1]; }
  [[nodiscard]] std::string_view operator[](size_t text) const {
    return std::string_view(bytes_).substr(begin(text), ends_[text] - 1 - begin(text));
  }
  [[nodiscard]] std::string_view whole() const { return std::string_view(bytes_).substr(0, bytes_.size() - 8); }

 private:
  std::string bytes_;
  std::vector<uint64_t> ends_;
};

/// Edits of a pattern of at most 128 characters to its closest passage in a text (Myers' bit vectors).
class Closest {
 public:
  explicit Closest(const Characters& pattern) : length_(pattern.size()) {
    if (length_ > 128) throw std::runtime_error("a clue is longer than 128 characters");
    for (size_t i = 0; i < length_; ++i) places_[pattern[i]] |= Bits{1} << i;
    for (uint32_t c = 0; c < 128; ++c) ascii_[c] = places_.contains(c) ? places_[c] : 0;
  }
  [[nodiscard]] uint32_t edits(std::string_view text) const {
    Bits more = ~Bits{0};
    Bits less = 0;
    auto score = static_cast<uint32_t>(length_);
    uint32_t best = score;
    const Bits last = Bits{1} << (length_ - 1);
    for (size_t at = 0; at < text.size();) {
      const neardup::Decoded c = neardup::decode_quickly(text, at);
      at += c.length;
      const Bits equal = c.code_point < 128 ? ascii_[c.code_point] : wide(c.code_point);
      const Bits diagonal = (((equal & more) + more) ^ more) | equal | less;
      Bits up = less | ~(diagonal | more);
      Bits down = more & diagonal;
      score += (up & last) != 0;
      score -= (down & last) != 0;
      up <<= 1;  // a passage may begin anywhere: row 0 costs nothing
      down <<= 1;
      more = down | ~(diagonal | up);
      less = up & diagonal;
      best = std::min(best, score);
    }
    return best;
  }

 private:
  __extension__ using Bits = unsigned __int128;
  [[nodiscard]] Bits wide(char32_t c) const {
    const auto found = places_.find(c);
    return found == places_.end() ? 0 : found->second;
  }
  size_t length_;
  std::unordered_map<char32_t, Bits> places_;
  Bits ascii_[128] = {};
};

struct Clue {
  std::string kind;
  std::string text;
  uint64_t source = 0;
  uint32_t edits = 0;
  std::vector<uint32_t> answers;
};

struct Class {
  std::string_view script;
  std::string_view kind;
  size_t length;
};
constexpr Class kClasses[] = {
    {"zh", "exact", 8},        {"zh", "exact", 12}, {"zh", "exact", 20}, {"zh", "exact", 40}, {"zh", "exact", 60},
    {"en", "exact", 12},       {"en", "exact", 24}, {"en", "exact", 40}, {"en", "exact", 60}, {"zh", "boilerplate", 20},
    {"en", "boilerplate", 40}, {"zh", "edit", 20},  {"zh", "edit", 40},  {"zh", "edit", 60},  {"en", "edit", 40},
    {"en", "edit", 60},        {"en", "word", 40},  {"en", "word", 60},
};

class Drawer {
 public:
  Drawer(const Forms& forms, std::vector<Characters> sentences, uint64_t seed)
      : forms_(forms), sentences_(std::move(sentences)), random_(seed) {}

  Clue draw(const Class& c) {
    for (int tries = 0; tries < 1'000'000; ++tries) {
      Clue clue;
      clue.kind = std::string(c.script) + ' ' + std::string(c.kind) + ' ' + std::to_string(c.length);
      const bool boilerplate = c.kind == "boilerplate";
      clue.source = boilerplate ? UINT64_MAX : random_() % forms_.size();
      const Characters text = boilerplate ? sentences_[random_() % sentences_.size()] : characters_of(forms_[clue.source]);
      if (text.size() < c.length) continue;
      Characters passage = text.substr(random_() % (text.size() - c.length + 1), c.length);
      if (!fits(passage, c.script)) continue;
      double share = 0;
      if (c.kind == "edit") passage = with_edits(passage), share = 0.1;
      if (c.kind == "word") passage = with_other_words(passage), share = 0.2;
      if (passage.front() == U' ' || passage.back() == U' ' || passage.size() > 128 || passage.find(U"  ") != Characters::npos) continue;
      clue.edits = static_cast<uint32_t>(share * static_cast<double>(passage.size()) + 1e-9);
      clue.text = utf8_of(passage);
      former_.form(clue.text, form_, scratch_);
      if (form_ != clue.text) continue;  // an edit brought a mark that composes, or an ideograph next to a blank
      if (share > 0) {
        const uint32_t made = Closest(passage).edits(forms_[clue.source]);
        if (made == 0 || made > clue.edits) continue;
      }
      return clue;
    }
    throw std::runtime_error("the corpus has too few passages for the class " + std::string(c.script) + " " + std::string(c.kind));
  }

 private:
  static bool fits(const Characters& passage, std::string_view script) {
    if (script == "zh") return std::ranges::all_of(passage, neardup::is_single_token);
    return passage.front() != U' ' && passage.back() != U' ' && std::ranges::all_of(passage, [](char32_t ch) { return ch < 128; });
  }
  Characters random_passage(size_t length) {
    for (;;) {
      const Characters text = characters_of(forms_[random_() % forms_.size()]);
      if (text.size() > length) return text.substr(random_() % (text.size() - length), length);
    }
  }
  /// A tenth of the characters replaced, dropped or doubled by one that stands somewhere in the corpus.
  Characters with_edits(Characters text) {
    for (size_t left = text.size() / 10; left > 0; --left) {
      const size_t at = random_() % text.size();
      const uint64_t way = random_() % 3;
      if (way != 2) text.erase(at, 1);
      if (way != 1) text.insert(at, random_passage(1));
    }
    return text;
  }
  /// A tenth of the words, but one at least, replaced by another word of the corpus, dropped, or followed by another one.
  Characters with_other_words(const Characters& text) {
    std::vector<Characters> words = words_of(text);
    for (size_t left = std::max<size_t>(1, (words.size() + 5) / 10); left > 0; --left) {
      const size_t at = 1 + random_() % (words.size() > 2 ? words.size() - 2 : 1);  // the first and the last word may be cut
      const auto place = words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size() - 1));
      const uint64_t way = random_() % 3;
      if (way == 1) {
        words.erase(place);
      } else if (way == 2) {
        words.insert(place, another_word());
      } else {
        *place = another_word();
      }
    }
    Characters out;
    for (const Characters& word : words) (out += out.empty() ? U"" : U" ") += word;
    return out.empty() ? U" " : out;
  }
  static std::vector<Characters> words_of(const Characters& text) {
    std::vector<Characters> words(1);
    for (const char32_t c : text) {
      if (c == U' ') {
        words.emplace_back();
      } else {
        words.back() += c;
      }
    }
    return words;
  }
  Characters another_word() {
    for (;;) {
      const std::vector<Characters> words = words_of(random_passage(40));
      if (words.size() < 4) continue;
      const Characters& word = words[1 + random_() % (words.size() - 2)];
      if (fits(word, "en")) return word;
    }
  }

  const Forms& forms_;
  std::vector<Characters> sentences_;
  Random random_;
  const neardup::ClueForm former_{false};
  neardup::ClueForm::Scratch scratch_;
  std::string form_;
};

/// Finds the pieces of all clues in one scan: a piece is looked for by its first 8 bytes, or 4 if it is shorter.
class Scan {
 public:
  explicit Scan(const std::vector<Clue>& clues) : clues_(clues) {
    for (size_t i = 0; i < clues.size(); ++i) {
      closest_.emplace_back();
      if (clues[i].edits == 0) {
        add(clues[i].text, i);
        continue;
      }
      const Characters text = characters_of(clues[i].text);
      closest_.back().emplace(text);
      const size_t pieces = clues[i].edits + 1;
      for (size_t p = 0; p < pieces; ++p) {
        const size_t from = text.size() * p / pieces;
        add(utf8_of(text.substr(from, text.size() * (p + 1) / pieces - from)), i);
      }
    }
  }

  /// The answers of the clues among the texts of [first, last), by clue, ascending.
  [[nodiscard]] std::vector<std::vector<uint32_t>> run(const Forms& forms, size_t first, size_t last) const {
    std::vector<std::vector<uint32_t>> found(clues_.size());
    std::vector<uint64_t> judged(clues_.size(), UINT64_MAX);  // the last text that was
    const std::string_view whole = forms.whole();
    for (size_t text = first; text < last; ++text) {
      const uint64_t end = forms.begin(text) + forms[text].size();
      for (uint64_t at = forms.begin(text); at + 4 <= end; ++at) {
        uint64_t eight = 0;
        std::memcpy(&eight, whole.data() + at, sizeof(eight));  // beyond the form: of the next one, or the padding
        const uint32_t four = static_cast<uint32_t>(eight);
        for (const auto& [known, key] : {std::pair{&long_, eight}, std::pair{&short_, static_cast<uint64_t>(four)}}) {
          if (!known->may_have(key)) continue;
          const auto pieces = known->pieces.find(key);
          if (pieces == known->pieces.end()) continue;
          for (const Piece& piece : pieces->second) {
            if (judged[piece.clue] == text || !whole.substr(at, end - at).starts_with(piece.text)) continue;
            judged[piece.clue] = text;
            const auto& closest = closest_[piece.clue];
            if (!closest || closest->edits(forms[text]) <= clues_[piece.clue].edits)
              found[piece.clue].push_back(static_cast<uint32_t>(text));
          }
        }
      }
    }
    return found;
  }

 private:
  struct Piece {
    std::string text;
    size_t clue;
  };
  struct Table {
    static constexpr uint32_t kBits = 22;
    std::vector<bool> seen = std::vector<bool>(size_t{1} << kBits);
    std::unordered_map<uint64_t, std::vector<Piece>> pieces;
    static size_t slot(uint64_t key) { return neardup::mix64(key) >> (64 - kBits); }
    [[nodiscard]] bool may_have(uint64_t key) const { return seen[slot(key)]; }
    void add(uint64_t key, Piece piece) {
      seen[slot(key)] = true;
      pieces[key].push_back(std::move(piece));
    }
  };
  void add(std::string piece, size_t clue) {
    if (piece.size() < 4) throw std::runtime_error("a clue has too many edits to be looked for in pieces of 4 bytes");
    uint64_t key = 0;
    const bool is_long = piece.size() >= 8;
    std::memcpy(&key, piece.data(), is_long ? 8 : 4);
    (is_long ? long_ : short_).add(key, {std::move(piece), clue});
  }

  const std::vector<Clue>& clues_;
  std::vector<std::optional<Closest>> closest_;
  Table long_;
  Table short_;
};

void answer(std::vector<Clue>& clues, const Forms& forms) {
  const Scan scan(clues);
  const size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::vector<std::vector<uint32_t>>> parts(threads);
  std::vector<std::thread> workers;
  for (size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] { parts[t] = scan.run(forms, forms.size() * t / threads, forms.size() * (t + 1) / threads); });
  }
  for (std::thread& worker : workers) worker.join();
  for (auto& part : parts) {
    for (size_t i = 0; i < clues.size(); ++i) clues[i].answers.insert(clues[i].answers.end(), part[i].begin(), part[i].end());
  }
}

struct Options {
  std::string corpus;
  std::string boilerplate;
  std::string clues;
  std::string forms;
  size_t per_class = 40;
  uint64_t seed = 1;
};

int make(const Options& options) {
  const neardup::ClueForm former(false);
  neardup::ClueForm::Scratch scratch;
  std::string form;
  Forms forms;
  const auto source = neardup::open_source({options.corpus}, {});
  while (const auto batch = source->next()) {
    batch->read(neardup::Batch::Need::kText, {}, [&](uint32_t, const neardup::Record& record) {
      former.form(record.text, form, scratch);
      forms.add(form);
    });
  }
  forms.finish();
  std::ofstream form_file(options.forms, std::ios::binary);
  form_file << forms.whole();
  std::vector<Characters> sentences;
  std::ifstream sentence_file(options.boilerplate, std::ios::binary);
  for (std::string line; std::getline(sentence_file, line);) {
    former.form(std::string_view(boost::json::parse(line).as_string()), form, scratch);
    sentences.push_back(characters_of(form));
  }
  Drawer drawer(forms, std::move(sentences), options.seed);
  std::vector<Clue> clues;
  for (const Class& c : kClasses) {
    for (size_t i = 0; i < options.per_class; ++i) clues.push_back(drawer.draw(c));
  }
  answer(clues, forms);
  std::ofstream out(options.clues, std::ios::binary);
  for (size_t i = 0; i < clues.size(); ++i) {
    const Clue& clue = clues[i];
    boost::json::object line{
        {"id", std::to_string(i)}, {"class", clue.kind}, {"text", clue.text}, {"edits", clue.edits}, {"count", clue.answers.size()}};
    line["source"] = clue.source == UINT64_MAX ? boost::json::value() : boost::json::value(clue.source);
    if (clue.answers.size() <= kListed) line["answers"] = boost::json::array(clue.answers.begin(), clue.answers.end());
    out << boost::json::serialize(line) << '\n';
  }
  out.close();
  form_file.close();
  if (!out || !form_file)
    return std::fprintf(stderr, "clue_questions: cannot write %s or %s\n", options.clues.c_str(), options.forms.c_str()), 1;
  std::printf("%zu clues, %zu texts\n", clues.size(), forms.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"clues with exact answers"};
  Options options;
  app.add_option("corpus", options.corpus)->required();
  app.add_option("--boilerplate", options.boilerplate, "the sentences that make_clue_corpus wrote")->required();
  app.add_option("--clues", options.clues, "where to write the clues")->required();
  app.add_option("--forms", options.forms, "where to write the normal forms, a line each")->required();
  app.add_option("--per-class", options.per_class, "clues of each class");
  app.add_option("--seed", options.seed);
  CLI11_PARSE(app, argc, argv);
  try {
    return make(options);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "clue_questions: %s\n", error.what()), 1;
  }
}
