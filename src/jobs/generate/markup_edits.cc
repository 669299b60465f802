// The text as a page, as crawls have it.
#include "jobs/generate/edit.h"

namespace neardup::generate_detail {
namespace {

void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
}

}  // namespace

std::optional<Edited> wrap_in_html(const Edit& edit, Random&) {
  const TextUnits& text = edit.original();
  Edited made{
      "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><style>p { margin: 1em }</style></head>\n<body>\n<div class=\"text\">\n",
      text.size(), text.size()};
  const std::string_view all = text.text();
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size());
    made.text += "<p>";
    append_escaped(all.substr(at, end - at), made.text);
    made.text += "</p>\n";
    at = end + 1;
  }
  made.text += "</div>\n</body>\n</html>\n";
  return made;
}

}  // namespace neardup::generate_detail
