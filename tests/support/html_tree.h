// The slow twin of html_v1: gumbo builds the tree of the page, and the text is read off the tree. Recursive, for pages that are not
// hostile.
//
// Written from docs/cleaning.md; it shares the definition with html_v1 and nothing else: another parser, a tree, a list of parts.
#pragma once

#ifdef NEARDUP_GUMBO

#include <gumbo.h>

#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::testing {

class HtmlTree {
 public:
  static std::string text_of(const std::string& page) {
    GumboOptions options = kGumboDefaultOptions;
    options.max_errors = 0;
    GumboOutput* output = gumbo_parse_with_options(&options, page.data(), page.size());
    HtmlTree tree;
    tree.visit(output->root, false);
    gumbo_destroy_output(&options, output);
    return tree.out_;
  }

 private:
  static const std::set<std::string>& dropped() {
    static const std::set<std::string> names{"script",   "style",  "title", "template", "noscript", "iframe",   "noembed",
                                             "noframes", "object", "audio", "video",    "canvas",   "datalist", "rp"};
    return names;
  }
  static const std::set<std::string>& dropped_in_foreign() {
    static const std::set<std::string> names{"script", "style",  "title",      "desc",          "metadata",
                                             "defs",   "symbol", "annotation", "annotation-xml"};
    return names;
  }
  static const std::set<std::string>& blocks() {
    static const std::set<std::string> names{
        "address",   "article", "aside",   "blockquote", "body",     "caption",    "center", "dd",       "details", "dialog",
        "dir",       "div",     "dl",      "dt",         "fieldset", "figcaption", "figure", "footer",   "form",    "frameset",
        "h1",        "h2",      "h3",      "h4",         "h5",       "h6",         "header", "hgroup",   "hr",      "html",
        "legend",    "li",      "listing", "main",       "menu",     "nav",        "ol",     "optgroup", "option",  "p",
        "plaintext", "pre",     "search",  "section",    "select",   "summary",    "table",  "tbody",    "text",    "textarea",
        "tfoot",     "thead",   "tr",      "ul",         "xmp",      "br"};
    return names;
  }

  static std::string name_of(const GumboElement& element) {
    if (element.tag != GUMBO_TAG_UNKNOWN) return gumbo_normalized_tagname(element.tag);
    GumboStringPiece piece = element.original_tag;
    gumbo_tag_from_original_text(&piece);
    std::string name(piece.data == nullptr ? "" : piece.data, piece.data == nullptr ? 0 : piece.length);
    for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    return name;
  }

  void visit(const GumboNode* node, bool verbatim) {
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE || node->type == GUMBO_NODE_CDATA) {
      put(node->v.text.text, verbatim);
      return;
    }
    if (node->type != GUMBO_NODE_ELEMENT && node->type != GUMBO_NODE_TEMPLATE) return;
    const GumboElement& element = node->v.element;
    const std::string name = name_of(element);
    const bool foreign = element.tag_namespace != GUMBO_NAMESPACE_HTML;
    const bool hidden = gumbo_get_attribute(&element.attributes, "hidden") != nullptr;
    if (hidden) separate(1);
    if ((foreign ? dropped_in_foreign() : dropped()).count(name) > 0) return;
    const int strength = blocks().count(name) > 0 ? 3 : name == "td" || name == "th" ? 2 : hidden ? 1 : 0;
    separate(strength);
    const bool keeps = name == "pre" || name == "listing" || name == "xmp" || name == "plaintext" || name == "textarea";
    for (unsigned i = 0; i < element.children.length; ++i)
      visit(static_cast<const GumboNode*>(element.children.data[i]), verbatim || keeps);
    separate(strength);
  }

  void separate(int strength) { pending_ = std::max(pending_, strength); }
  void put(std::string_view text, bool verbatim) {
    for (const char c : text) {
      const bool blank = (static_cast<unsigned char>(c) <= ' ') || c == 0x7F;
      if (blank && !verbatim) {
        separate(1);
        continue;
      }
      if (pending_ > 0 && !out_.empty() && out_.back() != '\n') out_ += pending_ == 3 ? '\n' : pending_ == 2 ? '\t' : ' ';
      pending_ = 0;
      out_ += blank && c != '\n' && c != '\t' ? ' ' : c;
    }
  }

  std::string out_;
  int pending_ = 0;
};

}  // namespace neardup::testing

#endif
