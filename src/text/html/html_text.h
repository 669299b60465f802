// HtmlText: the visible text of a page, from its tags and texts in the order of the source.
//
// Builds no tree, but counts open elements: an end tag without an open element of its name has no effect, a dropped element ends at its own
// end tag or that of an enclosing block, and svg and math have their own rules. So time and memory are proportional to the length of the
// page, for any nesting. (A tree costs the square of the nesting: each start tag searches all open elements.) Differences from a tree: text
// in a table but outside its cells is not moved before the table, and an unclosed <pre> continues to the end.
//
// Two pieces of text are separated by the strongest separator between them: a line feed, a tab, a blank, or nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/html/html_tags.h"

namespace neardup {

class HtmlText {
 public:
  /// Begins a page. `out` is cleared, filled by the other calls, and must live until finish().
  void begin(std::string& out);
  /// True if the element is one of HTML, whose content may be raw text; false inside svg and math. `hidden`: it has the attribute of this
  /// name. Scripts show such elements, one of several, so their text is kept, set off by blanks.
  bool start(HtmlTag tag, bool self_closing, bool hidden = false);
  void end(HtmlTag tag);
  /// Text with its references replaced.
  void text(std::string_view piece);
  /// A comment, which is not shown: a line feed after it does not begin an element.
  void comment() noexcept { drop_newline_ = false; }
  void finish();

 private:
  struct Hidden {
    HtmlTag tag;
    uint32_t open_before;  // elements of its name
  };
  enum class Separator : uint8_t { kNone, kBlank, kTab, kLine };

  [[nodiscard]] bool in_foreign() const noexcept { return !islands_.empty() && html_effect(islands_.back()) & kHtmlForeign; }
  bool enter_island(HtmlTag tag, uint16_t effect, bool self_closing);
  void leave_island(HtmlTag tag);
  void pop_island() {
    --islands_of_[islands_.back()];
    islands_.pop_back();
  }
  bool is_dropped_after_start(HtmlTag tag, uint16_t effect, bool closed);
  bool is_dropped_after_end(HtmlTag tag, uint16_t effect);
  void separate(uint16_t effect);
  void separate(Separator separator) { pending_ = std::max(pending_, separator); }
  void put_separator();
  void put_collapsed(std::string_view piece);
  void put_verbatim(std::string_view piece);

  std::string* out_ = nullptr;
  Separator pending_ = Separator::kNone;
  std::array<uint32_t, kMaxHtmlTags> open_{};        // open elements of each name
  uint32_t verbatim_ = 0;                            // open elements that keep white space
  bool drop_newline_ = false;                        // directly after the start tag of such an element
  std::vector<HtmlTag> islands_;                     // svg, math, and the HTML inside of svg
  std::array<uint32_t, kMaxHtmlTags> islands_of_{};  // of each name
  std::vector<Hidden> hidden_;                       // open hidden elements
  HtmlTag dropped_ = 0;                              // the element whose content is dropped
  uint32_t dropped_depth_ = 0;                       // of elements of its name
  uint32_t dropped_blocks_ = 0;                      // open blocks inside of it
};

}  // namespace neardup
