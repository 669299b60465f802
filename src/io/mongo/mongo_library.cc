#include "io/mongo/mongo_library.h"

#include <mutex>

namespace neardup {

NEARDUP_MONGO_FUNCTIONS(NEARDUP_DEFINE_FUNCTION)

void load_mongo_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "MongoDB", .file = "libmongoc-1.0.so.0", .package = "libmongoc-1.0-0"});
    NEARDUP_MONGO_FUNCTIONS(NEARDUP_FIND_FUNCTION)
  });
}

}  // namespace neardup
