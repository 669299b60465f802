// The fields of a verdict, as the verdict sink and the annotate sink write them.
#pragma once

#include <string>

#include "neardup/document.h"
#include "neardup/source.h"

namespace neardup {

/// Appends ,"PREFIXverdict":...,"PREFIXreason":..., then PREFIXkeeper_id, _source, _row and PREFIXsimilarity: null for a kept document.
void append_verdict_json(std::string_view prefix, const Verdict& verdict, const DocumentSource& source, std::string& out);

/// The same as a JSON object of their own.
void append_verdict_object(std::string_view prefix, const Verdict& verdict, const DocumentSource& source, std::string& out);

}  // namespace neardup
