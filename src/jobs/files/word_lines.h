// Words of a document as output lines: JSON for programs, plain lines for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "neardup/source.h"

namespace neardup {

struct FoundWord {
  std::string_view text;
  std::string_view tag{};  ///< part of speech
  uint32_t begin = 0;      ///< bytes of the text that was cut
  uint32_t end = 0;
};

/// Appends {"id":ID,"FIELD":[
void begin_word_line(const Record& record, std::string_view field, std::string& out);

/// Appends ,"offsets":[[BEGIN,END],...], in code points of `text`, which must be well-formed.
void append_word_offsets(std::span<const FoundWord> words, std::string_view text, std::string& out);

/// Appends a line of words, with `tags` as WORD/TAG. Words that are nothing but white space are left out.
void append_plain_words(std::span<const FoundWord> words, std::string_view separator, bool tags, std::string& out);

/// Calls visit(line) for the lines of a text, at least once. A line feed ends a line; what follows the last one is a line unless it is
/// empty.
template <typename Visit>
void visit_text_lines(std::string_view text, Visit visit) {
  do {
    const size_t end = text.find('\n');
    visit(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  } while (!text.empty());
}

}  // namespace neardup
