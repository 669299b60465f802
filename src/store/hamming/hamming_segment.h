// A segment of a Hamming store: a segment file (segment_file.h) of the kind "hamming". Its payload is the image of an index
// (hamming_image.h), its second section the names of the ids (name_table.h), if the store has names.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "neardup/hamming_store.h"
#include "store/name_table.h"
#include "store/segment_file.h"

namespace neardup {

template <typename Code>
class HammingSegment {
 public:
  /// Maps it; reads the ends only. Throws Error{kInput} that names the file and what is wrong: see SegmentFile; also when its recipe is not
  /// that of the spec, or its plan does not reach the radius.
  HammingSegment(const std::string& path, const HammingStoreSpec& spec);

  [[nodiscard]] const SegmentFile& file() const noexcept { return *file_; }
  [[nodiscard]] const NameTable& names() const noexcept { return names_; }
  /// The index, owned by the segment. Its queries verify what they read.
  [[nodiscard]] const HammingIndex<Code>& index() const noexcept { return index_; }

 private:
  std::unique_ptr<const SegmentFile> file_;
  NameTable names_;
  HammingIndex<Code> index_;
};

/// Writes names with ascending ids; not called without names.
using WriteNames = std::function<void(NameWriter&)>;

/// Builds an index of the codes within build.memory and writes it; codes and ids may be mapped. The bytes depend on the set of
/// entries and on the spec only. Throws Error{kOutput}; then there is no file.
template <typename Code>
WrittenSegment write_hamming_segment(const std::string& path, const HammingStoreSpec& spec, std::span<const Code> codes,
                                     std::span<const uint64_t> ids, const WriteNames& write_names, const HammingStoreBuild& build);

extern template class HammingSegment<Fingerprint64>;
extern template class HammingSegment<Fingerprint128>;

}  // namespace neardup
