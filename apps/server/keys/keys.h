// Keys: who may do what. A file has a line for each key, with its role, a name for people, and the SHA-256 of the key in hexadecimal
// digits; the keys themselves are nowhere:
//
//   # role  name     SHA-256
//   write   crawler  5e88...
//
// Lines that begin with '#' and empty ones are skipped.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::server {

/// Each may do what those before it may.
enum class Role : uint8_t { kNone, kRead, kWrite, kAdmin };
std::string_view to_string(Role role) noexcept;
/// "read", "write", "admin". Throws Error{kUsage}.
Role parse_role(std::string_view name);

/// Immutable; shared by threads.
class Keys {
 public:
  /// Throws Error{kInput} that names the line and what is wrong with it, also when the file has no key.
  static Keys load(const std::string& path);

  /// The role of the key of an Authorization header, "Bearer KEY"; kNone if it is missing or not known. Takes the same time wherever two
  /// keys differ.
  [[nodiscard]] Role role_of(std::string_view authorization) const noexcept;
  [[nodiscard]] size_t size() const noexcept { return entries_.size(); }

 private:
  using Digest = std::array<uint8_t, 32>;
  struct Entry {
    Role role;
    Digest digest;
  };
  std::vector<Entry> entries_;
};

/// Makes a key, appends its line to the file, which is created for its owner only, and returns the key. Throws Error{kUsage} for an invalid
/// name (1 to 64 characters of letters, digits, '-', '_', '.'), Error{kOutput} when the file cannot be written.
std::string make_key(const std::string& path, Role role, std::string_view name);

}  // namespace neardup::server
