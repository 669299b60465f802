#include "store/hamming/hamming_segment.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "index/hamming/hamming_access.h"
#include "index/hamming/hamming_build.h"
#include "neardup/error.h"
#include "neardup/tools/hamming_plan.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kHammingKind = "hamming";

template <typename Code>
HammingIndex<Code> index_of(const SegmentFile& file) {
  const std::string_view image = file.payload();
  return HammingIndexAccess::over<Code>(nullptr, image.data(), image.size(), &file.guard(), "'" + file.name() + "'");
}

uint64_t hash_of(Fingerprint64 code, uint64_t id) noexcept {
  return mix64(code.low ^ mix64(id));
}
uint64_t hash_of(Fingerprint128 code, uint64_t id) noexcept {
  return mix64(code.low ^ mix64(code.high ^ mix64(id)));
}

// By a sample chosen by hashes of the entries, so that the plan, like the rest of the segment, does not depend on their order.
template <typename Code>
HammingPlan plan_of(std::span<const Code> codes, std::span<const uint64_t> ids, uint32_t radius) {
  const uint64_t below = codes.size() <= kHammingSample ? UINT64_MAX : UINT64_MAX / codes.size() * kHammingSample;
  std::vector<Code> sample;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (hash_of(codes[i], ids[i]) <= below) sample.push_back(codes[i]);
  }
  return plan_hamming(hamming_statistics(std::move(sample), codes.size()), radius, {});
}

}  // namespace

template <typename Code>
HammingSegment<Code>::HammingSegment(const std::string& path, const HammingStoreSpec& spec)
    : file_(SegmentFile::open(path, kHammingKind, Code::kBits)), names_(*file_), index_(index_of<Code>(*file_)) {
  const auto refuse = [&](const std::string& what) { throw Error(ErrorCode::kInput, fmt::format("'{}': {}", path, what)); };
  if (file_->recipe_id() != spec.recipe_id) {
    refuse(fmt::format("of recipe {:016x}, but the index is of {:016x}", file_->recipe_id(), spec.recipe_id));
  }
  if (index_.plan().radius < spec.radius) {
    refuse(fmt::format("planned for distances up to {}, but the index is for {}", index_.plan().radius, spec.radius));
  }
}

template <typename Code>
WrittenSegment write_hamming_segment(const std::string& path, const HammingStoreSpec& spec, std::span<const Code> codes,
                                     std::span<const uint64_t> ids, const WriteNames& write_names, const HammingStoreBuild& build) {
  SegmentWriter writer(path, {.kind = std::string(kHammingKind),
                              .bits = Code::kBits,
                              .recipe_id = spec.recipe_id,
                              .recipe = spec.recipe,
                              .entries = codes.size()});
  const HammingPlan plan = plan_of(codes, ids, spec.radius);
  const HammingBuildRun run{resolve_threads(build.threads), build.memory, build.temp_dir};
  build_hamming_image(codes, HammingIds::kGiven, ids, plan, run, writer);
  if (write_names) {
    writer.begin_names();
    NameWriter names(writer, build.temp_dir);
    write_names(names);
    names.finish();
  }
  writer.commit();
  return {writer.sum(), codes.size()};
}

template class HammingSegment<Fingerprint64>;
template class HammingSegment<Fingerprint128>;
template WrittenSegment write_hamming_segment<Fingerprint64>(const std::string&, const HammingStoreSpec&, std::span<const Fingerprint64>,
                                                             std::span<const uint64_t>, const WriteNames&, const HammingStoreBuild&);
template WrittenSegment write_hamming_segment<Fingerprint128>(const std::string&, const HammingStoreSpec&, std::span<const Fingerprint128>,
                                                              std::span<const uint64_t>, const WriteNames&, const HammingStoreBuild&);

}  // namespace neardup
