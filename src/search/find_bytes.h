// find_bytes(): a string in a longer one. std::string_view::find() stops at every byte that begins the string, which is slow for letters.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace neardup {

/// Where `wanted` begins for the first time at or after `from`; npos if nowhere.
inline size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from) noexcept {
  if (from > bytes.size()) return std::string_view::npos;
  const void* const found = ::memmem(bytes.data() + from, bytes.size() - from, wanted.data(), wanted.size());
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
}

}  // namespace neardup
