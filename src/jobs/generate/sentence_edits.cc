// Edits that move whole sentences.
#include <numeric>
#include <vector>

#include "jobs/generate/edit.h"

namespace neardup::generate_detail {
namespace {

// The places of sentences in random order until these have at least `units` units.
std::vector<size_t> some_sentences(const std::vector<TextUnits::Sentence>& sentences, uint64_t units, Random& random) {
  std::vector<size_t> places(sentences.size());
  std::iota(places.begin(), places.end(), size_t{0});
  random.shuffle(places);
  uint64_t chosen = 0;
  size_t count = 0;
  while (count < places.size() && chosen < units) {
    chosen += sentences[places[count]].last - sentences[places[count]].first;
    ++count;
  }
  places.resize(count);
  return places;
}

// A sentence with the punctuation and white space after it.
std::string_view whole_sentence(const TextUnits& text, const TextUnits::Sentence& sentence) {
  const size_t begin = text[sentence.first].begin;
  const size_t end = sentence.last == text.size() ? text.text().size() : text[sentence.last].begin;
  return text.text().substr(begin, end - begin);
}

}  // namespace

std::optional<Edited> reorder_sentences(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const std::vector<TextUnits::Sentence>& sentences = text.sentences();
  const uint64_t wanted = edit.strength.of(text.size());
  if (sentences.size() < 2 || wanted > text.size()) return std::nullopt;
  std::vector<size_t> moved = some_sentences(sentences, wanted, random);
  std::vector<size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Edited made{{}, 0, text.size()};
  for (const size_t place : moved) made.changed += sentences[place].last - sentences[place].first;
  if (moved.size() == 1) {
    // It goes to any place but its own.
    const size_t sentence = moved.front();
    order.erase(order.begin() + static_cast<ptrdiff_t>(sentence));
    const size_t to = random.below(order.size());
    order.insert(order.begin() + static_cast<ptrdiff_t>(to < sentence ? to : to + 1), sentence);
  } else {
    const std::vector<size_t> places = moved;
    random.rotate(moved);
    for (size_t i = 0; i < places.size(); ++i) order[places[i]] = moved[i];
  }
  made.text += text.gap(0);
  for (const size_t sentence : order) {
    // The last sentence of a text often ends without white space.
    if (!made.text.empty() && !text.unspaced() && made.text.back() != ' ' && made.text.back() != '\n') made.text += ' ';
    made.text += whole_sentence(text, sentences[sentence]);
  }
  return made;
}

}  // namespace neardup::generate_detail
