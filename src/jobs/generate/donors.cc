#include "jobs/generate/donors.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/hash.h"

namespace neardup::generate_detail {

bool is_pair(const TextUnits& text, size_t i) {
  return i + 1 < text.size() && text[i].single && text[i + 1].single && text[i].end == text[i + 1].begin;
}

Donors::Donors(std::span<const TextUnits> texts) : texts_(texts) {
  std::unordered_set<uint64_t> seen;
  for (size_t document = 0; document < texts.size(); ++document) {
    const TextUnits& text = texts[document];
    (text.unspaced() ? unspaced_ : spaced_).push_back(document);
    seen.clear();
    for (size_t i = 0; i < text.size(); ++i) {
      if (!text[i].single) seen.insert(hash64(text.unit(i)));
      if (is_pair(text, i)) seen.insert(hash64(text.range(i, i + 2)));
    }
    for (const uint64_t word : seen) ++documents_of_[word];
  }
}

const TextUnits& Donors::other(size_t document, Random& random) const {
  const std::vector<size_t>& like = texts_[document].unspaced() ? unspaced_ : spaced_;
  if (like.size() > 1) {
    // Of the others: the last one takes the place of the document itself.
    const size_t chosen = like[random.below(like.size() - 1)];
    return texts_[chosen == document ? like.back() : chosen];
  }
  const size_t chosen = random.below(texts_.size() - 1);
  return texts_[chosen == document ? texts_.size() - 1 : chosen];
}

std::string_view Donors::word(size_t document, Random& random) const {
  const TextUnits& from = other(document, random);
  return from.unit(random.below(from.size()));
}

std::string_view Donors::sentence(size_t document, size_t most, Random& random) const {
  const TextUnits& from = other(document, random);
  const TextUnits::Sentence& sentence = from.sentences()[random.below(from.sentences().size())];
  return from.range(sentence.first, std::min(sentence.last, sentence.first + most));
}

std::string Donors::passages(size_t document, size_t units, Random& random) const {
  constexpr size_t kLongest = 60;  // a passage that a person would quote, not a whole text
  std::string made;
  while (units > 0) {
    const TextUnits& from = other(document, random);
    const size_t length = std::min({units, from.size(), kLongest});
    const size_t first = random.below(from.size() - length + 1);
    if (!made.empty()) made += '\n';
    made += from.range(first, first + length);
    units -= length;
  }
  return made;
}

bool Donors::is_unique(std::string_view words) const {
  const auto found = documents_of_.find(hash64(words));
  return found != documents_of_.end() && found->second == 1;
}

std::string_view Donors::unique_word(size_t document, bool pairs, Random& random) const {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const TextUnits& from = other(document, random);
    const size_t at = random.below(from.size());
    if (pairs ? !is_pair(from, at) : from[at].single) continue;
    const std::string_view words = from.range(at, pairs ? at + 2 : at + 1);
    if (is_unique(words)) return words;
  }
  return {};
}

}  // namespace neardup::generate_detail
