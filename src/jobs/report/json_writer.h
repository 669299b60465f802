// JsonWriter: JSON onto a string, member by member, with the commas in their places.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// The name of the next member. Names need no escapes.
  JsonWriter& key(std::string_view name);

  /// Malformed UTF-8 becomes U+FFFD.
  JsonWriter& text(std::string_view value);
  JsonWriter& whole(uint64_t value);
  /// With six significant digits.
  JsonWriter& number(double value);
  JsonWriter& null() { return raw("null"); }
  /// JSON from elsewhere.
  JsonWriter& raw(std::string_view json);

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void begin_value();

  std::string& out_;
};

}  // namespace neardup
