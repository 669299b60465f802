// EditKind: one kind of edit as data: name, label, and the function that makes a copy of a text. all_edit_kinds(): the list of them.
//
// A kind is in the file of its family (word_edits.cc, sentence_edits.cc, ...) and has one line in edit.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "jobs/generate/donors.h"
#include "jobs/generate/random.h"
#include "jobs/generate/text_units.h"
#include "neardup/tools/generate.h"

namespace neardup::generate_detail {

struct Edit {
  size_t document;  ///< its number in `donors`
  const Donors& donors;
  const EditStrength& strength;  ///< unless the kind has none

  [[nodiscard]] const TextUnits& original() const { return donors.text(document); }
};

/// A copy, and how many units of the original differ in it, of how many.
struct Edited {
  std::string text;
  uint64_t changed = 0;
  uint64_t units = 0;
};

/// Nothing if the kind does not apply to this text with this strength. Total and deterministic.
using MakeEdit = std::optional<Edited> (*)(const Edit& edit, Random& random);

struct EditKind {
  EditKindInfo info;
  MakeEdit make;
};

std::span<const EditKind> all_edit_kinds();

// Word edits: units are words.
std::optional<Edited> insert_words(const Edit& edit, Random& random);
std::optional<Edited> delete_words(const Edit& edit, Random& random);
std::optional<Edited> replace_words(const Edit& edit, Random& random);
std::optional<Edited> truncate_text(const Edit& edit, Random& random);
// Sentence edits: units are words in moved sentences.
std::optional<Edited> reorder_sentences(const Edit& edit, Random& random);
// Boilerplate: units are words that are added.
std::optional<Edited> add_prefix(const Edit& edit, Random& random);
std::optional<Edited> add_suffix(const Edit& edit, Random& random);
// Character edits: units are letters, digits and ideographs; gaps between words; all characters.
std::optional<Edited> misread_characters(const Edit& edit, Random& random);
std::optional<Edited> change_punctuation(const Edit& edit, Random& random);
std::optional<Edited> change_width(const Edit& edit, Random& random);
std::optional<Edited> change_script(const Edit& edit, Random& random);
// Markup.
std::optional<Edited> wrap_in_html(const Edit& edit, Random& random);
// Negatives: units are words.
std::optional<Edited> change_facts(const Edit& edit, Random& random);
std::optional<Edited> quote_passage(const Edit& edit, Random& random);

}  // namespace neardup::generate_detail
