// MongoPlace: the parsed mongodb://[user:password@]host[:port][,host...]/db.collection[?options].
#pragma once

#include <string>
#include <string_view>

#include "neardup/tools/secrets.h"

namespace neardup {

struct MongoPlace {
  std::string uri;  ///< for the driver, with its credentials and without the collection: never shown
  std::string database;
  std::string collection;
  std::string hosts;  ///< in lower case, sorted: for comparing places
  std::string shown;  ///< mongodb://hosts/db.collection, for people
  Secrets secrets;    ///< of the URI: for messages of the driver

  /// Throws Error{kUsage} that says what is wrong and shows no credentials.
  static MongoPlace parse(std::string_view text);
  /// mongodb:// or mongodb+srv://
  static bool takes(std::string_view text) noexcept;
};

/// True if both name one collection by the same hosts. Does not recognize a server under two names.
bool same_collection(const MongoPlace& a, const MongoPlace& b) noexcept;

/// Bytes with %XX replaced. Other bytes are unchanged.
std::string percent_decoded(std::string_view text);

}  // namespace neardup
