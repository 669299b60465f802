// code_v1: the tokens of source code, whatever its programming language.
//
// Names, numbers, string literals and the words of comments are tokens; so is every other code point but white space, which parts tokens
// and is left out. The separator is one blank. Comments are left out unless they are kept; names other than keywords, numbers and strings
// can each be replaced by one token, so that renaming changes nothing. docs/recipe.md has the rules. A lexer that knows no language
// guesses: it takes an apostrophe for a quotation mark. But such a mistake ends with the line, or where the comment or long string would.
//
// Immutable, shared by threads; total, in one pass: it never goes back, so a quotation mark or comment without an end costs no more.
#pragma once

#include <memory>
#include <string_view>

#include "neardup/tools/recipe_kinds.h"
#include "text/tokens/tokenizer.h"

namespace neardup {

/// The slow twin is in code_tokenizer_reference.h.
std::unique_ptr<const Tokenizer> make_code_tokenizer(const CodeTokens& tokens);

/// Words that are kept as they are where names are normalized: keywords and basic types of common languages.
bool is_code_keyword(std::string_view name) noexcept;

}  // namespace neardup
