#include "text/normalize/unicode_version.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>

namespace neardup {

std::string unicode_version() {
  UVersionInfo unicode{};
  u_getUnicodeVersion(unicode);
  return fmt::format("{}.{}", unicode[0], unicode[1]);
}

}  // namespace neardup
