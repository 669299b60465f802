// declared_charset(): the charset that an HTML page names about itself, found as browsers find it.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// What <meta charset=NAME>, or <meta http-equiv=content-type content="...; charset=NAME">, says in the first 1024 bytes, as it is
/// written there; empty if nothing does. Follows the prescan of the HTML standard: comments, other tags and their attributes are skipped
/// whole, so a name inside of them counts for nothing. A page that says UTF-16 could not be read so far if it was, and is UTF-8;
/// x-user-defined is windows-1252. Any bytes in, nothing thrown.
std::string declared_charset(std::string_view page);

/// NAME of "...charset=NAME..." as it stands in the value of an HTTP Content-Type or of a meta's content; empty: there is none.
std::string charset_of_content_type(std::string_view value);

}  // namespace neardup
