#include "server/http/head_scanner.h"

namespace neardup::server {

HeadScanner::State HeadScanner::scan(std::string_view bytes) noexcept {
  while (at_ < bytes.size()) {
    const auto c = static_cast<unsigned char>(bytes[at_]);
    const bool after_return = at_ > line_ && bytes[at_ - 1] == '\r';
    if (c == '\n') {
      if (!after_return) return State::kBareLineEnd;
      ++at_;
      if (at_ - line_ == 2) {
        if (line_ != 0) return State::kWhole;
        begin_ = at_;
      }
      line_ = at_;
      continue;
    }
    if (after_return) return State::kBareLineEnd;
    if (at_ == line_ && at_ != begin_ && (c == ' ' || c == '\t')) return State::kFolded;
    if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7f) return State::kControl;
    ++at_;
  }
  return State::kMore;
}

}  // namespace neardup::server
