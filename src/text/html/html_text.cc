#include "text/html/html_text.h"

#include <algorithm>
#include <cstring>

namespace neardup {
namespace {

// White space of HTML, and control characters, which show nothing.
constexpr auto kBlank = [] {
  std::array<bool, 256> blank{};
  for (size_t byte = 0; byte <= ' '; ++byte) blank[byte] = true;
  blank[0x7F] = true;
  return blank;
}();

const HtmlTag kParagraph = html_tag("p");
const HtmlTag kLineBreak = html_tag("br");
const HtmlTag kParenthesis = html_tag("rp");  // its end tag may be left out: any tag ends it

bool is_line_control(char byte) noexcept {
  return byte == '\n' || byte == '\t';
}

bool is_blank(char byte) noexcept {
  return kBlank[static_cast<uint8_t>(byte)];
}

}  // namespace

void HtmlText::begin(std::string& out) {
  out.clear();
  out_ = &out;
  pending_ = Separator::kNone;
  open_.fill(0);
  verbatim_ = 0;
  drop_newline_ = false;
  islands_.clear();
  islands_of_.fill(0);
  hidden_.clear();
  dropped_ = 0;
}

bool HtmlText::start(HtmlTag tag, bool self_closing, bool hidden) {
  drop_newline_ = false;
  if (dropped_ == kParenthesis) dropped_ = 0;
  if (hidden && dropped_ == 0) separate(Separator::kBlank);
  if (tag == 0) return !in_foreign();
  const uint16_t effect = html_effect(tag);
  const bool html = enter_island(tag, effect, self_closing);
  const bool closed = (effect & kHtmlVoid) != 0 || (!html && self_closing);
  if (dropped_ != 0 && is_dropped_after_start(tag, effect, closed)) return html;
  if ((effect & kHtmlDropped) != 0 && (!html || (effect & kHtmlForeignOnly) == 0)) {
    if (closed) return html;
    dropped_ = tag;
    dropped_depth_ = 1;
    dropped_blocks_ = 0;
    return html;
  }
  separate(effect);
  if (closed) return html;
  if (hidden) hidden_.push_back({tag, open_[tag]});
  ++open_[tag];
  if ((effect & kHtmlVerbatim) != 0) {
    ++verbatim_;
    drop_newline_ = true;
  }
  return html;
}

void HtmlText::end(HtmlTag tag) {
  drop_newline_ = false;
  if (dropped_ == kParenthesis) dropped_ = 0;
  if (tag == 0) return;
  const uint16_t effect = html_effect(tag);
  if ((effect & (kHtmlForeign | kHtmlIntegration)) != 0) leave_island(tag);
  if (dropped_ != 0 && is_dropped_after_end(tag, effect)) return;
  if (open_[tag] > 0) {
    --open_[tag];
    if ((effect & kHtmlVerbatim) != 0) --verbatim_;
    if (!hidden_.empty() && hidden_.back().tag == tag && hidden_.back().open_before == open_[tag]) {
      separate(Separator::kBlank);
      hidden_.pop_back();
    }
  } else if (tag != kParagraph && tag != kLineBreak) {  // the standard makes elements of these two
    return;
  }
  separate(effect);
}

// Returns whether the element that starts is one of HTML.
bool HtmlText::enter_island(HtmlTag tag, uint16_t effect, bool self_closing) {
  if (in_foreign() && (effect & kHtmlBreakout) != 0) {
    while (in_foreign()) pop_island();
  }
  const bool foreign = in_foreign();
  if (((effect & kHtmlForeign) != 0 || (foreign && (effect & kHtmlIntegration) != 0)) && !self_closing) {
    islands_.push_back(tag);
    ++islands_of_[tag];
  }
  return !foreign && (effect & kHtmlForeign) == 0;
}

void HtmlText::leave_island(HtmlTag tag) {
  // At most as many steps as islands remain: end tags without an open element cost nothing, however many islands there are.
  for (uint32_t open = islands_of_[tag]; open > 0 && islands_of_[tag] == open;) pop_island();
}

bool HtmlText::is_dropped_after_start(HtmlTag tag, uint16_t effect, bool closed) {
  if (closed) return true;
  if (tag == dropped_) ++dropped_depth_;
  if ((effect & kHtmlBlock) != 0) ++dropped_blocks_;
  return true;
}

bool HtmlText::is_dropped_after_end(HtmlTag tag, uint16_t effect) {
  if (tag == dropped_) {
    if (--dropped_depth_ == 0) dropped_ = 0;
    return true;
  }
  if ((effect & kHtmlBlock) == 0) return true;
  if (dropped_blocks_ > 0) {
    --dropped_blocks_;
    return true;
  }
  if (open_[tag] == 0 || (html_effect(dropped_) & kHtmlBarrier) != 0) return true;
  dropped_ = 0;  // the end of a block around it
  return false;
}

void HtmlText::separate(uint16_t effect) {
  if ((effect & (kHtmlBlock | kHtmlBreak)) != 0) {
    separate(Separator::kLine);
  } else if ((effect & kHtmlCell) != 0) {
    separate(Separator::kTab);
  }
}

void HtmlText::text(std::string_view piece) {
  if (dropped_ != 0 || piece.empty()) return;
  if (verbatim_ == 0) return put_collapsed(piece);
  if (drop_newline_ && piece.front() == '\n') piece.remove_prefix(1);
  drop_newline_ = false;
  if (!piece.empty()) put_verbatim(piece);
}

void HtmlText::put_separator() {
  const Separator separator = pending_;
  pending_ = Separator::kNone;
  if (separator == Separator::kNone || out_->empty() || out_->back() == '\n') return;
  out_->push_back(separator == Separator::kLine ? '\n' : separator == Separator::kTab ? '\t' : ' ');
}

void HtmlText::put_collapsed(std::string_view piece) {
  const char* at = piece.data();
  const char* const end = at + piece.size();
  while (at != end) {
    if (is_blank(*at)) {
      separate(Separator::kBlank);
      do ++at;
      while (at != end && is_blank(*at));
      continue;
    }
    const char* const begin = at;
    // A single blank between two words is kept, so that most text is copied in long pieces.
    do ++at;
    while (at != end && (!is_blank(*at) || (*at == ' ' && at + 1 != end && !is_blank(at[1]))));
    put_separator();
    out_->append(begin, at);
  }
}

void HtmlText::put_verbatim(std::string_view piece) {
  put_separator();
  const size_t begin = out_->size();
  out_->append(piece);
  std::replace_if(
      out_->begin() + static_cast<std::ptrdiff_t>(begin), out_->end(), [](char byte) { return is_blank(byte) && !is_line_control(byte); },
      ' ');
}

void HtmlText::finish() {
  out_ = nullptr;
}

}  // namespace neardup
