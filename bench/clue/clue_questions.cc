// clue_questions: clues for a corpus, with the exact answers, for bench/clue/clue.py.
//
//   clue_questions CORPUS.jsonl --boilerplate SENTENCES.txt --clues CLUES.jsonl [--forms FORMS.txt] [--per-class 40] [--seed 1]
//                  [--unanswered word]
//
// Clues are passages of normal forms (text/clue/clue_form.h), so that all programs are asked the same question: rivals index FORMS.txt, one
// form a line. A class names the script, the kind and the length in characters. A clue with edits has at most `edits` of them to the text
// it was drawn from, and the answers are all texts with a passage as close: "edit" changes characters (limit: 10 % of the clue), "word"
// replaces, drops or doubles words (10 % of the words; limit: 20 % of the characters).
//
// Clues are drawn from texts at equal distances, at most 500,000 of them; clue_scan.h looks for them in all. The clues of the classes take
// turns. Lines: id, class, text, source, edits, count, answers (the ordinals, if at most 20,000). Of kinds that are --unanswered only the
// source is known. Prints the sizes of the corpus.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "clue_scan.h"
#include "neardup/io.h"
#include "text/clue/clue_form.h"
#include "text/utf8/code_points.h"

namespace {

using neardup::bench::Characters;
using neardup::bench::characters_of;
using neardup::bench::Closest;
using neardup::bench::Clue;
using neardup::bench::utf8_of;
using Random = std::mt19937_64;

constexpr size_t kListed = 20'000;

/// The forms of every n-th text, where n is the smallest power of two that leaves at most kSampled.
class Sample {
 public:
  void add(uint64_t text, std::string_view form) {
    if (text % distance_ != 0) return;
    forms_.emplace_back(form);
    if (forms_.size() <= kSampled) return;
    for (size_t i = 0; 2 * i < forms_.size(); ++i) forms_[i] = std::move(forms_[2 * i]);
    forms_.resize((forms_.size() + 1) / 2);
    distance_ *= 2;
  }
  [[nodiscard]] size_t size() const { return forms_.size(); }
  [[nodiscard]] const std::string& operator[](size_t i) const { return forms_[i]; }
  [[nodiscard]] uint64_t text(size_t i) const { return i * distance_; }

 private:
  static constexpr size_t kSampled = 500'000;
  std::vector<std::string> forms_;
  uint64_t distance_ = 1;
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
  Drawer(const Sample& sample, std::vector<Characters> sentences, uint64_t seed)
      : sample_(sample), sentences_(std::move(sentences)), random_(seed) {}

  Clue draw(const Class& c) {
    for (int tries = 0; tries < 1'000'000; ++tries) {
      Clue clue;
      clue.kind = std::string(c.script) + ' ' + std::string(c.kind) + ' ' + std::to_string(c.length);
      const bool boilerplate = c.kind == "boilerplate";
      const size_t drawn = boilerplate ? 0 : random_() % sample_.size();
      clue.source = boilerplate ? UINT64_MAX : sample_.text(drawn);
      const Characters text = boilerplate ? sentences_[random_() % sentences_.size()] : characters_of(sample_[drawn]);
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
        const uint32_t made = Closest(passage).edits(sample_[drawn]);
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
      const Characters text = characters_of(sample_[random_() % sample_.size()]);
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

  const Sample& sample_;
  std::vector<Characters> sentences_;
  Random random_;
  const neardup::ClueForm former_{false};
  neardup::ClueForm::Scratch scratch_;
  std::string form_;
};

/// Passes over the corpus: the forms of its texts, made by all threads, batch after batch.
class Corpus {
 public:
  explicit Corpus(const std::string& path) : source_(neardup::open_source({path}, {})) {}

  /// Calls work(thread, form, result of the batch) for the texts of a batch in order, and commit(result, texts) for the batches in order.
  template <typename Result, typename Work, typename Commit>
  void pass(const Work& work, const Commit& commit) {
    struct Slot {
      std::unique_ptr<neardup::Batch> batch;
      uint32_t texts = 0;
      Result result;
    };
    std::vector<Slot> slots(neardup::OrderedLine::slot_count(kThreads));
    std::vector<neardup::ClueForm::Scratch> scratches(kThreads);
    std::vector<std::string> forms(kThreads);
    source_->rewind();
    neardup::OrderedLine::run(
        kThreads, [&](uint64_t, size_t slot) { return (slots[slot].batch = source_->next()) != nullptr; },
        [&](uint32_t thread, uint64_t, size_t slot) {
          slots[slot].result = Result();
          const auto read = [&](uint32_t text, const neardup::Record& record) {
            former_.form(record.text, forms[thread], scratches[thread]);
            work(thread, text, forms[thread], slots[slot].result);
          };
          slots[slot].texts = slots[slot].batch->read(neardup::Batch::Need::kText, {}, read);
        },
        [&](uint64_t, size_t slot) { commit(slots[slot].result, slots[slot].texts); });
  }

  static constexpr uint32_t kThreads = 2;

 private:
  std::unique_ptr<neardup::DocumentSource> source_;
  const neardup::ClueForm former_{false};
};

void answer(std::vector<Clue>& clues, Corpus& corpus) {
  using Found = std::vector<std::pair<size_t, uint32_t>>;  // clues and texts of a batch
  const neardup::bench::ClueScan scan(clues);
  std::vector<neardup::bench::ClueScan::Scratch> scratches(Corpus::kThreads, neardup::bench::ClueScan::Scratch(scan));
  uint64_t before = 0;
  corpus.pass<Found>([&](uint32_t thread, uint32_t text, std::string_view form,
                         Found& found) { scan.find(form, scratches[thread], [&](size_t clue) { found.emplace_back(clue, text); }); },
                     [&](const Found& found, uint32_t texts) {
                       for (const auto& [clue, text] : found) clues[clue].answers.push_back(static_cast<uint32_t>(before + text));
                       before += texts;
                     });
}

struct Options {
  std::string corpus;
  std::string boilerplate;
  std::string clues;
  std::string forms;
  size_t per_class = 40;
  uint64_t seed = 1;
  std::vector<std::string> unanswered;
};

int make(const Options& options) {
  Corpus corpus(options.corpus);
  Sample sample;
  std::ofstream form_file;
  if (!options.forms.empty()) form_file.open(options.forms, std::ios::binary);
  uint64_t texts = 0;
  uint64_t bytes = 0;
  corpus.pass<std::vector<std::string>>(
      [](uint32_t, uint32_t, std::string_view form, std::vector<std::string>& forms) { forms.emplace_back(form); },
      [&](const std::vector<std::string>& forms, uint32_t) {
        for (const std::string& form : forms) {
          sample.add(texts++, form);
          bytes += form.size();
          if (form_file.is_open()) form_file << form << '\n';
        }
      });
  const neardup::ClueForm former(false);
  neardup::ClueForm::Scratch scratch;
  std::string form;
  std::vector<Characters> sentences;
  std::ifstream sentence_file(options.boilerplate, std::ios::binary);
  for (std::string line; std::getline(sentence_file, line);) {
    former.form(std::string_view(boost::json::parse(line).as_string()), form, scratch);
    sentences.push_back(characters_of(form));
  }
  Drawer drawer(sample, std::move(sentences), options.seed);
  std::vector<Clue> clues;
  for (size_t i = 0; i < options.per_class; ++i) {
    for (const Class& c : kClasses) {
      clues.push_back(drawer.draw(c));
      clues.back().answered = std::ranges::find(options.unanswered, c.kind) == options.unanswered.end();
    }
  }
  answer(clues, corpus);
  std::ofstream out(options.clues, std::ios::binary);
  for (size_t i = 0; i < clues.size(); ++i) {
    const Clue& clue = clues[i];
    boost::json::object line{{"id", std::to_string(i)}, {"class", clue.kind}, {"text", clue.text}, {"edits", clue.edits}};
    line["source"] = clue.source == UINT64_MAX ? boost::json::value() : boost::json::value(clue.source);
    if (clue.answered) line["count"] = clue.answers.size();
    if (clue.answered && clue.answers.size() <= kListed) line["answers"] = boost::json::array(clue.answers.begin(), clue.answers.end());
    out << boost::json::serialize(line) << '\n';
  }
  out.close();
  if (form_file.is_open()) form_file.close();
  if (!out || !form_file)
    return std::fprintf(stderr, "clue_questions: cannot write %s or %s\n", options.clues.c_str(), options.forms.c_str()), 1;
  std::printf(R"({"clues":%zu,"texts":%llu,"form_bytes":%llu})"
              "\n",
              clues.size(), static_cast<unsigned long long>(texts), static_cast<unsigned long long>(bytes));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"clues with exact answers"};
  Options options;
  app.add_option("corpus", options.corpus)->required();
  app.add_option("--boilerplate", options.boilerplate, "the sentences that make_clue_corpus wrote")->required();
  app.add_option("--clues", options.clues, "where to write the clues")->required();
  app.add_option("--forms", options.forms, "where to write the normal forms, a line each");
  app.add_option("--per-class", options.per_class, "clues of each class");
  app.add_option("--seed", options.seed);
  app.add_option("--unanswered", options.unanswered, "kinds of clues whose answers are not looked for");
  CLI11_PARSE(app, argc, argv);
  try {
    return make(options);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "clue_questions: %s\n", error.what()), 1;
  }
}
