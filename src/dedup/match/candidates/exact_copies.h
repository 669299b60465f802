// Exact copies: documents whose normalized texts are equal. Only one of them takes part in the search, for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/corpus/document_table.h"

namespace neardup {

/// copy_of[d] is the first document in rank order with the same exact hash as d (d itself if it is that one). `known` is the answer for
/// the first documents, if they are all ranked before the others.
///
/// Documents that copy one of the reference corpus refer to it in two steps: the first of them to the reference document, the others to
/// that first one. The first takes part in the search for the others, because another reference document, ranked before the copied one, may
/// match it: reference documents are never removed.
std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes,
                                        std::vector<uint32_t> known = {});

/// True if it is the first of the documents that copy a reference document.
bool copies_reference(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) noexcept;

/// True if its features are compared: it has some, and is not a copy or copies_reference().
bool takes_part(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) noexcept;

}  // namespace neardup
