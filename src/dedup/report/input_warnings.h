// Warnings about documents that a run may have read differently than the user meant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/source.h"

namespace neardup {

/// Text files with bytes that their charset does not have (Record::malformed).
void warn_of_malformed_texts(uint64_t texts, std::vector<std::string>& warnings);
/// Documents whose id is neither a string nor a number (Record::bad_id).
void warn_of_invalid_ids(uint64_t ids, std::vector<std::string>& warnings);
/// Of `documents`, those without a value in `field`, Options::block_on; nothing if it is empty.
void warn_of_blocks(const std::string& field, uint64_t without, uint64_t documents, std::vector<std::string>& warnings);
/// Of `documents`, those without a number in the field of the keep policy `keep`; nothing if it has no field.
void warn_of_rank_values(const std::string& keep, uint64_t without, uint64_t documents, std::vector<std::string>& warnings);
/// For the first source of HTML pages, unless the recipe has a cleaner of markup or `options` ask for none: without one, tags count as
/// text.
void warn_of_markup(const DocumentSource& source, const Options& options, const Recipe& recipe, std::vector<std::string>& warnings);

}  // namespace neardup
