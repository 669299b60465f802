// find_document(): one document of any input, by its id or its row. parse_document_name(): how a command line names one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "neardup/io.h"
#include "neardup/tools/input_kinds.h"

namespace neardup {

/// FILE#ID or FILE:ROW. FILE is an input of open_source() that exists, or a URI.
struct DocumentName {
  std::string input;
  std::string id;
  std::optional<uint64_t> row{};  ///< instead of the id
};

/// Nothing for the name of an existing file, and where nothing before a '#' or a last ':' is an existing file, a folder or a URI of a
/// database. Of several '#' the first that follows one counts, so ids may have more.
std::optional<DocumentName> parse_document_name(const std::string& word);

struct FoundDocument {
  std::string text;
  InputKinds kinds;  ///< of its input
};

/// The first document with this id, or the one in this row. Asks a database for the id; reads other inputs up to the document. Throws
/// Error{kInput} when there is none, with the ids that resemble it.
FoundDocument find_document(const DocumentName& name, const SourceOptions& options);

}  // namespace neardup
