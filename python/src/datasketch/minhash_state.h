// MinHashState: the native half of a MinHash, the base of the class in python/neardup/compat/datasketch/minhash.py.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "datasketch/signature.h"

namespace neardup::python {

/// What Python sees as Permutations: the parameters, and the array that they came from.
struct SharedPermutations {
  Permutations permutations;
  nanobind::object array;
};

struct MinHashState {
  /// Shared only with arrays that Python holds: as in the original, such an array keeps its contents when the MinHash is updated, and
  /// writing to it changes the MinHash until then.
  std::shared_ptr<Words> values;
  nanobind::object permutations;               ///< a SharedPermutations, or None: cannot be updated
  const SharedPermutations* shared = nullptr;  ///< that object, or null
  nanobind::object seed;
  nanobind::object hashfunc;
  nanobind::object gpu_mode;
  Scheme scheme = Scheme::kAffine32;
  TokenHash hash = TokenHash::kPython;

  [[nodiscard]] size_t size() const noexcept { return size_of(*values); }
  /// The values for writing, which no array shares.
  Words& writable();
};

const char* name_of(Scheme scheme) noexcept;

}  // namespace neardup::python
