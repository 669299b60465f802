// The effect of elements on html_v1, by name, in lower case. Other names are inline and have no effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup {

/// Bits of a tag's effect.
enum HtmlEffect : uint16_t {
  kHtmlBlock = 1,          ///< begins and ends a line
  kHtmlBreak = 2,          ///< ends a line; has no content
  kHtmlCell = 4,           ///< is set off by a tab
  kHtmlVerbatim = 8,       ///< keeps its white space
  kHtmlDropped = 16,       ///< its content is not shown
  kHtmlForeignOnly = 32,   ///< kHtmlDropped holds inside of svg and math only
  kHtmlBarrier = 64,       ///< a dropped element that no end tag but its own ends
  kHtmlVoid = 128,         ///< has no content and no end tag
  kHtmlForeign = 256,      ///< svg, math: inside, elements have other rules
  kHtmlIntegration = 512,  ///< inside svg: HTML again
  kHtmlBreakout = 1024,    ///< a start tag that ends svg and math
};

/// An index into the table; 0 is every other name.
using HtmlTag = uint8_t;
inline constexpr size_t kMaxHtmlTags = 160;

HtmlTag html_tag(std::string_view name) noexcept;
uint16_t html_effect(HtmlTag tag) noexcept;
/// How many there are, and their names, for tests.
size_t html_tag_count() noexcept;
std::string_view html_tag_name(HtmlTag tag) noexcept;

}  // namespace neardup
