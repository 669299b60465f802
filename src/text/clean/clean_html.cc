// html_v1: the visible text of a page. See html_text.h for what becomes of tags, docs/cleaning.md for the whole definition.
//
// Before the tokenizer sees the page: malformed UTF-8 becomes U+FFFD per maximal subpart, U+FEFF at the beginning is dropped, U+0000
// becomes a blank.
#include <algorithm>

#include "neardup/error.h"
#include "text/clean/clean_parts.h"
#include "text/html/html_tokenizer.h"
#include "text/utf8/utf8.h"

namespace neardup {

Cleaner::Scratch::Scratch() = default;
Cleaner::Scratch::~Scratch() = default;
Cleaner::Scratch::Scratch(Scratch&&) noexcept = default;
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the index into an array member, which the compiler names
Cleaner::Scratch& Cleaner::Scratch::operator=(Scratch&&) noexcept = default;

namespace {

std::string_view prepare(std::string_view page, std::string& repaired) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (page.starts_with(kMark)) page.remove_prefix(kMark.size());
  const bool valid = is_valid_utf8(page);
  if (valid && page.find('\0') == std::string_view::npos) return page;
  if (valid) {
    repaired.assign(page);
  } else {
    repair_utf8(page, repaired);
  }
  std::replace(repaired.begin(), repaired.end(), '\0', ' ');
  return repaired;
}

class HtmlCleaner final : public Cleaner {
 public:
  void clean(std::string_view text, std::string& out, Scratch& scratch) const override {
    if (!scratch.html) scratch.html = std::make_unique<HtmlTokenizer>();
    scratch.html->visible_text(prepare(text, scratch.repaired), out);
  }
  [[nodiscard]] std::string describe() const override { return "\"html_v1\""; }
};

}  // namespace

std::unique_ptr<const Cleaner> make_html_cleaner() {
#ifdef NEARDUP_HTML_LEXBOR
  return std::make_unique<HtmlCleaner>();
#else
  throw Error(ErrorCode::kUsage, "html_v1: this program was built without lexbor (NEARDUP_HTML)");
#endif
}

}  // namespace neardup
