// How much of a large test a build with a sanitizer does. Its code runs ten times as slowly, and the faults that it looks for show in a
// smaller case.
#pragma once

namespace neardup::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

template <typename T>
constexpr T unless_sanitized(T whole, T sanitized) {
  return kSanitized ? sanitized : whole;
}

}  // namespace neardup::testing
