// Any bytes as a page: valid UTF-8 out, no longer than three times the input, the same from a used scratch; then tags and lines.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "text/clean/cleaner.h"
#include "text/utf8/utf8.h"

using neardup::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto html = neardup::make_cleaner("\"html_v1\"");
  static const auto tags = neardup::make_cleaner("\"tags_v1\"");
  static neardup::Cleaner::Scratch used;
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  std::string first;
  std::string second;
  html->clean(page, first, used);
  require(neardup::is_valid_utf8(first));
  require(first.find('\0') == std::string::npos);
  require(first.size() <= 3 * size);  // a malformed byte becomes three
  neardup::Cleaner::Scratch fresh;
  html->clean(page, second, fresh);
  require(first == second);
  tags->clean(page, first, fresh);
  require(first.size() <= size);
  tags->clean(first, second, fresh);
  require(first == second);
  return 0;
}
