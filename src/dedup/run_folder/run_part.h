// What the parts in a run folder have in common: their names, what makes one usable, and what becomes of one that is not.
//
// A part is a checked file (store/segment_file.h) of a pass and consecutive batches; `entries` of its header is the first of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dedup/run_folder/run_folder.h"
#include "neardup/error.h"
#include "store/segment_file.h"

namespace neardup {

inline constexpr std::string_view kPartSuffix = ".part";

/// "PASS-0000000012.part"
std::string part_name(std::string_view pass, uint64_t first_batch);

/// Opens the part under its name and checks all of it. Throws Error{kInput} when it is damaged, of another recipe, or not what its name
/// says.
std::unique_ptr<const SegmentFile> open_part(const RunFolder& folder, std::string_view pass, const std::string& name, uint64_t recipe_id);

/// read(), which throws Error{kInput} for a part that is of no use: a disk lost power in the wrong moment, or it is of another recipe. It
/// is discarded then, so that it is made again, and the answer is false. Other errors go on.
template <typename Read>
bool read_or_discard(const RunFolder& folder, const std::string& name, const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    folder.discard(name);
    return false;
  }
}

}  // namespace neardup
