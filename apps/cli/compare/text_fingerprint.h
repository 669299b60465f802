// fingerprint_of: the fingerprint of one text that the user gave.
#pragma once

#include <string>

#include "neardup/fingerprint.h"
#include "neardup/recipe.h"

namespace neardup::cli {

/// `name` is what the text is called in errors. Throws Error{kInput} when it is too short for a fingerprint.
Fingerprint128 fingerprint_of(const std::string& text, const std::string& name, const Recipe& recipe);

}  // namespace neardup::cli
