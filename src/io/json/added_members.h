// Members that sinks add to a line of JSON: a leading key, if the target stores rows by key; the fields of a verdict at the end.
#pragma once

#include <string>
#include <string_view>

#include "neardup/document.h"
#include "neardup/source.h"

namespace neardup {

/// The bytes of the value of a member of `line`, an object; empty if it has none of this name.
std::string_view member_of(std::string_view line, std::string_view name);

/// Appends the key of a document without one as a JSON string: its id, or SOURCE:ROW.
void append_made_key(const Record& record, const DocumentSource& source, std::string& out);
/// SOURCE:ROW as a JSON string.
void append_place_key(const DocumentId& where, const DocumentSource& source, std::string& out);

/// Appends `line`, with a leading member `key` if it has none.
void append_keyed_line(std::string_view key, std::string_view line, const Record& record, const DocumentSource& source, std::string& out);

/// Appends ,"PREFIXverdict":...,"PREFIXreason":..., then PREFIXkeeper_id, _source, _row and PREFIXsimilarity: null for a kept document;
/// last PREFIXcluster_id and PREFIXcluster_size.
void append_verdict_json(std::string_view prefix, const Verdict& verdict, const DocumentSource& source, std::string& out);

/// The same as a separate JSON object.
void append_verdict_object(std::string_view prefix, const Verdict& verdict, const DocumentSource& source, std::string& out);

}  // namespace neardup
