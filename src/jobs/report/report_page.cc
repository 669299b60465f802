#include "jobs/report/page_template.h"
#include "neardup/tools/run_report.h"

namespace neardup {
namespace {

size_t bytes_of(std::span<const std::string_view> pieces) {
  size_t bytes = 0;
  for (const std::string_view piece : pieces) bytes += piece.size();
  return bytes;
}

void append(std::string& page, std::span<const std::string_view> pieces) {
  for (const std::string_view piece : pieces) page += piece;
}

}  // namespace

std::string report_page(std::string_view json) {
  const PageTemplate parts = page_template();
  std::string page;
  page.reserve(bytes_of(parts.before_data) + json.size() + json.size() / 16 + bytes_of(parts.after_data));
  append(page, parts.before_data);
  // JSON has '<' only inside strings, where the escape means the same. Without it no text can form "</script>" or "<!--".
  for (size_t from = 0; from < json.size();) {
    const size_t bracket = json.find('<', from);
    page += json.substr(from, bracket - from);
    if (bracket == std::string_view::npos) break;
    page += "\\u003c";
    from = bracket + 1;
  }
  append(page, parts.after_data);
  return page;
}

}  // namespace neardup
