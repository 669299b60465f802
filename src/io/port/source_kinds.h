// SourceKind: one kind of input that is not a JSON Lines or text file. A new one is a file of its own and a line in source_kinds.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/io.h"

namespace neardup {

struct SourceKind {
  std::string_view name;
  /// True if `input`, as the user named it, is of this kind.
  bool (*takes)(const std::string& input, InputFormat format);
  /// Opens one input; it may have several sources. Throws Error{kInput}, kUsage.
  std::unique_ptr<DocumentSource> (*open)(const std::string& input, const SourceOptions& options);
  /// The same for all inputs of this kind that stand in a row, where they are better one source. May be null.
  std::unique_ptr<DocumentSource> (*open_all)(const std::vector<std::string>& inputs, const SourceOptions& options) = nullptr;
};

/// Null: files decide.
const SourceKind* source_kind_of(const std::string& input, InputFormat format);

}  // namespace neardup
