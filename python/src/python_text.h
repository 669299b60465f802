// PythonText: a str as UTF-8, and words of it as str again.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace neardup::python {

/// Holds its own copy of the bytes: the one that Python would keep inside the str would double the memory of the caller's texts for as long
/// as these live. A lone surrogate, which UTF-8 cannot have, reads as U+FFFD and is itself again in word(). Use with the lock of the
/// interpreter; view() needs none.
class PythonText {
 public:
  enum class Bytes {
    kRefused,
    kDecoded,  ///< as jieba does: as UTF-8, or else as GBK without what is not GBK
  };
  /// `text` is a str; with Bytes::kDecoded also bytes or a bytearray. Raises TypeError, which calls it `name`, for other objects.
  PythonText(nanobind::handle text, Bytes bytes, std::string_view name);

  [[nodiscard]] std::string_view view() const noexcept { return replaced_.empty() ? original_ : std::string_view(replaced_); }
  /// Whether view() is the text: there are no surrogates.
  [[nodiscard]] bool exact() const noexcept { return replaced_.empty(); }
  /// The str of a part of view(), or of a word elsewhere.
  [[nodiscard]] nanobind::object word(std::string_view part) const;

 private:
  nanobind::object bytes_;
  std::string_view original_;  ///< of bytes_, with surrogates
  std::string replaced_;       ///< empty: there are none
};

}  // namespace neardup::python
