// make_short: a JSON Lines file of many short documents, for the bars on memory and growth. Deterministic.
//
//   make_short --mode short --documents 1000000 --out FILE.jsonl
//
// short:       about 100 bytes of words each; 3 % are exact copies, up to blanks and case, and 3 % near-duplicates of an earlier one
// equal:       the same text over and over
// boilerplate: --common words that all share, then --own words that no other document has
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr size_t kShortWords = 16;
constexpr size_t kRemembered = 4096;  // a duplicate copies one of this many last texts

// A word for a number: different numbers give different words.
std::string word(uint64_t number) {
  constexpr std::string_view kConsonants = "bcdfghjklmnpqrstvwxz";
  constexpr std::string_view kVowels = "aeiou";
  std::string made;
  do {
    made += kConsonants[number % 20];
    made += kVowels[number / 20 % 5];
    number /= 100;
  } while (number > 0);
  return made;
}

class Texts {
 public:
  Texts(std::string_view mode, uint64_t common, uint64_t own) : mode_(mode), own_(own) {
    for (uint64_t i = 0; i < common; ++i) boilerplate_ += word(i) + " ";
  }

  std::string next() {
    if (mode_ == "equal") return "the same page of a hundred bytes, which a crawler has met again and again under a million addresses";
    if (mode_ == "boilerplate") return with_boilerplate();
    const uint64_t kind = random_() % 100;
    const std::string& earlier = remembered_[random_() % kRemembered];
    if (kind < 3 && !earlier.empty()) return copy(earlier);
    if (kind < 6 && !earlier.empty()) return earlier.substr(0, earlier.rfind(' ') + 1) + word(random_() % 100'000'000);
    return remembered_[count_++ % kRemembered] = random_words();
  }

 private:
  std::string random_words() {
    std::string text;
    for (size_t i = 0; i < kShortWords; ++i) text += (i == 0 ? "" : " ") + word(random_() % 1'000'000);
    return text;
  }
  static std::string copy(std::string text) {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text.replace(text.find(' '), 1, "  ");
  }
  std::string with_boilerplate() {
    std::string text = boilerplate_;
    for (uint64_t i = 0; i < own_; ++i) text += (i == 0 ? "" : " ") + word(1'000'000 + count_ * own_ + i);
    ++count_;
    return text;
  }

  const std::string mode_;
  const uint64_t own_;
  std::string boilerplate_;
  uint64_t count_ = 0;
  std::mt19937_64 random_{7};
  std::vector<std::string> remembered_ = std::vector<std::string>(kRemembered);
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"make many short documents"};
  std::string mode = "short";
  uint64_t documents = 1'000'000;
  std::string output;
  uint64_t common = 104;
  uint64_t own = 18;
  app.add_option("--mode", mode)->check(CLI::IsMember({"short", "equal", "boilerplate"}));
  app.add_option("--documents", documents);
  app.add_option("--out", output)->required();
  app.add_option("--common", common, "words of the boilerplate");
  app.add_option("--own", own, "words of each document's own");
  CLI11_PARSE(app, argc, argv);

  std::ofstream out(output, std::ios::binary);
  Texts texts(mode, common, own);
  for (uint64_t i = 0; i < documents; ++i) out << R"({"id":")" << i << R"(","text":")" << texts.next() << "\"}\n";  // nothing to escape
  out.close();
  if (!out) return std::fprintf(stderr, "make_short: cannot write %s\n", output.c_str()), 1;
}
