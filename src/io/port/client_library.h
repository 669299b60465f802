// ClientLibrary: the library of a database server, loaded when a run first needs it. What only some people use costs the others neither a
// package nor the time to load it.
#pragma once

namespace neardup {

class ClientLibrary {
 public:
  struct Name {
    const char* server;   ///< for people: "PostgreSQL"
    const char* file;     ///< for the loader: "libpq.so.5"
    const char* package;  ///< in Debian
  };

  /// Throws Error{kUsage} that names the package. The library stays loaded until the process ends: it has threads and statics of its own.
  explicit ClientLibrary(const Name& name);

  /// The address of a function. Throws Error{kUsage} if the library is too old to have it.
  [[nodiscard]] void* find(const char* function) const;

 private:
  Name name_;
  void* handle_;
};

}  // namespace neardup

// The functions of a library, each as a pointer of the name that the library's header declares: what a list of names applies to declare,
// define and find them.
#define NEARDUP_DECLARE_FUNCTION(name) extern decltype(&::name) name;
#define NEARDUP_DEFINE_FUNCTION(name) decltype(&::name) name = nullptr;
#define NEARDUP_FIND_FUNCTION(name) name = reinterpret_cast<decltype(name)>(library.find(#name));
