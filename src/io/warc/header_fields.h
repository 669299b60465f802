// HeaderFields: lines "Name: value" as HTTP and WARC write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace neardup {

/// Where a header ends: after its first empty line, which "\r\n\r\n" or "\n\n" makes. npos: it has no end within `bytes`; `from` is how
/// far a search before came.
size_t header_end(std::string_view bytes, size_t from = 0) noexcept;

/// Looks into the header each time: it is short, and few fields are asked for.
class HeaderFields {
 public:
  /// `header` begins after the first line.
  explicit HeaderFields(std::string_view header) : header_(header) {}
  /// The first value of that name, in any case, without white space around it; empty: none, or an empty one. Of a value that goes on in
  /// the next line, the first line.
  [[nodiscard]] std::string_view operator[](std::string_view name) const noexcept;

 private:
  std::string_view header_;
};

/// "text/html" of "Text/HTML; charset=x" as it stands, without parameters.
std::string_view media_type(std::string_view content_type) noexcept;
/// Equal in any case of ASCII letters.
bool same_word(std::string_view a, std::string_view b) noexcept;
/// Decimal digits and nothing else.
std::optional<uint64_t> whole_number(std::string_view text) noexcept;

}  // namespace neardup
