// InputKinds: the kinds of inputs of a run.
#pragma once

#include <cstdint>

#include "neardup/source.h"

namespace neardup {

struct InputKinds {
  bool lines = false;      ///< JSON Lines
  bool texts = false;      ///< text files and pages, each one document
  bool archives = false;   ///< WARC
  bool tables = false;     ///< Parquet, CSV, TSV
  bool databases = false;  ///< tables of a server or SQLite file, collections

  /// Documents have fields that can be named.
  [[nodiscard]] bool have_fields() const noexcept { return lines || archives || tables || databases; }
  [[nodiscard]] bool any() const noexcept { return texts || have_fields(); }
  friend bool operator==(const InputKinds&, const InputKinds&) = default;
};

/// The kinds of the sources from `first` on.
InputKinds input_kinds(const DocumentSource& source, uint32_t first = 0);

}  // namespace neardup
