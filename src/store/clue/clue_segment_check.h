// Checks of a clue segment as a whole. Readers check what they use, and nothing else; hashes show that bytes changed, not that a writer was
// wrong.
#pragma once

#include <cstdint>

#include "store/clue/clue_segment.h"

namespace neardup {

/// Throws Error{kInput} that names the file unless its sizes of texts agree with the number of its postings. Reads the sizes only. Writers
/// choose the number of buckets of an image by these sizes, so wrong ones would cost any amount of memory and disk.
void check_posting_classes(const ClueSegment& segment);

/// Reads everything: blocks have their hashes, ids ascend and are below `next_id`, all texts and names can be read, postings are in order
/// and as many for each text as its size says. Throws Error{kInput} that names the file and the first contradiction. Memory: 4 bytes for
/// each text, at most 256 MiB.
void verify_clue_segment(const ClueSegment& segment, uint64_t next_id, uint32_t threads);

}  // namespace neardup
