// clean_all(): the text of each document as the cleaners of a recipe leave it, one JSON line a document: to see what cleaning does, or to
// keep the cleaned texts.
#pragma once

#include "neardup/options.h"
#include "neardup/tools/map_documents.h"

namespace neardup {

/// Lines {"id":ID,"text":TEXT}; the id is a string, or null. The text is not normalized. Options used: recipe, threads. Of the summary,
/// text_bytes counts what was read.
Summary clean_all(const Options& options, const MapRun& run);

}  // namespace neardup
