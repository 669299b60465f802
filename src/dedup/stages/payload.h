// The payload of a candidate: what it is compared by.
//
//   version (u8), id of the recipe (u64), the lower half of the id of the settings (u32)
//   band keys (BandKeys::row_bytes), row of the signature filter (SignatureFilter::row_bytes): of a MinHash
//   fingerprint, 8 or 16 bytes: of a recipe of fingerprints
//   features (u64, ascending): to the end, where pairs are judged by them
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "dedup/stages/stage_settings.h"

namespace neardup {

struct PayloadView {
  const uint8_t* keys = nullptr;
  const uint8_t* filter = nullptr;
  Fingerprint128 code;
  std::string_view features;  ///< not aligned
};

/// Throws Error{kInput} that names the document for a payload that this run cannot have made.
PayloadView open_payload(const StageSettings& settings, int64_t rank, std::string_view payload);

/// Of texts.
std::unique_ptr<Stages::Candidates> make_candidates(const StageSettings& settings);
/// Of blobs of kCodes.
std::vector<StoredRow> make_code_rows(const StageSettings& settings, std::span<const std::string_view> blobs);

}  // namespace neardup
