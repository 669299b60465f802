// compose_by_definition: a composed Unicode form by its definition (Unicode Standard Annex #15): decompose every code point, sort each run
// of marks by combining class, keeping the order of equal ones, and compose pairs.
//
// O(n log n), whatever the text. ICU inserts each mark at its place instead, which is faster for the few marks of real text and takes
// the square of the marks of a hostile one: U+0316 U+0301, repeated. Thread-safe, total.
#pragma once

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <string_view>

namespace neardup {

/// Appends the form of `text`, which must be well-formed UTF-8, to `sink`: the bytes that form.normalizeUTF8() writes. `form` composes.
void compose_by_definition(const icu::Normalizer2& form, std::string_view text, icu::ByteSink& sink);

/// True if ICU may take much longer than the length of `text` says: it has many code points without a boundary between them.
bool has_long_segment(const icu::Normalizer2& form, std::string_view text) noexcept;

}  // namespace neardup
