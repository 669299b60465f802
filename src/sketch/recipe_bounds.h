// The bounds of a recipe's fields that are not limits of the whole engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

struct Recipe;

inline constexpr uint64_t kMaxSeed = uint64_t{1} << 53;
inline constexpr uint64_t kMaxMinFeatures = 65535;
inline constexpr uint64_t kMaxTopK = 1'000'000;
inline constexpr double kMinFactor = 1e-6;  ///< of sketch.scale
inline constexpr double kMaxFactor = 1e15;  ///< and 15 significant digits

/// Recipe::canonical_json() of a build with this version of Unicode (text/normalize/unicode_version.h).
std::string canonical_json_under(const Recipe& recipe, std::string_view unicode);
/// The version of Unicode that a canonical form was made under.
std::string unicode_of(std::string_view canonical_json);
/// A number of a recipe in its canonical form.
std::string number_text(double value);
/// True if the name is that of a built-in list of stop words.
bool is_stop_word_list(std::string_view name);
/// The name of the built-in list with this id, or nothing.
std::string stop_word_list_of(uint64_t id);

}  // namespace neardup
