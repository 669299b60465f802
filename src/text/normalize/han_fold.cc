#include "text/normalize/han_fold.h"

#include <unicode/translit.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using Images = std::map<char32_t, char32_t>;

Images images_of_transliterator() {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::Transliterator> transliterator(
      icu::Transliterator::createInstance("Traditional-Simplified", UTRANS_FORWARD, status));
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status) || !transliterator)
    throw Error(ErrorCode::kResource, "ICU has no transliterator Traditional-Simplified: its data are incomplete");
  Images images;
  icu::UnicodeSet sources;
  transliterator->getSourceSet(sources);
  if (sources.isBogus()) throw std::bad_alloc();
  for (int32_t i = 0; i < sources.size(); ++i) {
    const UChar32 c = sources.charAt(i);
    icu::UnicodeString text(c);
    transliterator->transliterate(text);
    if (text.isBogus()) throw std::bad_alloc();
    if (text.countChar32() == 1 && text.char32At(0) != c) images[static_cast<char32_t>(c)] = static_cast<char32_t>(text.char32At(0));
  }
  return images;
}

// The end of the images of c: a code point that is its own image, or the smallest one of a cycle.
char32_t end_of(const Images& images, char32_t c) {
  std::vector<char32_t> way{c};
  for (;;) {
    const auto next = images.find(way.back());
    if (next == images.end()) return way.back();
    const auto circle = std::find(way.begin(), way.end(), next->second);
    if (circle != way.end()) return *std::min_element(circle, way.end());
    way.push_back(next->second);
  }
}

}  // namespace

const HanFold& HanFold::traditional_to_simplified() {
  static const HanFold fold(images_of_transliterator());
  return fold;
}

HanFold::HanFold(const std::map<char32_t, char32_t>& images) : plane_(0x10000 - kFirst) {
  for (char32_t c = kFirst; c < 0x10000; ++c) plane_[c - kFirst] = static_cast<char16_t>(c);
  for (const auto& [c, first] : images) {
    const char32_t image = end_of(images, c);
    if (image == c || c < kFirst || c >= kEnd) continue;
    ++size_;
    if (c < 0x10000 && image < 0x10000 && image >= kFirst) {
      plane_[c - kFirst] = static_cast<char16_t>(image);
    } else {
      if (c < 0x10000) plane_[c - kFirst] = 0;
      others_.emplace_back(c, image);
    }
  }
}

char32_t HanFold::fold(char32_t c) const noexcept {
  if (c < kFirst || c >= kEnd) return c;
  if (c < 0x10000 && plane_[c - kFirst] != 0) return plane_[c - kFirst];
  const auto found = std::lower_bound(others_.begin(), others_.end(), std::pair<char32_t, char32_t>(c, 0));
  return found != others_.end() && found->first == c ? found->second : c;
}

void HanFold::fold(std::string_view text, std::string& out) const {
  out.assign(text);
  // Nearly every image is as long as its code point and overwrites it. From the first other one on, the rest is appended.
  for (size_t at = 0; at < text.size();) {
    if (static_cast<uint8_t>(text[at]) < 0x80) {
      at += starts_long_ascii(text, at) ? 16 : 1;
      continue;
    }
    const Decoded next = decode_quickly(text, at);
    const char32_t image = next.valid ? fold(next.code_point) : next.code_point;
    if (next.valid && image != next.code_point) {
      if (next.length == 3 && image >= 0x800 && image < 0x10000) {
        out[at] = static_cast<char>(0xE0 | image >> 12);
        out[at + 1] = static_cast<char>(0x80 | (image >> 6 & 0x3F));
        out[at + 2] = static_cast<char>(0x80 | (image & 0x3F));
      } else {
        return fold_rest(text, at, out);
      }
    }
    at += next.length;
  }
}

void HanFold::fold_rest(std::string_view text, size_t at, std::string& out) const {
  out.resize(at);
  while (at < text.size()) {
    const Decoded next = decode_quickly(text, at);
    if (next.valid) {
      append_utf8(fold(next.code_point), out);
    } else {
      out.append(text.substr(at, next.length));
    }
    at += next.length;
  }
}

uint64_t HanFold::id() const {
  std::string bytes;
  const auto append = [&](char32_t c) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(c >> shift & 0xFF));
  };
  for (char32_t c = kFirst; c < kEnd; ++c) {
    if (const char32_t image = fold(c); image != c) {
      append(c);
      append(image);
    }
  }
  return hash64(bytes);
}

}  // namespace neardup
