// Secrets: hides passwords in user-given names, and in messages of servers, drivers and parsers.
//
// A name may be a URI with a password. It is parsed first, and only parts that are known to be harmless are shown: the scheme, hosts and
// ports, the path, and the parameters on a list. Everything else is "***". Text that looks like a broken URI is hidden as a whole, so a
// password cannot slip through because a character in it was not escaped.
//
// Implemented in src/io/bytes/secrets.cc.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

/// The form of an input, an output or an option's value that messages, verdicts and logs show. The name of a file is returned as it is.
std::string without_secrets(std::string_view name);

/// False for a URI whose parts cannot be told apart for certain: "scheme://***" is all that is shown of it.
bool has_safe_form(std::string_view name);

/// Hides the secrets of some names in text from elsewhere: a server, a driver, a parser. Passwords of fewer than four characters are hidden
/// only between quotes, because they are part of many words.
class Secrets {
 public:
  Secrets() = default;
  explicit Secrets(std::string_view name) { add(name); }

  /// Remembers the parts that without_secrets(name) hides.
  void add(std::string_view name);
  /// Remembers one secret, such as a password from a file.
  void add_secret(std::string secret);
  [[nodiscard]] std::string hide(std::string message) const;
  [[nodiscard]] bool empty() const noexcept { return replacements_.empty(); }

 private:
  void replace(std::string what, std::string by);
  void hide_quoted(const std::string& text);

  std::vector<std::pair<std::string, std::string>> replacements_;  // longest first
};

}  // namespace neardup
