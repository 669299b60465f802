#include "text/tokens/stemmer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <libstemmer.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/utf8/utf8.h"

namespace neardup {

Stemmer::Stemmer(std::string_view language) : language_(language) {
  // libstemmer knows other names for most languages ("en", "eng"); one spelling is enough for a recipe.
  const std::vector<std::string> known = languages();
  if (!std::binary_search(known.begin(), known.end(), language_)) {
    throw Error(ErrorCode::kUsage, fmt::format("stemmer: expected one of {}, not '{}'", fmt::join(known, ", "), language));
  }
}

std::vector<std::string> Stemmer::languages() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) names.emplace_back(*name);
  std::sort(names.begin(), names.end());
  return names;
}

void Stemmer::Scratch::Delete::operator()(sb_stemmer* stemmer) const noexcept {
  sb_stemmer_delete(stemmer);
}

Stemmer::Scratch::Scratch(const Stemmer& stemmer) : stemmer_(sb_stemmer_new(stemmer.language().c_str(), "UTF_8")), slots_(kSlots) {
  if (!stemmer_) throw std::bad_alloc();  // the name is known
}

std::string_view Stemmer::stem_uncached(std::string_view word, Scratch& scratch) const {
  if (word.size() > kMaxWordBytes || !is_valid_utf8(word)) return word;
  const auto* bytes = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* stem = sb_stemmer_stem(scratch.stemmer_.get(), bytes, static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  const auto length = static_cast<size_t>(sb_stemmer_length(scratch.stemmer_.get()));
  return length == 0 ? word : std::string_view(reinterpret_cast<const char*>(stem), length);
}

std::string_view Stemmer::stem(std::string_view word, Scratch& scratch) const {
  if (word.empty() || word.size() > Scratch::kBytes) return stem_uncached(word, scratch);
  Scratch::Slot& slot = scratch.slots_[hash64(word) % Scratch::kSlots];
  if (slot.word_length != word.size() || std::memcmp(slot.word, word.data(), word.size()) != 0) {
    const std::string_view stem = stem_uncached(word, scratch);
    if (stem.size() > Scratch::kBytes) return stem;
    slot.word_length = static_cast<uint8_t>(word.size());
    slot.stem_length = static_cast<uint8_t>(stem.size());
    std::memcpy(slot.word, word.data(), word.size());
    std::memcpy(slot.stem, stem.data(), stem.size());
  }
  return {slot.stem, slot.stem_length};
}

}  // namespace neardup
