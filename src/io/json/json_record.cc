#include "io/json/json_record.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "io/bytes/buffer.h"
#include "io/json/json_path.h"
#include "io/json/json_scan.h"
#include "io/json/known_text.h"

namespace neardup {
namespace {

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

constexpr size_t kMinCapacity = 4096;
constexpr size_t kUsualCapacity = 4u << 20;  // a parser that grew beyond this for one record is replaced after it

// A value parsed by simdjson, with the interface of CursorValue.
class DomValue {
 public:
  explicit DomValue(simdjson::dom::element element) noexcept : element_(element) {}

  [[nodiscard]] bool boolean() const noexcept { return element_.is_bool() && element_.get_bool().value_unsafe(); }
  [[nodiscard]] JsonType type() const noexcept {
    switch (element_.type()) {
      case simdjson::dom::element_type::ARRAY:
        return JsonType::kArray;
      case simdjson::dom::element_type::OBJECT:
        return JsonType::kObject;
      case simdjson::dom::element_type::STRING:
        return JsonType::kString;
      case simdjson::dom::element_type::BOOL:
        return JsonType::kBoolean;
      case simdjson::dom::element_type::NULL_VALUE:
        return JsonType::kNull;
      default:
        return JsonType::kNumber;
    }
  }
  bool member(std::string_view name, DomValue& found) const noexcept {
    simdjson::dom::object object;
    return element_.get(object) == simdjson::SUCCESS && object.at_key(name).get(found.element_) == simdjson::SUCCESS;
  }
  // Calls visit(DomValue) -> bool for the elements of an array, until it returns false.
  template <typename Visit>
  void each(const Visit& visit) const {
    simdjson::dom::array array;
    if (element_.get(array) != simdjson::SUCCESS) return;
    for (const simdjson::dom::element element : array) {
      if (!visit(DomValue(element))) return;
    }
  }
  // The value of a string; may point into the parser, or to `storage`.
  std::string_view string(std::string& storage, bool& repaired) const {
    static_cast<void>(storage);
    static_cast<void>(repaired);
    std::string_view value;
    return element_.get(value) == simdjson::SUCCESS ? value : std::string_view();
  }
  // A number as written in the line. False if only the line has its digits: the parser keeps the value.
  bool number_text(std::string& out) const {
    char digits[24];
    int64_t value = 0;
    uint64_t large = 0;
    std::to_chars_result end{};
    if (element_.get(value) == simdjson::SUCCESS && value != 0) {  // 0 may have been written -0
      end = std::to_chars(digits, digits + sizeof digits, value);
    } else if (element_.get(large) == simdjson::SUCCESS && large != 0) {
      end = std::to_chars(digits, digits + sizeof digits, large);
    } else {
      return false;
    }
    out.assign(digits, end.ptr);
    return true;
  }
  // A finite number as a double.
  bool number(double& out) const noexcept { return element_.get(out) == simdjson::SUCCESS; }

 private:
  simdjson::dom::element element_;
};

template <class Value>
void extract_rank(const Value& root, const std::string& field, Record& record) {
  if (field.empty()) return;
  Value value = root;
  record.has_rank_value = find_field(root, field, value) && value.number(record.rank_value);
  if (!record.has_rank_value) record.rank_value = 0;
}

std::string no_text_problem(const std::vector<std::string>& fields) {
  if (fields.size() == 1) return fmt::format("no field '{}'", fields.front());
  std::string names;
  for (const std::string& field : fields) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", field);
  return "none of the fields " + names;
}

}  // namespace

// simdjson's parser with room that fits the lines.
class RecordParser::Parser {
 public:
  // False if the line is rejected, or there is no memory for it. `root` lives until the next call.
  bool parse(std::string_view line, simdjson::dom::element& root) {
    return make_room(line.size()) && parser_.parse(line.data(), line.size(), false).get(root) == simdjson::SUCCESS;
  }
  [[nodiscard]] size_t capacity() const noexcept { return parser_.capacity(); }

 private:
  bool make_room(size_t bytes) {
    if (parser_.capacity() > kUsualCapacity && bytes <= kUsualCapacity) parser_ = simdjson::dom::parser();
    if (parser_.capacity() >= bytes) return true;
    // Powers of two, so that a file of slowly growing lines does not allocate for each.
    const size_t capacity = bytes > kUsualCapacity ? bytes : std::bit_ceil(std::max(bytes, kMinCapacity));
    if (parser_.allocate(capacity) == simdjson::SUCCESS) return true;
    // After a failed allocation simdjson reports capacity that it does not have. The careful reader needs none.
    parser_ = simdjson::dom::parser();
    return false;
  }

  simdjson::dom::parser parser_;
};

RecordParser::RecordParser(const RecordFields& fields) : fields_(fields), parser_(std::make_unique<Parser>()) {}

RecordParser::~RecordParser() = default;

void RecordParser::reject(Record& record, RejectKind kind, std::string problem) {
  const DocumentId where = record.where;
  const std::string_view raw = record.raw;
  record = {};
  record.where = where;
  record.raw = raw;
  problem_ = {std::move(problem), kind};
  problem_.tell(record);
}

bool RecordParser::is_large() const noexcept {
  return std::max({parser_->capacity(), text_.capacity(), piece_.capacity()}) > kUsualCapacity;
}

void RecordParser::parse(std::string_view line, Record& record) {
  simdjson::dom::element root;
  if (!parser_->parse(line, root) || extract(DomValue(root), record) == Outcome::kNeedsCarefulReader) parse_carefully(line, record);
}

void RecordParser::read_again(std::string_view line, Record& record) {
  const bool simple = fields_.text.size() == 1 && fields_.block.empty() && find_known_text(line, fields_.text.front(), text_, record.text);
  if (!simple || record.text.size() > limits::kMaxTextBytes) parse(line, record);
}

void RecordParser::parse_carefully(std::string_view line, Record& record) {
  const size_t invalid = find_invalid_utf8(line);
  if (invalid != std::string_view::npos)
    return reject(
        record, RejectKind::kNotUtf8,
        fmt::format("not UTF-8 at byte {}: JSON Lines must be UTF-8, so convert the file first (iconv -f GB18030 -t UTF-8 if it is "
                    "Chinese); --charset auto reads text files in any charset",
                    invalid + 1));
  const JsonFault fault = check_json(line);
  if (!fault.what.empty())
    return reject(record, RejectKind::kBrokenJson, fmt::format("invalid JSON at byte {}: {}", fault.offset + 1, fault.what));
  extract(CursorValue(JsonCursor(line, 0)), record);
}

template <class Value>
RecordParser::Outcome RecordParser::extract(const Value& root, Record& record) {
  record.repaired = false;
  record.bad_id = false;
  if (root.type() != JsonType::kObject) {
    reject(record, RejectKind::kBrokenJson, fmt::format("the line is {}, not an object", name_of(root.type())));
    return Outcome::kDone;
  }
  if (extract_id(root, record) == Outcome::kNeedsCarefulReader) return Outcome::kNeedsCarefulReader;
  if (extract_block(root, record) == Outcome::kNeedsCarefulReader) return Outcome::kNeedsCarefulReader;
  if (extract_protection(root, record) == Outcome::kNeedsCarefulReader) return Outcome::kNeedsCarefulReader;
  if (extract_text(root, record)) extract_rank(root, fields_.rank, record);
  return Outcome::kDone;
}

template <class Value>
RecordParser::Outcome RecordParser::extract_id(const Value& root, Record& record) {
  Value value = root;
  if (fields_.id.empty() || !find_field(root, fields_.id, value)) return Outcome::kDone;
  bool repaired = false;
  switch (value.type()) {
    case JsonType::kNull:
      return Outcome::kDone;
    case JsonType::kString:
      record.id = value.string(id_, repaired);
      break;
    case JsonType::kNumber:
      if (!value.number_text(id_)) return Outcome::kNeedsCarefulReader;
      record.id = id_;
      break;
    default:
      record.bad_id = true;
      return Outcome::kDone;
  }
  record.has_id = true;
  return Outcome::kDone;
}

template <class Value>
RecordParser::Outcome RecordParser::extract_block(const Value& root, Record& record) {
  record.block = {};
  Value value = root;
  if (fields_.block.empty() || !find_field(root, fields_.block, value)) return Outcome::kDone;
  bool repaired = false;
  if (value.type() == JsonType::kString) {
    record.block = value.string(block_, repaired);
  } else if (value.type() == JsonType::kNumber) {
    if (!value.number_text(block_)) return Outcome::kNeedsCarefulReader;
    record.block = block_;
  }
  return Outcome::kDone;
}

template <class Value>
RecordParser::Outcome RecordParser::extract_protection(const Value& root, Record& record) {
  record.is_protected = false;
  for (const FieldValue& rule : fields_.protect) {
    Value value = root;
    if (record.is_protected || !find_field(root, rule.field, value)) continue;
    bool repaired = false;
    switch (value.type()) {
      case JsonType::kString:
        record.is_protected = value.string(protection_, repaired) == rule.value;
        break;
      case JsonType::kNumber:
        if (!value.number_text(protection_)) return Outcome::kNeedsCarefulReader;
        record.is_protected = protection_ == rule.value;
        break;
      case JsonType::kBoolean:
        record.is_protected = rule.value == (value.boolean() ? "true" : "false");
        break;
      default:
        break;
    }
  }
  return Outcome::kDone;
}

// A single string is used unchanged; several, of fields or of an array, are joined by newlines.
template <class Value>
bool RecordParser::extract_text(const Value& root, Record& record) {
  const auto has_several = [](const std::string& field) { return field.find(kEachElement) != std::string::npos; };
  const bool single = fields_.text.size() == 1 && !has_several(fields_.text.front());
  bool any = false;
  bool joined = false;
  const auto join = [&](const Value& string) {
    if (!joined) text_.clear();
    if (joined) text_.push_back('\n');
    text_.append(string.string(piece_, record.repaired));
    record.text = text_;
    joined = true;
  };
  // False for a value that is not a text; then the record is rejected.
  const auto take = [&](const std::string& field, const Value& value) {
    const JsonType type = value.type();
    if (type == JsonType::kNull && !single) return true;
    any = true;
    if (type == JsonType::kArray) {
      std::string_view odd;
      value.each([&](const Value& element) {
        if (element.type() != JsonType::kString) {
          odd = name_of(element.type());
        } else {
          join(element);
        }
        return odd.empty();
      });
      if (odd.empty()) return true;
      reject(record, RejectKind::kFieldType, fmt::format("field '{}' is an array with {} in it, not of strings", field, odd));
      return false;
    }
    if (type != JsonType::kString) {
      reject(record, type == JsonType::kNull ? RejectKind::kMissingField : RejectKind::kFieldType,
             fmt::format("field '{}' is {}, not a string", field, name_of(type)));
      return false;
    }
    if (single) {
      record.text = value.string(text_, record.repaired);
    } else {
      join(value);
    }
    return true;
  };
  for (const std::string& field : fields_.text) {
    bool good = true;
    const bool found = each_field(root, field, [&](const Value& value) { return good = take(field, value); });
    if (!good) return false;
    any = any || (found && has_several(field));  // an array without a text is an empty text
  }
  if (!any) {
    reject(record, RejectKind::kMissingField, no_text_problem(fields_.text));
  } else if (record.text.size() > limits::kMaxTextBytes) {  // the fields of a line together, one of them perhaps twice
    reject(record, RejectKind::kTooLong,
           fmt::format("a text of {} bytes is above the limit of {}", record.text.size(), limits::kMaxTextBytes));
    any = false;
  }
  return any;
}

}  // namespace neardup
