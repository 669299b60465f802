#include "io/json/field_text.h"
#include "io/table/table_json.h"

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

}  // namespace neardup
