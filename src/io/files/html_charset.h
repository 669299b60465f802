// declared_charset(): the charset that an HTML page declares, found as browsers find it.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// What <meta charset=NAME>, or <meta http-equiv=content-type content="...; charset=NAME">, declares in the first 1024 bytes, as written;
/// empty if there is none. Follows the prescan of the HTML standard: comments, other tags and their attributes are skipped as a whole, so a
/// name inside of them is ignored. A page that declares UTF-16 could not have been read up to there if it was, and is UTF-8; x-user-defined
/// is windows-1252. Any bytes in, nothing thrown.
std::string declared_charset(std::string_view page);

/// NAME of "...charset=NAME..." in the value of an HTTP Content-Type or of a meta's content; empty: there is none.
std::string charset_of_content_type(std::string_view value);

}  // namespace neardup
