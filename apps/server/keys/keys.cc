#include "server/keys/keys.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "neardup/error.h"
#include "neardup/tools/printable.h"
#include "server/http/hex_digit.h"

namespace neardup::server {
namespace {

constexpr std::array<std::string_view, 4> kRoleNames{"none", "read", "write", "admin"};
constexpr size_t kKeyBytes = 32;  // of randomness

std::array<uint8_t, 32> sha256(std::string_view text) noexcept {
  std::array<uint8_t, 32> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return digest;
}

std::optional<std::array<uint8_t, 32>> parse_digest(std::string_view text) {
  std::array<uint8_t, 32> digest{};
  if (text.size() != 2 * digest.size()) return {};
  for (size_t i = 0; i < text.size(); ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return {};
    digest[i / 2] = static_cast<uint8_t>(digest[i / 2] << 4 | digit);
  }
  return digest;
}

bool valid_name(std::string_view name) {
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  return !name.empty() && name.size() <= 64 && name.find_first_not_of(kAllowed) == std::string_view::npos;
}

// A whole line or nothing: the file is written at its end, whose line may lack its end.
void append_line(const std::string& path, std::string line) {
  const auto fail = [&] { throw Error(ErrorCode::kOutput, fmt::format("cannot write the keys '{}': {}", path, std::strerror(errno))); };
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) fail();
  const off_t end = ::lseek(file, 0, SEEK_END);
  char last = '\n';
  if (end > 0 && ::pread(file, &last, 1, end - 1) == 1 && last != '\n') line.insert(0, 1, '\n');
  const ssize_t written = ::write(file, line.data(), line.size());
  const bool good = written == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  if (::close(file) != 0 || !good) fail();
}

}  // namespace

std::string_view to_string(Role role) noexcept {
  return kRoleNames[static_cast<size_t>(role)];
}

Role parse_role(std::string_view name) {
  const auto* const found = std::find(kRoleNames.begin() + 1, kRoleNames.end(), name);
  if (found == kRoleNames.end())
    throw Error(ErrorCode::kUsage, fmt::format("expected a role, read, write or admin, not '{}'", printable(name)));
  return static_cast<Role>(found - kRoleNames.begin());
}

Keys Keys::load(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw Error(ErrorCode::kInput, fmt::format("cannot read the keys '{0}': {1}; neardup serve --new-key ROLE:NAME --keys '{0}' makes one",
                                               path, std::strerror(errno)));
  }
  Keys keys;
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    std::string role, name, digest, more;
    words >> role;
    if (role.empty() || role.front() == '#') continue;
    words >> name >> digest >> more;
    const std::optional<Digest> parsed = parse_digest(digest);
    // What a line holds is not shown: someone may have written a key there.
    if (!parsed || !more.empty() || !valid_name(name) || std::ranges::find(kRoleNames, role) <= kRoleNames.begin() ||
        std::ranges::find(kRoleNames, role) == kRoleNames.end()) {
      throw Error(
          ErrorCode::kInput,
          fmt::format("'{}', line {}: expected a role (read, write or admin), a name, and the SHA-256 of a key as 64 hexadecimal digits",
                      path, number));
    }
    keys.entries_.push_back({.role = parse_role(role), .digest = *parsed});
  }
  if (file.bad()) throw Error(ErrorCode::kInput, fmt::format("cannot read the keys '{}'", path));
  if (keys.entries_.empty())
    throw Error(ErrorCode::kInput, fmt::format("'{}' has no key; neardup serve --new-key ROLE:NAME --keys '{}' makes one", path, path));
  return keys;
}

Role Keys::role_of(std::string_view authorization) const noexcept {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return Role::kNone;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c) != kScheme[i]) return Role::kNone;
  }
  const Digest digest =
      sha256(authorization.substr(std::min(authorization.size(), authorization.find_first_not_of(' ', kScheme.size() - 1))));
  Role role = Role::kNone;
  for (const Entry& entry : entries_) {
    if (CRYPTO_memcmp(entry.digest.data(), digest.data(), digest.size()) == 0) role = std::max(role, entry.role);
  }
  return role;
}

std::string make_key(const std::string& path, Role role, std::string_view name) {
  if (!valid_name(name))
    throw Error(ErrorCode::kUsage,
                fmt::format("expected the name of a key, 1 to 64 of letters, digits, '-', '_' and '.', not '{}'", printable(name)));
  std::array<uint8_t, kKeyBytes> random{};
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) throw Error(ErrorCode::kResource, "no random bytes for a key");
  std::string key = fmt::format("nd_{:02x}", fmt::join(random, ""));
  append_line(path, fmt::format("{} {} {:02x}\n", to_string(role), name, fmt::join(sha256(key), "")));
  return key;
}

}  // namespace neardup::server
