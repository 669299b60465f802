#include "dedup/arrow_column.h"

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace nb = nanobind;

namespace neardup::python {
namespace {

bool is_null_in(const ArrowArray& parent, uint64_t row) noexcept {
  if (parent.n_buffers < 1 || parent.buffers == nullptr || parent.buffers[0] == nullptr) return false;
  const uint64_t place = row + static_cast<uint64_t>(parent.offset);
  return (static_cast<const uint8_t*>(parent.buffers[0])[place / 8] >> (place % 8) & 1) == 0;
}

std::string_view format_of(const ArrowSchema& schema) noexcept {
  return schema.format == nullptr ? "" : schema.format;
}

}  // namespace

SharedArray share_array(Owned<ArrowArray> array) {
  auto* const raw = new Owned<ArrowArray>(std::move(array));
  return {raw, [](const Owned<ArrowArray>* held) {
            const nb::gil_scoped_acquire locked;
            delete held;
          }};
}

bool is_table(const ArrowSchema& schema) noexcept {
  return format_of(schema) == "+s";
}

std::string type_name(const ArrowSchema& schema) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"n", "null"},   {"b", "bool"},    {"c", "int8"},    {"C", "uint8"},   {"s", "int16"},   {"S", "uint16"}, {"i", "int32"},
      {"I", "uint32"}, {"l", "int64"},   {"L", "uint64"},  {"e", "float16"}, {"f", "float"},   {"g", "double"}, {"z", "binary"},
      {"Z", "binary"}, {"vz", "binary"}, {"u", "string"},  {"U", "string"},  {"vu", "string"}, {"tdD", "date"}, {"tdm", "date"},
      {"+l", "list"},  {"+L", "list"},   {"+s", "struct"}, {"+m", "map"},    {"+vl", "list"},  {"+vL", "list"}, {"+r", "run-end encoded"}};
  if (schema.dictionary != nullptr) return fmt::format("dictionary of {}", type_name(*schema.dictionary));
  const auto* const found = std::ranges::find(kNames, format_of(schema), &std::pair<std::string_view, std::string_view>::first);
  if (found != std::end(kNames)) return std::string(found->second);
  return fmt::format("'{}' of Arrow", format_of(schema));
}

void ArrowColumn::append(const ArrowSchema& schema, const ArrowArray& array, SharedArray owner, const ArrowArray* parent) {
  Chunk chunk{.owner = std::move(owner), .parent = parent, .first = size_, .values = Other{}};
  if (TextColumn::is_text(schema)) {
    chunk.kind = Cell::Kind::kString;
    chunk.values.emplace<TextColumn>(schema, array, name_);
  } else if (ScalarColumn::is_scalar(schema)) {
    chunk.kind = ScalarColumn::is_boolean(schema) ? Cell::Kind::kBoolean : Cell::Kind::kNumber;
    chunk.values.emplace<ScalarColumn>(schema, array, name_);
  }
  const ArrowArray& rows = parent != nullptr ? *parent : array;
  const bool bounded = rows.length >= 0 && rows.offset >= 0 && rows.length <= std::numeric_limits<int64_t>::max() - rows.offset;
  if (parent != nullptr) chunk.shift = static_cast<uint64_t>(parent->offset);
  if (!bounded || (parent != nullptr && array.length < rows.offset + rows.length))
    throw nb::value_error(fmt::format("{}: malformed Arrow array: length {}, offset {}", name_, rows.length, rows.offset).c_str());
  if (rows.length == 0) return;
  size_ += static_cast<uint64_t>(rows.length);
  chunks_.push_back(std::move(chunk));
}

Cell ArrowColumn::cell(uint64_t row, std::string& storage) const {
  const auto after = std::ranges::upper_bound(chunks_, row, {}, &Chunk::first);
  const Chunk& chunk = *(after - 1);
  const uint64_t inside = row - chunk.first;
  if (chunk.parent != nullptr && is_null_in(*chunk.parent, inside)) return {};
  const uint64_t place = inside + chunk.shift;
  if (const auto* const texts = std::get_if<TextColumn>(&chunk.values)) {
    if (texts->is_null(place)) return {};
    return {.kind = Cell::Kind::kString, .text = (*texts)[place]};
  }
  if (const auto* const scalars = std::get_if<ScalarColumn>(&chunk.values)) {
    if (!scalars->read(place, storage)) return {};
    return {.kind = chunk.kind, .text = storage};
  }
  return {.kind = Cell::Kind::kOther};
}

}  // namespace neardup::python
