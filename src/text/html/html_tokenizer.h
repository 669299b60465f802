// HtmlTokenizer: lexbor's tokenizer (the HTML Standard, section 13.2.5), reused by a thread for many pages.
//
// Pages are processed in pieces, and the tokenizer's tables of names and attributes are emptied between the pieces: memory is bounded by a
// small multiple of the page, time by its length.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/html/html_text.h"

namespace neardup {

class HtmlTokenizer {
 public:
  HtmlTokenizer();
  ~HtmlTokenizer();
  HtmlTokenizer(const HtmlTokenizer&) = delete;
  HtmlTokenizer& operator=(const HtmlTokenizer&) = delete;

  /// Replaces `out` by the visible text of `page`: valid UTF-8 without U+0000.
  void visible_text(std::string_view page, std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup
