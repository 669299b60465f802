// ClientLibrary: the library of a database server, loaded when a run first needs it, so that others need neither the package nor the time
// to load it.
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

// The functions of a library, each a pointer with the name from the library's header: macros for a list of names that declare, define and
// find them.
// NOLINTBEGIN(bugprone-macro-parentheses): the names of variables
#define NEARDUP_DECLARE_FUNCTION(name) extern decltype(&::name) name;
#define NEARDUP_DEFINE_FUNCTION(name) decltype(&::name) name = nullptr;
#define NEARDUP_FIND_FUNCTION(name) name = reinterpret_cast<decltype(name)>(library.find(#name));
// NOLINTEND(bugprone-macro-parentheses)
