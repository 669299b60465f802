// Negatives: texts that resemble a document and are another one.
#include <algorithm>
#include <map>
#include <vector>

#include "jobs/generate/edit.h"

namespace neardup::generate_detail {
namespace {

// Words that tell what this document is about and no other one: numbers; and units, or pairs of single characters, of no other document.
struct Fact {
  std::vector<size_t> at;  // its first units
  size_t units = 1;
  bool number = false;
};

bool is_number(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// In the order of their first places.
std::vector<Fact> facts_of(const TextUnits& text, const Donors& donors) {
  std::vector<Fact> facts;
  std::map<std::string_view, size_t> known;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool number = is_number(text.unit(i));
    size_t units = 1;
    if (!number && text[i].single) {
      if (!is_pair(text, i)) continue;
      units = 2;
    }
    const std::string_view words = text.range(i, i + units);
    if (!number && !donors.is_unique(words)) continue;
    const auto [found, added] = known.try_emplace(words, facts.size());
    if (added) facts.push_back({{}, units, number});
    facts[found->second].at.push_back(i);
    i += units - 1;
  }
  return facts;
}

// As many digits; another first one unless it is 0, which dates and numbers of forms keep.
std::string other_number(std::string_view number, Random& random) {
  std::string made(number);
  for (char& digit : made) digit = static_cast<char>('0' + random.below(10));
  if (number.front() != '0' && made.front() == '0') made.front() = static_cast<char>('1' + random.below(9));
  if (made == number) made.back() = static_cast<char>('0' + (made.back() - '0' + 1) % 10);
  return made;
}

}  // namespace

std::optional<Edited> change_facts(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const uint64_t wanted = edit.strength.of(text.size());
  std::vector<Fact> facts = facts_of(text, edit.donors);
  random.shuffle(facts);
  std::stable_partition(facts.begin(), facts.end(), [](const Fact& fact) { return fact.number; });
  Edited made{{}, 0, text.size()};
  std::map<size_t, std::pair<size_t, std::string>> changes;  // by the first unit: their number, and the new words
  for (const Fact& fact : facts) {
    if (made.changed >= wanted) break;
    const std::string words = fact.number ? other_number(text.unit(fact.at.front()), random)
                                          : std::string(edit.donors.unique_word(edit.document, fact.units == 2, random));
    if (words.empty()) continue;
    // A fact is the same wherever the text names it.
    for (const size_t at : fact.at) changes[at] = {fact.units, words};
    made.changed += fact.at.size() * fact.units;
  }
  if (made.changed < wanted) return std::nullopt;
  size_t at = 0;
  for (const auto& [unit, change] : changes) {
    made.text += text.text().substr(at, text[unit].begin - at);
    made.text += change.second;
    at = text[unit + change.first - 1].end;
  }
  made.text += text.text().substr(at);
  return made;
}

std::optional<Edited> quote_passage(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const uint64_t count = edit.strength.of(text.size());
  if (count > text.size()) return std::nullopt;
  // The other text is as long as this one: single sentences of many documents, so that it resembles none of them.
  const size_t half = text.size() / 2 + 1;
  Edited made{{}, count, text.size()};
  const auto append_sentences = [&] {
    for (size_t units = 0; units < half;) {
      const std::string_view sentence = edit.donors.sentence(edit.document, half - units, random);
      units += TextUnits(sentence).size();
      made.text += sentence;
      made.text += text.unspaced() ? "。" : ". ";
    }
  };
  append_sentences();
  const size_t first = random.below(text.size() - count + 1);
  made.text += "“";
  made.text += text.range(first, first + count);
  made.text += text.unspaced() ? "”。" : "”. ";
  append_sentences();
  return made;
}

}  // namespace neardup::generate_detail
