#include "io/table/json_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "io/json/json_scan.h"
#include "io/table/duckdb_database.h"
#include "neardup/error.h"

namespace neardup {

struct JsonColumns::Shape {
  bool boolean = false;
  bool integer = false;
  bool negative = false;
  bool above_signed = false;    // an integer that needs 64 bits without sign
  bool above_unsigned = false;  // an integer that needs more
  bool beyond = false;          // an integer of more than 38 digits
  bool fraction = false;
  bool exponent = false;
  bool precise = false;     // more digits than a double keeps
  size_t whole_digits = 0;  // of the longest
  size_t scale = 0;         // digits after the point, of the longest
  bool non_finite = false;  // a string that says NaN or Infinity, as our sources write them
  bool string = false;
  bool array = false;
  bool object = false;
  std::unique_ptr<Shape> item;
  std::deque<std::pair<std::string, Shape>> members;
  std::unordered_map<std::string, Shape*> by_name;

  Shape& member(const std::string& name) {
    const auto [place, inserted] = by_name.try_emplace(name, nullptr);
    if (inserted) place->second = &members.emplace_back(name, Shape{}).second;
    return *place->second;
  }
};

namespace {

using Shape = JsonColumns::Shape;

constexpr size_t kMaxDepth = 16;       // deeper values become JSON text
constexpr size_t kDoubleDigits = 17;   // that a double keeps
constexpr size_t kDecimalDigits = 38;  // that a DECIMAL has at most
constexpr size_t kMaxMembers = 1000;   // of an object inside a value; more of them are keys of a map, not names

class ShapeScan {
 public:
  ShapeScan(std::string_view text, std::vector<std::pair<size_t, size_t>>& precise) : text_(text), precise_(precise) {}

  // Null: only skips the value.
  void value(Shape* shape, size_t depth) {
    at_ = json_detail::skip_white(text_, at_);
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == '{') {
      if (shape != nullptr) shape->object = true;
      members(depth < kMaxDepth ? shape : nullptr, depth);
    } else if (c == '[') {
      if (shape != nullptr) shape->array = true;
      if (shape != nullptr && !shape->item) shape->item = std::make_unique<Shape>();
      items(shape != nullptr && depth < kMaxDepth ? shape->item.get() : nullptr, depth);
    } else if (c == '"') {
      const size_t begin = at_;
      skip_string();
      if (shape != nullptr) {
        const std::string_view text = text_.substr(begin, at_ - begin);
        (text == "\"NaN\"" || text == "\"Infinity\"" || text == "\"-Infinity\"" ? shape->non_finite : shape->string) = true;
      }
    } else {
      const size_t begin = at_;
      at_ = std::min(text_.find_first_of(",]} \t\n\r", at_), text_.size());
      if (shape != nullptr && scalar(*shape, text_.substr(begin, at_ - begin))) precise_.emplace_back(begin, at_);
    }
    at_ = json_detail::skip_white(text_, at_);
  }

 private:
  void members(Shape* shape, size_t depth) {
    std::string name;
    for (++at_; !ends('}');) {
      JsonCursor(text_, at_).string(name);
      skip_string();
      at_ = json_detail::skip_white(text_, at_) + 1;  // the colon
      const bool known = shape != nullptr && (depth == 0 || shape->members.size() < kMaxMembers || shape->by_name.contains(name));
      value(known ? &shape->member(name) : nullptr, depth + 1);
      if (at_ < text_.size() && text_[at_] == ',') at_ = json_detail::skip_white(text_, at_ + 1);
    }
  }
  void items(Shape* shape, size_t depth) {
    for (++at_; !ends(']');) {
      value(shape, depth + 1);
      if (at_ < text_.size() && text_[at_] == ',') ++at_;
    }
  }
  bool ends(char bracket) {
    at_ = json_detail::skip_white(text_, at_);
    if (at_ < text_.size() && text_[at_] != bracket) return false;
    ++at_;
    return true;
  }
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  // True for a fraction with more digits than a double keeps.
  static bool scalar(Shape& shape, std::string_view text) {
    if (text == "null") return false;
    if (text == "true" || text == "false") {
      shape.boolean = true;
      return false;
    }
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (const size_t point = text.find_first_of(".eE"); point != std::string_view::npos) {
      const size_t after = text[point] == '.' ? text.size() - point - 1 : 0;
      shape.fraction = true;
      const bool exponent = text.find_first_of("eE") != std::string_view::npos;
      const bool precise = (text[0] == '0' ? 0 : point) + after > kDoubleDigits;
      shape.exponent = shape.exponent || exponent;
      shape.precise = shape.precise || precise;
      shape.whole_digits = std::max(shape.whole_digits, point);
      shape.scale = std::max(shape.scale, after);
      return precise && !exponent;
    } else {
      shape.integer = true;
      shape.whole_digits = std::max(shape.whole_digits, text.size());
      shape.precise = shape.precise || text.size() > kDoubleDigits;
      const auto above = [text](std::string_view most) { return text.size() > most.size() || (text.size() == most.size() && text > most); };
      shape.negative = shape.negative || negative;
      shape.above_signed = shape.above_signed || above(negative ? "9223372036854775808" : "9223372036854775807");
      shape.above_unsigned = shape.above_unsigned || above(negative ? "9223372036854775808" : "18446744073709551615");
      shape.beyond = shape.beyond || text.size() > kDecimalDigits;
    }
    return false;
  }

  const std::string_view text_;
  std::vector<std::pair<size_t, size_t>>& precise_;
  size_t at_ = 0;
};

std::string number_type(const Shape& shape) {
  if (shape.fraction || shape.beyond || shape.non_finite) {
    const size_t digits = shape.whole_digits + shape.scale;
    const bool decimal = shape.precise && !shape.exponent && !shape.non_finite && digits <= kDecimalDigits;
    return decimal ? fmt::format("DECIMAL({},{})", digits, shape.scale) : "DOUBLE";
  }
  if (shape.above_unsigned || (shape.above_signed && shape.negative)) return fmt::format("DECIMAL({},0)", kDecimalDigits);
  return shape.above_signed ? "UBIGINT" : "BIGINT";
}

std::string type_of(const Shape& shape, size_t depth);

std::string struct_type(const Shape& shape, size_t depth) {
  std::set<std::string> names;
  std::string type;
  for (const auto& [name, member] : shape.members) {
    if (name.empty() || !names.insert(ascii_lower(name)).second) return "JSON";
    type += fmt::format("{}{} {}", type.empty() ? "STRUCT(" : ", ", duck::quote_name(name), type_of(member, depth + 1));
  }
  return type.empty() || shape.members.size() >= kMaxMembers ? "JSON" : type + ")";
}

std::string type_of(const Shape& shape, size_t depth) {
  const bool number = shape.integer || shape.fraction;
  const int kinds =
      int{shape.boolean} + int{number} + int{shape.string || (shape.non_finite && !number)} + int{shape.array} + int{shape.object};
  if (kinds == 0) return "VARCHAR";
  if (kinds > 1 || depth > kMaxDepth) return "JSON";
  if (shape.boolean) return "BOOLEAN";
  if (number) return number_type(shape);
  if (shape.string || shape.non_finite) return "VARCHAR";
  if (shape.array) return type_of(*shape.item, depth + 1) + "[]";
  return struct_type(shape, depth);
}

bool is_empty(const Shape& shape) {
  return !(shape.boolean || shape.integer || shape.fraction || shape.non_finite || shape.string || shape.array || shape.object);
}

}  // namespace

JsonColumns::JsonColumns() : root_(std::make_unique<Shape>()) {}

JsonColumns::~JsonColumns() = default;

void JsonColumns::add(std::string_view line, std::vector<std::pair<size_t, size_t>>& precise) {
  precise.clear();
  ShapeScan(line, precise).value(root_.get(), 0);
}

std::vector<JsonColumns::Column> JsonColumns::columns() const {
  std::vector<Column> columns;
  std::unordered_map<std::string, std::string> seen;
  for (const auto& [name, shape] : root_->members) {
    const auto [before, inserted] = seen.try_emplace(ascii_lower(name), name);
    if (!inserted || name.empty()) {
      throw Error(ErrorCode::kOutput, fmt::format("a table cannot have the columns '{}' and '{}'; JSON Lines can", before->second, name));
    }
    std::string type = type_of(shape, 0);
    // Only nulls in our own fields: a run that removed nothing.
    if (is_empty(shape) && name.ends_with("keeper_row")) type = "BIGINT";
    if (is_empty(shape) && name.ends_with("similarity")) type = "DOUBLE";
    const bool nested = type == "JSON" || type.ends_with(']') || type.ends_with(')');
    columns.push_back({name, std::move(type), nested});
  }
  if (columns.empty()) columns.push_back({"text", "VARCHAR", false});  // even a table without rows has a column
  return columns;
}

bool repair_surrogates(std::string& line) {
  bool repaired = false;
  const auto half = [&](size_t at) -> int32_t {  // of the escape at `at`, or -1
    if (at + 6 > line.size() || line[at] != '\\' || line[at + 1] != 'u') return -1;
    const int32_t unit = json_detail::hex4(line, at + 2);
    return unit >= 0xD800 && unit < 0xE000 ? unit : -1;
  };
  for (size_t at = line.find('\\'); at != std::string::npos && at + 1 < line.size(); at = line.find('\\', at)) {
    const int32_t unit = half(at);
    if (unit < 0) {
      at += 2;
    } else if (unit < 0xDC00 && half(at + 6) >= 0xDC00) {
      at += 12;
    } else {
      line.replace(at + 2, 4, "fffd");
      repaired = true;
      at += 6;
    }
  }
  return repaired;
}

}  // namespace neardup
