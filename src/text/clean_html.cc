// html_v1: the visible text of a page. See html_text.h for what becomes of tags, docs/cleaning.md for the whole definition.
//
// Before the tokenizer sees the page: malformed UTF-8 becomes U+FFFD per maximal subpart, U+FEFF at the begin is dropped, and every control
// character (U+0000-0008, 000B, 000E-001F, 007F) becomes a blank.
#include <algorithm>

#include "neardup/error.h"
#include "text/clean_parts.h"
#include "text/html_tokenizer.h"
#include "text/utf8.h"

namespace neardup {

Cleaner::Scratch::Scratch() = default;
Cleaner::Scratch::~Scratch() = default;
Cleaner::Scratch::Scratch(Scratch&&) noexcept = default;
Cleaner::Scratch& Cleaner::Scratch::operator=(Scratch&&) noexcept = default;

namespace {

bool is_control(char byte) noexcept {
  const auto code = static_cast<uint8_t>(byte);
  return (code < 0x20 && (code < 0x09 || code == 0x0B || code > 0x0D)) || code == 0x7F;
}

bool has_controls(std::string_view text) noexcept {
  constexpr size_t kBlock = 4096;
  for (size_t at = 0; at < text.size(); at += kBlock) {
    uint8_t found = 0;
    for (const char byte : text.substr(at, kBlock)) found |= static_cast<uint8_t>(is_control(byte));  // no branch: a loop over vectors
    if (found != 0) return true;
  }
  return false;
}

std::string_view prepare(std::string_view page, std::string& repaired) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (page.starts_with(kMark)) page.remove_prefix(kMark.size());
  const bool valid = is_valid_utf8(page);
  if (valid && !has_controls(page)) return page;
  if (valid) {
    repaired.assign(page);
  } else {
    repair_utf8(page, repaired);
  }
  std::replace_if(repaired.begin(), repaired.end(), is_control, ' ');
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
