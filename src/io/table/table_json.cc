#include "io/table/table_json.h"

#include <limits>
#include <utility>

#include "io/json/field_text.h"
#include "io/table/table_values.h"

namespace neardup {
namespace {

using duck::Type;

std::string key_of(std::string_view name) {
  std::string key;
  append_json_string(name, key);
  return key + ":";
}

std::string owned(const duck::Api& api, char* text) {
  std::string copy = text == nullptr ? "" : text;
  api.free(text);
  return copy;
}

ColumnType take_type(const duck::Api& api, duck::TypeHandle* handle) {
  ColumnType type = read_type(api, handle);
  api.destroy_logical_type(&handle);
  return type;
}

// A vector and its children, found once per chunk.
struct View {
  const ColumnType* type;
  const void* data;
  const uint64_t* validity;
  std::vector<View> children;

  template <class Value>
  [[nodiscard]] const Value& at(uint64_t row) const noexcept {
    return static_cast<const Value*>(data)[row];
  }
};

View view_of(const duck::Api& api, duck::VectorHandle* vector, const ColumnType& type) {
  View view{&type, api.vector_get_data(vector), api.vector_get_validity(vector), {}};
  if (type.id == Type::kList) {
    view.children.push_back(view_of(api, api.list_vector_get_child(vector), type.children[0]));
  } else if (type.id == Type::kArray) {
    view.children.push_back(view_of(api, api.array_vector_get_child(vector), type.children[0]));
  } else if (type.id == Type::kStruct || type.id == Type::kMap) {
    duck::VectorHandle* const holder = type.id == Type::kMap ? api.list_vector_get_child(vector) : vector;
    for (size_t i = 0; i < type.children.size(); ++i) {
      view.children.push_back(view_of(api, api.struct_vector_get_child(holder, i), type.children[i]));
    }
  }
  return view;
}

int64_t small_integer(const View& view, Type stored, uint64_t row) {
  switch (stored) {
    case Type::kTinyint:
      return view.at<int8_t>(row);
    case Type::kSmallint:
      return view.at<int16_t>(row);
    case Type::kInteger:
      return view.at<int32_t>(row);
    case Type::kBigint:
      return view.at<int64_t>(row);
    case Type::kUtinyint:
      return view.at<uint8_t>(row);
    case Type::kUsmallint:
      return view.at<uint16_t>(row);
    default:
      return view.at<uint32_t>(row);
  }
}

// DuckDB's dates and times have two values at the ends that are not times.
template <class Unit>
bool append_infinity(Unit units, std::string& out) {
  constexpr Unit kInfinity = std::numeric_limits<Unit>::max();
  if (units != kInfinity && units != -kInfinity) return false;
  out += units < 0 ? "\"-infinity\"" : "\"infinity\"";
  return true;
}

void append_moment(int64_t units, int64_t per_second, std::string_view zone, std::string& out) {
  if (append_infinity(units, out)) return;
  out.push_back('"');
  append_timestamp(units, per_second, out);
  out += zone;
  out.push_back('"');
}

void append_value(const View& view, uint64_t row, std::string& out);

void append_items(const View& items, uint64_t begin, uint64_t count, std::string& out) {
  out.push_back('[');
  for (uint64_t i = 0; i < count; ++i) {
    if (i > 0) out.push_back(',');
    append_value(items, begin + i, out);
  }
  out.push_back(']');
}

void append_struct(const View& view, uint64_t row, std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < view.children.size(); ++i) {
    if (i > 0) out.push_back(',');
    out += view.type->names[i];
    append_value(view.children[i], row, out);
  }
  out.push_back('}');
}

// An object; the key is the value as it stands in JSON, as a string.
void append_map(const View& view, uint64_t row, std::string& out) {
  const auto& entry = view.at<duck::ListEntry>(row);
  std::string key;
  out.push_back('{');
  for (uint64_t i = entry.offset; i < entry.offset + entry.length; ++i) {
    if (i > entry.offset) out.push_back(',');
    key.clear();
    append_value(view.children[0], i, key);
    if (key.starts_with('"')) {
      out += key;
    } else {
      append_json_string(key, out);
    }
    out.push_back(':');
    append_value(view.children[1], i, out);
  }
  out.push_back('}');
}

void append_decimal_value(const View& view, uint64_t row, std::string& out) {
  if (view.type->stored == Type::kHugeint) {
    const auto& value = view.at<duck::Huge>(row);
    return append_decimal(value.upper, value.lower, view.type->scale, out);
  }
  const int64_t value = small_integer(view, view.type->stored, row);
  append_decimal(value < 0 ? -1 : 0, static_cast<uint64_t>(value), view.type->scale, out);
}

void append_value(const View& view, uint64_t row, std::string& out) {
  constexpr int64_t kMicros = 1'000'000;
  if (!duck::is_valid(view.validity, row)) {
    out += "null";
    return;
  }
  switch (view.type->id) {
    case Type::kBoolean:
      out += view.at<bool>(row) ? "true" : "false";
      return;
    case Type::kTinyint:
    case Type::kSmallint:
    case Type::kInteger:
    case Type::kBigint:
    case Type::kUtinyint:
    case Type::kUsmallint:
    case Type::kUinteger:
      return append_integer(small_integer(view, view.type->id, row), out);
    case Type::kUbigint:
      return append_number(view.at<uint64_t>(row), out);
    case Type::kHugeint:
    case Type::kUhugeint: {
      const auto& value = view.at<duck::Huge>(row);
      return append_huge(static_cast<uint64_t>(value.upper), value.lower, view.type->id == Type::kHugeint, out);
    }
    case Type::kFloat:
      return append_float(view.at<float>(row), out);
    case Type::kDouble:
      return append_double(view.at<double>(row), out);
    case Type::kDecimal:
      return append_decimal_value(view, row, out);
    case Type::kVarchar:
      return append_json_string(view.at<duck::String>(row).view(), out);
    case Type::kBlob:
      out.push_back('"');
      append_base64(view.at<duck::String>(row).view(), out);
      out.push_back('"');
      return;
    case Type::kEnum:
      out += view.type->names[static_cast<size_t>(small_integer(view, view.type->stored, row))];
      return;
    case Type::kUuid: {
      const auto& value = view.at<duck::Huge>(row);
      out.push_back('"');
      append_uuid(static_cast<uint64_t>(value.upper) ^ (uint64_t{1} << 63), value.lower, out);  // so that they sort as numbers
      out.push_back('"');
      return;
    }
    case Type::kDate:
      if (append_infinity(view.at<int32_t>(row), out)) return;
      out.push_back('"');
      append_date(view.at<int32_t>(row), out);
      out.push_back('"');
      return;
    case Type::kTime:
      out.push_back('"');
      append_time(view.at<int64_t>(row), kMicros, out);
      out.push_back('"');
      return;
    case Type::kTimestampS:
      return append_moment(view.at<int64_t>(row), 1, "", out);
    case Type::kTimestampMs:
      return append_moment(view.at<int64_t>(row), 1000, "", out);
    case Type::kTimestamp:
      return append_moment(view.at<int64_t>(row), kMicros, "", out);
    case Type::kTimestampNs:
      return append_moment(view.at<int64_t>(row), kMicros * 1000, "", out);
    case Type::kTimestampTz:
      return append_moment(view.at<int64_t>(row), kMicros, "Z", out);
    case Type::kList: {
      const auto& entry = view.at<duck::ListEntry>(row);
      return append_items(view.children[0], entry.offset, entry.length, out);
    }
    case Type::kArray:
      return append_items(view.children[0], row * view.type->length, view.type->length, out);
    case Type::kStruct:
      return append_struct(view, row, out);
    case Type::kMap:
      return append_map(view, row, out);
    default:
      out += "null";
      return;  // kNull: the only value of the column
  }
}

// RFC 8259, section 6.
bool is_json_number(std::string_view text) {
  size_t at = 0;
  const auto digits = [&] {
    const size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - begin;
  };
  if (text.starts_with('-')) ++at;
  const size_t first = at;
  const size_t whole = digits();
  if (whole == 0 || (whole > 1 && text[first] == '0')) return false;
  if (at < text.size() && text[at] == '.' && (++at, digits() == 0)) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

}  // namespace

bool ColumnType::is_written() const noexcept {
  const auto number = static_cast<uint32_t>(id);
  const bool scalar = (number >= 1 && number <= 14) || (number >= 16 && number <= 23) || id == Type::kUuid || id == Type::kTimestampTz ||
                      id == Type::kUhugeint || id == Type::kNull;
  const bool nested = id == Type::kList || id == Type::kArray || id == Type::kStruct || id == Type::kMap;
  if (!scalar && !nested) return false;
  for (const ColumnType& child : children) {
    if (!child.is_written()) return false;
  }
  return true;
}

ColumnType read_type(const duck::Api& api, duck::TypeHandle* handle) {
  ColumnType type;
  type.id = api.get_type_id(handle);
  switch (type.id) {
    case Type::kDecimal:
      type.scale = api.decimal_scale(handle);
      type.stored = api.decimal_internal_type(handle);
      break;
    case Type::kEnum:
      type.stored = api.enum_internal_type(handle);
      for (uint32_t i = 0; i < api.enum_dictionary_size(handle); ++i) {
        append_json_string(owned(api, api.enum_dictionary_value(handle, i)), type.names.emplace_back());
      }
      break;
    case Type::kList:
      type.children.push_back(take_type(api, api.list_type_child_type(handle)));
      break;
    case Type::kArray:
      type.children.push_back(take_type(api, api.array_type_child_type(handle)));
      type.length = api.array_type_array_size(handle);
      break;
    case Type::kMap:
      type.children.push_back(take_type(api, api.map_type_key_type(handle)));
      type.children.push_back(take_type(api, api.map_type_value_type(handle)));
      break;
    case Type::kStruct:
      for (uint64_t i = 0; i < api.struct_type_child_count(handle); ++i) {
        type.names.push_back(key_of(owned(api, api.struct_type_child_name(handle, i))));
        type.children.push_back(take_type(api, api.struct_type_child_type(handle, i)));
      }
      break;
    default:
      break;
  }
  return type;
}

RowWriter::RowWriter(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (const Column& column : columns_) keys_.push_back((keys_.empty() ? "{" : ",") + key_of(column.name));
}

void RowWriter::append(const duck::Api& api, const duck::Chunk& chunk, uint64_t begin, uint64_t end, std::string& out) const {
  std::vector<View> views;
  views.reserve(columns_.size());
  for (const Column& column : columns_) views.push_back(view_of(api, chunk.column(column.at), column.type));
  for (uint64_t row = begin; row < end; ++row) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      out += keys_[i];
      const bool text = columns_[i].is_json || columns_[i].is_number;
      if (text && duck::is_valid(views[i].validity, row)) {
        const std::string_view value = views[i].at<duck::String>(row).view();
        if (columns_[i].is_json || is_json_number(value)) {
          out += value;
          continue;
        }
      }
      append_value(views[i], row, out);
    }
    out += "}\n";
  }
}

}  // namespace neardup
