#include "jobs/generate/edit.h"

#include <array>

namespace neardup::generate_detail {

std::span<const EditKind> all_edit_kinds() {
  static constexpr std::array kKinds{
      EditKind{{"insert", true, true, "words of other documents are inserted at random places"}, insert_words},
      EditKind{{"delete", true, true, "words at random places are missing"}, delete_words},
      EditKind{{"replace", true, true, "words at random places are replaced by words of other documents"}, replace_words},
      EditKind{{"reorder", true, true, "sentences with at least so many words stand in other places"}, reorder_sentences},
      EditKind{{"truncate", true, true, "the last words are missing"}, truncate_text},
      EditKind{{"prefix", true, true, "boilerplate of so many words before the text, the same for all documents"}, add_prefix},
      EditKind{{"suffix", true, true, "the same after the text"}, add_suffix},
      EditKind{{"ocr", true, true, "characters are misread as similar ones, or lost"}, misread_characters},
      EditKind{{"punctuation", true, true, "between words, punctuation is missing or a comma is added"}, change_punctuation},
      EditKind{{"width", true, false, "ASCII characters of Chinese text become full-width ones, or the reverse"}, change_width},
      EditKind{{"script", true, false, "simplified Chinese becomes traditional, or the reverse"}, change_script},
      EditKind{{"html", true, false, "the text as a page of HTML"}, wrap_in_html},
      EditKind{{"template", false, true, "the same text with other facts: numbers, and words that only this document has"}, change_facts},
      EditKind{{"quote", false, true, "another text that quotes so many words of this one"}, quote_passage},
  };
  return kKinds;
}

}  // namespace neardup::generate_detail
