// ByteWriter and ByteReader: values to bytes and back, for files of our own whose checksum was verified.
//
// Little-endian, one after the other, without padding. An array is its length (u64) and its elements. The reader stays within its bytes: a
// value that does not fit is an Error{kInput}.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "neardup/error.h"

namespace neardup {

static_assert(std::endian::native == std::endian::little, "values are written as they are");

class ByteWriter {
 public:
  /// Appends to `out`.
  explicit ByteWriter(std::string& out) noexcept : out_(out) {}

  template <typename T>
  void value(T value) {
    static_assert(std::has_unique_object_representations_v<T>, "no padding");
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <typename T>
  void array(std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T>, "no padding");
    value(uint64_t{values.size()});
    out_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  template <typename T>
  void array(const std::vector<T>& values) {
    array(std::span<const T>(values));
  }
  void text(std::string_view bytes) { array(std::span<const char>(bytes.data(), bytes.size())); }

 private:
  std::string& out_;
};

class ByteReader {
 public:
  /// `name` is for the message of an error.
  ByteReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  template <typename T>
  T value() {
    static_assert(std::has_unique_object_representations_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <typename T>
  void array(std::vector<T>& out) {
    static_assert(std::has_unique_object_representations_v<T>);
    const auto count = value<uint64_t>();
    if (count > bytes_.size() / sizeof(T)) fail();
    const std::string_view elements = take(static_cast<size_t>(count) * sizeof(T));
    out.resize(static_cast<size_t>(count));
    if (count > 0) std::memcpy(out.data(), elements.data(), elements.size());
  }
  /// A view into the bytes.
  std::string_view text() {
    const auto count = value<uint64_t>();
    if (count > bytes_.size()) fail();
    return take(static_cast<size_t>(count));
  }
  /// Throws if bytes are left.
  void end() const {
    if (!bytes_.empty()) fail();
  }
  [[noreturn]] void fail() const { throw Error(ErrorCode::kInput, "'" + name_ + "' is corrupt"); }

 private:
  std::string_view take(size_t bytes) {
    if (bytes > bytes_.size()) fail();
    const std::string_view taken = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return taken;
  }

  std::string_view bytes_;
  std::string name_;
};

}  // namespace neardup
