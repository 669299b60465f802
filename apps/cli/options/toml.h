// toml++, compiled in like CLI11: the program does not depend on the library's shared object.
//
// Some broken files, such as "[[[", violate its assertions: a debug build would abort, and clang assumes in a release that they hold.
// Without assertions the parser goes on to report the error. Include nothing else for it.
#pragma once

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
