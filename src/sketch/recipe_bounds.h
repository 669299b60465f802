// The bounds of a recipe's fields that are not limits of the whole engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

inline constexpr uint64_t kMaxSeed = uint64_t{1} << 53;
inline constexpr uint64_t kMaxMinFeatures = 65535;
inline constexpr uint64_t kMaxTopK = 1'000'000;

/// True if the name is that of a built-in list of stop words.
bool is_stop_word_list(std::string_view name);
/// The name of the built-in list with this id, or nothing.
std::string stop_word_list_of(uint64_t id);

}  // namespace neardup
