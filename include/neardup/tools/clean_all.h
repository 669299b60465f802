// clean_all(): the text of each document after the cleaners of a recipe, one JSON line per document: to see what cleaning does, or to store
// the cleaned texts.
#pragma once

#include "neardup/options.h"
#include "neardup/tools/map_documents.h"

namespace neardup {

/// Lines {"id":ID,"text":TEXT}; the id is a string, or null. The text is not normalized. Options used: recipe, threads. Of the summary,
/// text_bytes counts what was read.
Summary clean_all(const Options& options, const MapRun& run);

}  // namespace neardup
