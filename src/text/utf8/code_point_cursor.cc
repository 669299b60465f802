#include "text/utf8/code_point_cursor.h"

namespace neardup {
namespace {

bool begins_code_point(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

}  // namespace

size_t CodePointCursor::count_before(size_t byte) noexcept {
  for (; at_ < byte; ++at_) count_ += begins_code_point(text_[at_]) ? 1 : 0;
  for (; at_ > byte; --at_) count_ -= begins_code_point(text_[at_ - 1]) ? 1 : 0;
  return count_;
}

}  // namespace neardup
