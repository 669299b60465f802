#include "io/bytes/uri.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "neardup/io.h"
#include "neardup/tools/secrets.h"

namespace neardup {
namespace {

constexpr std::string_view kSchemeEnd = "://";

std::string_view advice_for(std::string_view scheme) {
  if (scheme == "file") return "give the path alone";
  constexpr std::string_view kBuckets[] = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "hdfs", "r2", "oss"};
  if (std::ranges::find(kBuckets, scheme) != std::end(kBuckets)) return "copy the data to a file first, or mount the bucket";
  if (scheme == "http" || scheme == "https" || scheme == "ftp" || scheme == "hf") return "download the file first";
  return "exchange the data through a file, such as JSON Lines";
}

}  // namespace

std::string_view scheme_of(std::string_view text) noexcept {
  const size_t end = text.find(kSchemeEnd);
  if (end == std::string_view::npos || end == 0 || std::isalpha(static_cast<unsigned char>(text[0])) == 0) return {};
  const std::string_view scheme = text.substr(0, end);
  const bool valid = std::ranges::all_of(scheme, [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.'; });
  return valid ? scheme : std::string_view();
}

Database database_of_scheme(std::string_view scheme) noexcept {
  const auto* const found = std::ranges::find(kDatabaseSchemes, scheme, &DatabaseScheme::scheme);
  return found == std::end(kDatabaseSchemes) ? Database::kNone : found->database;
}

Database database_of(std::string_view text) noexcept {
  return database_of_scheme(scheme_of(text));
}

bool is_uri(std::string_view name) noexcept {
  return !scheme_of(name).empty();
}

bool is_mongodb(std::string_view name) noexcept {
  return database_of(name) == Database::kMongo;
}

void require_known_scheme(std::string_view text) {
  constexpr ErrorCode code = ErrorCode::kUsage;
  const std::string_view scheme = scheme_of(text);
  if (scheme.empty()) {
    std::error_code error;
    if (has_safe_form(text) || std::filesystem::exists(text, error)) return;
    throw Error(code, "'" + without_secrets(text) +
                          "': neither a file nor a URI; write SCHEME://[USER:PASSWORD@]HOST/..., as docs/sources.md says");
  }
  if (database_of(text) != Database::kNone) {
    throw Error(
        code, "'" + without_secrets(text) + "': expected a file; databases are only for -o, --removed, --verdicts and --annotate of dedup");
  }
  throw Error(code, "'" + without_secrets(text) + "': " + std::string(scheme) + ":// is not supported; " + std::string(advice_for(scheme)) +
                        ". docs/sources.md lists what is read and written");
}

}  // namespace neardup
