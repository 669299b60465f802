// Conversion between simplified and traditional Chinese, by ICU's transliterators.
#include <unicode/translit.h>
#include <unicode/unistr.h>

#include <memory>
#include <new>

#include "jobs/generate/edit.h"
#include "neardup/error.h"

namespace neardup::generate_detail {
namespace {

std::unique_ptr<const icu::Transliterator> make_transliterator(const char* name) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<const icu::Transliterator> made(icu::Transliterator::createInstance(name, UTRANS_FORWARD, status));
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status) || !made)
    throw Error(ErrorCode::kResource, std::string("ICU has no transliterator ") + name + ": its data are incomplete");
  return made;
}

struct Converted {
  icu::UnicodeString text;
  uint64_t changed = 0;  // characters
};

// ICU's transliterators of rules may be used by several threads.
Converted convert(const icu::Transliterator& transliterator, const icu::UnicodeString& text) {
  Converted made{text, 0};
  transliterator.transliterate(made.text);
  if (made.text.isBogus()) throw std::bad_alloc();
  const int32_t common = std::min(text.length(), made.text.length());
  for (int32_t i = 0; i < common; ++i) made.changed += text[i] != made.text[i];
  return made;
}

}  // namespace

std::optional<Edited> change_script(const Edit& edit, Random&) {
  if (!edit.original().unspaced()) return std::nullopt;  // one Chinese name in an English text does not make it Chinese
  static const std::unique_ptr<const icu::Transliterator> to_traditional = make_transliterator("Simplified-Traditional");
  static const std::unique_ptr<const icu::Transliterator> to_simplified = make_transliterator("Traditional-Simplified");
  const std::string_view bytes = edit.original().text();
  const auto text = icu::UnicodeString::fromUTF8(icu::StringPiece(bytes.data(), static_cast<int32_t>(bytes.size())));
  const Converted traditional = convert(*to_traditional, text);
  const Converted simplified = convert(*to_simplified, text);
  // The script of the text is the one that fewer characters leave.
  const Converted& other = traditional.changed >= simplified.changed ? traditional : simplified;
  if (other.changed == 0) return std::nullopt;
  Edited made{{}, other.changed, static_cast<uint64_t>(text.countChar32())};
  other.text.toUTF8String(made.text);
  return made;
}

}  // namespace neardup::generate_detail
