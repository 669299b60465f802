// Edits of words at random places, and of the end of a text.
#include <algorithm>

#include "base/ascii.h"
#include "jobs/generate/edit.h"

namespace neardup::generate_detail {
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

// A word of another document that differs from this one; empty if none was met, as where all texts repeat one word.
std::string_view other_word(const Edit& edit, std::string_view word, Random& random) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const std::string_view found = edit.donors.word(edit.document, random);
    if (!same_word(found, word)) return found;
  }
  return {};
}

}  // namespace

std::optional<Edited> insert_words(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const uint64_t count = edit.strength.of(text.size());
  if (count > text.size()) return std::nullopt;
  Edited made{{}, count, text.size()};
  size_t at = 0;
  for (const size_t after : random.choose(count, text.size())) {
    const std::string_view word = edit.donors.word(edit.document, random);
    made.text += text.text().substr(at, text[after].end - at);
    at = text[after].end;
    if (!text.unspaced()) made.text += ' ';
    made.text += word;
  }
  made.text += text.text().substr(at);
  return made;
}

std::optional<Edited> delete_words(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const uint64_t count = edit.strength.of(text.size());
  if (count >= text.size()) return std::nullopt;
  Edited made{{}, count, text.size()};
  size_t at = 0;
  for (const size_t gone : random.choose(count, text.size())) {
    made.text += text.text().substr(at, text[gone].begin - at);
    at = text[gone].end;
    // Only one of the two blanks around the word remains.
    if (made.text.ends_with(' ') && text.text().substr(at).starts_with(' ')) ++at;
  }
  made.text += text.text().substr(at);
  return made;
}

std::optional<Edited> replace_words(const Edit& edit, Random& random) {
  const TextUnits& text = edit.original();
  const uint64_t count = edit.strength.of(text.size());
  if (count > text.size()) return std::nullopt;
  Edited made{{}, count, text.size()};
  size_t at = 0;
  for (const size_t replaced : random.choose(count, text.size())) {
    const std::string_view word = other_word(edit, text.unit(replaced), random);
    if (word.empty()) return std::nullopt;
    made.text += text.text().substr(at, text[replaced].begin - at);
    made.text += word;
    at = text[replaced].end;
  }
  made.text += text.text().substr(at);
  return made;
}

std::optional<Edited> truncate_text(const Edit& edit, Random&) {
  const TextUnits& text = edit.original();
  const uint64_t count = edit.strength.of(text.size());
  if (count >= text.size()) return std::nullopt;
  return Edited{std::string(text.text().substr(0, text[text.size() - count - 1].end)), count, text.size()};
}

}  // namespace neardup::generate_detail
