// ClueMarks: counters by number, all zero for each new text without being cleared.
#pragma once

#include <cstdint>
#include <vector>

namespace neardup {

class ClueMarks {
 public:
  explicit ClueMarks(size_t size) : marks_(size) {}

  /// All counters are zero from now on.
  void next_text() {
    if (++text_ == 0) {  // the number of a text has come round
      marks_.assign(marks_.size(), {});
      text_ = 1;
    }
  }
  [[nodiscard]] uint32_t& operator[](size_t number) noexcept {
    Mark& mark = marks_[number];
    if (mark.text != text_) mark = {text_, 0};
    return mark.count;
  }

 private:
  struct Mark {
    uint32_t text = 0;
    uint32_t count = 0;
  };
  uint32_t text_ = 0;
  std::vector<Mark> marks_;
};

}  // namespace neardup
