// Texts: an argument that holds texts, as views of their UTF-8, in whichever container the caller has them. text_of(): one text.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/owned.h"

namespace neardup::python {

/// The longest text that the library takes, in bytes of UTF-8.
inline constexpr uint64_t kMaxTextBytes = uint64_t{256} << 20;

/// The UTF-8 of a str. Lone surrogates become U+FFFD, as in JSON; then the bytes are in `repaired`. Otherwise they belong to `text`, which
/// must live as long as the view. Throws TypeError that names `what` unless it is a str, and UsageError for one above kMaxTextBytes.
std::string_view text_of(nanobind::handle text, std::deque<std::string>& repaired, const std::string& what);

/// A column of text with the Arrow C interface is read in place; of any other iterable, the strs. Holds what it views: the caller may
/// change a list meanwhile. Created and destroyed with the lock of the interpreter; operator[] may be called from any number of threads
/// without it.
class Texts {
 public:
  /// Throws TypeError that names `argument`, the row and the type for anything but strs, nulls included, and UsageError for texts above
  /// kMaxTextBytes.
  Texts(nanobind::handle container, const std::string& argument);

  [[nodiscard]] size_t size() const noexcept { return views_.size(); }
  [[nodiscard]] std::string_view operator[](size_t row) const noexcept { return views_[row]; }
  [[nodiscard]] uint64_t bytes() const noexcept { return bytes_; }

 private:
  void read_arrow(nanobind::handle container, const std::string& argument);
  void read_items(nanobind::handle container, const std::string& argument);
  void add(std::string_view text, const std::string& argument);

  std::vector<std::string_view> views_;
  uint64_t bytes_ = 0;
  std::vector<Owned<ArrowArray>> arrays_;
  nanobind::object items_;
  std::deque<std::string> repaired_;
};

}  // namespace neardup::python
