#include "dedup/run_folder/run_part.h"

#include <fmt/format.h>

namespace neardup {

std::string part_name(std::string_view pass, uint64_t first_batch) {
  return fmt::format("{}-{:010}{}", pass, first_batch, kPartSuffix);
}

std::unique_ptr<const SegmentFile> open_part(const RunFolder& folder, std::string_view pass, const std::string& name, uint64_t recipe_id) {
  auto file = SegmentFile::open(folder.file(name), pass, 0);
  file->verify_all(1);
  if (file->recipe_id() != recipe_id) throw Error(ErrorCode::kInput, fmt::format("'{}' is of another recipe", file->name()));
  if (name != part_name(pass, file->entries())) throw Error(ErrorCode::kInput, fmt::format("'{}' has another name", file->name()));
  return file;
}

}  // namespace neardup
