// The functions of fmt that are not templates, and the templates of which its other headers have only declarations, compiled once
// (Dependencies.cmake). With fmt::fmt-header-only every file would compile them: a third of the processor time of a build.
#include <fmt/format-inl.h>

template char fmt::detail::decimal_point_impl<char>(fmt::detail::locale_ref);
template fmt::detail::thousands_sep_result<char> fmt::detail::thousands_sep_impl<char>(fmt::detail::locale_ref);
template std::locale fmt::detail::locale_ref::get<std::locale>() const;
