// MongoPlace: what mongodb://[user:password@]host[:port][,host...]/db.collection[?options] names.
#pragma once

#include <string>
#include <string_view>

#include "neardup/tools/secrets.h"

namespace neardup {

struct MongoPlace {
  std::string uri;  ///< for the driver, with its credentials and without the collection: never shown
  std::string database;
  std::string collection;
  std::string hosts;  ///< in lower case, sorted: to compare places with
  std::string shown;  ///< mongodb://hosts/db.collection, for people
  Secrets secrets;    ///< of the URI: for messages of the driver

  /// Throws Error{kUsage} that says what is wrong and shows no credentials.
  static MongoPlace parse(std::string_view text);
  /// mongodb:// or mongodb+srv://
  static bool takes(std::string_view text) noexcept;
};

/// True if both name one collection by the same hosts. A server under two names is not seen through.
bool same_collection(const MongoPlace& a, const MongoPlace& b) noexcept;

/// Bytes with %XX replaced. What is not an escape stays.
std::string percent_decoded(std::string_view text);

}  // namespace neardup
