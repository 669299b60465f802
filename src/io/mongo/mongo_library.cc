#include "io/mongo/mongo_library.h"

#include <mutex>

#include "io/port/client_library.h"

namespace neardup {

#define NEARDUP_DEFINE(name) decltype(&::name) name = nullptr;
NEARDUP_MONGO_FUNCTIONS(NEARDUP_DEFINE)
#undef NEARDUP_DEFINE

void load_mongo_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "MongoDB", .file = "libmongoc-1.0.so.0", .package = "libmongoc-1.0-0"});
#define NEARDUP_FIND(name) name = reinterpret_cast<decltype(name)>(library.find(#name));
    NEARDUP_MONGO_FUNCTIONS(NEARDUP_FIND)
#undef NEARDUP_FIND
  });
}

}  // namespace neardup
