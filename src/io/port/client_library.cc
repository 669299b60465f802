#include "io/port/client_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup {

ClientLibrary::ClientLibrary(const Name& name) : name_(name), handle_(::dlopen(name.file, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* why = ::dlerror();
  throw Error(ErrorCode::kUsage, fmt::format("{} needs its client library {}; install the package {} ({})", name.server, name.file,
                                             name.package, why == nullptr ? "unknown error" : why));
}

void* ClientLibrary::find(const char* function) const {
  if (void* found = ::dlsym(handle_, function)) return found;
  throw Error(ErrorCode::kUsage,
              fmt::format("{} is too old: it has no function {}; install a newer package {}", name_.file, function, name_.package));
}

}  // namespace neardup
