#include "text/html/html_tags.h"

#include <algorithm>
#include <array>

namespace neardup {
namespace {

struct Row {
  std::string_view name;
  int effect;
};

// In order of the names. Dropped elements: those that the HTML Standard does not render (section 15.3.1), and fallbacks, which a browser
// that runs scripts and plays media does not show.
constexpr auto kRows = std::to_array<Row>({
    {"", 0},
    {"a", 0},
    {"abbr", 0},
    {"address", kHtmlBlock},
    {"annotation", kHtmlDropped | kHtmlForeignOnly},
    {"annotation-xml", kHtmlDropped | kHtmlForeignOnly},
    {"area", kHtmlVoid},
    {"article", kHtmlBlock},
    {"aside", kHtmlBlock},
    {"audio", kHtmlDropped},
    {"b", kHtmlBreakout},
    {"base", kHtmlVoid},
    {"basefont", kHtmlVoid},
    {"bgsound", kHtmlVoid},
    {"big", kHtmlBreakout},
    {"blockquote", kHtmlBlock | kHtmlBreakout},
    {"body", kHtmlBlock | kHtmlBreakout},
    {"br", kHtmlBreak | kHtmlVoid | kHtmlBreakout},
    {"canvas", kHtmlDropped},
    {"caption", kHtmlBlock},
    {"center", kHtmlBlock | kHtmlBreakout},
    {"cite", 0},
    {"code", kHtmlBreakout},
    {"col", kHtmlVoid},
    {"datalist", kHtmlDropped},
    {"dd", kHtmlBlock | kHtmlBreakout},
    {"defs", kHtmlDropped | kHtmlForeignOnly},
    {"desc", kHtmlDropped | kHtmlForeignOnly},
    {"details", kHtmlBlock},
    {"dfn", 0},
    {"dialog", kHtmlBlock},
    {"dir", kHtmlBlock},
    {"div", kHtmlBlock | kHtmlBreakout},
    {"dl", kHtmlBlock | kHtmlBreakout},
    {"dt", kHtmlBlock | kHtmlBreakout},
    {"em", kHtmlBreakout},
    {"embed", kHtmlVoid | kHtmlBreakout},
    {"fieldset", kHtmlBlock},
    {"figcaption", kHtmlBlock},
    {"figure", kHtmlBlock},
    {"font", 0},
    {"footer", kHtmlBlock},
    {"foreignobject", kHtmlIntegration},
    {"form", kHtmlBlock},
    {"frame", kHtmlVoid},
    {"frameset", kHtmlBlock},
    {"h1", kHtmlBlock | kHtmlBreakout},
    {"h2", kHtmlBlock | kHtmlBreakout},
    {"h3", kHtmlBlock | kHtmlBreakout},
    {"h4", kHtmlBlock | kHtmlBreakout},
    {"h5", kHtmlBlock | kHtmlBreakout},
    {"h6", kHtmlBlock | kHtmlBreakout},
    {"head", kHtmlBreakout},
    {"header", kHtmlBlock},
    {"hgroup", kHtmlBlock},
    {"hr", kHtmlBreak | kHtmlVoid | kHtmlBreakout},
    {"html", kHtmlBlock},
    {"i", kHtmlBreakout},
    {"iframe", kHtmlDropped},
    {"img", kHtmlVoid | kHtmlBreakout},
    {"input", kHtmlVoid},
    {"kbd", 0},
    {"keygen", kHtmlVoid},
    {"label", 0},
    {"legend", kHtmlBlock},
    {"li", kHtmlBlock | kHtmlBreakout},
    {"link", kHtmlVoid},
    {"listing", kHtmlBlock | kHtmlVerbatim | kHtmlBreakout},
    {"main", kHtmlBlock},
    {"mark", 0},
    {"math", kHtmlForeign},
    {"menu", kHtmlBlock | kHtmlBreakout},
    {"meta", kHtmlVoid | kHtmlBreakout},
    {"metadata", kHtmlDropped | kHtmlForeignOnly},
    {"nav", kHtmlBlock},
    {"nobr", kHtmlBreakout},
    {"noembed", kHtmlDropped},
    {"noframes", kHtmlDropped},
    {"noscript", kHtmlDropped},
    {"object", kHtmlDropped | kHtmlBarrier},
    {"ol", kHtmlBlock | kHtmlBreakout},
    {"optgroup", kHtmlBlock},
    {"option", kHtmlBlock},
    {"p", kHtmlBlock | kHtmlBreakout},
    {"param", kHtmlVoid},
    {"plaintext", kHtmlBlock | kHtmlVerbatim},
    {"pre", kHtmlBlock | kHtmlVerbatim | kHtmlBreakout},
    {"q", 0},
    {"rp", kHtmlDropped},
    {"ruby", kHtmlBreakout},
    {"s", kHtmlBreakout},
    {"samp", 0},
    {"script", kHtmlDropped},
    {"search", kHtmlBlock},
    {"section", kHtmlBlock},
    {"select", kHtmlBlock},
    {"small", kHtmlBreakout},
    {"source", kHtmlVoid},
    {"span", kHtmlBreakout},
    {"strike", kHtmlBreakout},
    {"strong", kHtmlBreakout},
    {"style", kHtmlDropped},
    {"sub", kHtmlBreakout},
    {"summary", kHtmlBlock},
    {"sup", kHtmlBreakout},
    {"svg", kHtmlForeign},
    {"symbol", kHtmlDropped | kHtmlForeignOnly},
    {"table", kHtmlBlock | kHtmlBreakout},
    {"tbody", kHtmlBlock},
    {"td", kHtmlCell},
    {"template", kHtmlDropped | kHtmlBarrier},
    {"text", kHtmlBlock},
    {"textarea", kHtmlBlock | kHtmlVerbatim},
    {"tfoot", kHtmlBlock},
    {"th", kHtmlCell},
    {"thead", kHtmlBlock},
    {"time", 0},
    {"title", kHtmlDropped},
    {"tr", kHtmlBlock},
    {"track", kHtmlVoid},
    {"tt", kHtmlBreakout},
    {"u", kHtmlBreakout},
    {"ul", kHtmlBlock | kHtmlBreakout},
    {"var", kHtmlBreakout},
    {"video", kHtmlDropped},
    {"wbr", kHtmlVoid},
    {"xmp", kHtmlBlock | kHtmlVerbatim},
});
static_assert(kRows.size() <= kMaxHtmlTags && kRows.size() <= 256);
static_assert(std::is_sorted(kRows.begin(), kRows.end(), [](const Row& a, const Row& b) { return a.name < b.name; }));

}  // namespace

HtmlTag html_tag(std::string_view name) noexcept {
  const auto* const found =
      std::lower_bound(kRows.begin(), kRows.end(), name, [](const Row& row, std::string_view n) { return row.name < n; });
  return found != kRows.end() && found->name == name ? static_cast<HtmlTag>(found - kRows.begin()) : HtmlTag{0};
}

uint16_t html_effect(HtmlTag tag) noexcept {
  return static_cast<uint16_t>(kRows[tag].effect);
}

size_t html_tag_count() noexcept {
  return kRows.size();
}

std::string_view html_tag_name(HtmlTag tag) noexcept {
  return kRows[tag].name;
}

}  // namespace neardup
