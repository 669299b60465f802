// Generated corpora for tests: deterministic texts with planted near-duplicates, exact copies and short texts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::testing {

struct CorpusShape {
  size_t originals = 60;
  size_t words = 60;  ///< per original, at most
  size_t vocabulary = 500;
  size_t max_copies = 4;    ///< near-duplicates of each original, at most
  double edit_rate = 0.05;  ///< share of words that a near-duplicate replaces, at most twice this
  size_t boilerplate = 0;   ///< words that all texts end with
};

inline std::string word(std::mt19937_64& random, size_t vocabulary) {
  std::string made = "w";
  for (uint64_t n = random() % vocabulary; n > 0; n /= 26) made += static_cast<char>('a' + n % 26);
  return made;
}

inline std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : " ") + each;
  return text;
}

/// Shuffled, so that duplicates come in any order. Some texts are exact copies up to white space and case, some are short or empty.
inline std::vector<std::string> make_corpus(uint64_t seed, const CorpusShape& shape) {
  std::mt19937_64 random(seed);
  std::vector<std::string> boilerplate;
  for (size_t i = 0; i < shape.boilerplate; ++i) boilerplate.push_back("b" + std::to_string(i));
  std::vector<std::string> texts;
  for (size_t o = 0; o < shape.originals; ++o) {
    std::vector<std::string> words;
    const size_t length = random() % shape.words;  // now and then too short for a shingle
    for (size_t i = 0; i < length; ++i) words.push_back(word(random, shape.vocabulary));
    words.insert(words.end(), boilerplate.begin(), boilerplate.end());
    texts.push_back(join(words));
    for (uint64_t copies = random() % (shape.max_copies + 1); copies > 0; --copies) {
      std::vector<std::string> edited = words;
      const double rate = shape.edit_rate * 2 * static_cast<double>(random() % 1000) / 1000;
      for (std::string& each : edited) {
        if (static_cast<double>(random() % 10000) / 10000 < rate) each = word(random, shape.vocabulary);
      }
      std::string text = join(edited);
      if (random() % 8 == 0) text = "  " + text + "\n";
      if (random() % 8 == 0 && !text.empty()) text[0] = static_cast<char>(text[0] == 'w' ? 'W' : text[0]);
      texts.push_back(text);
    }
  }
  for (size_t i = texts.size(); i > 1; --i) std::swap(texts[i - 1], texts[random() % i]);
  return texts;
}

inline std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace neardup::testing
