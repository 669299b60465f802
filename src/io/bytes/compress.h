// Compressor: the same bytes in give the same bytes out, whatever the machine and the time of day.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/bytes/compression.h"

namespace neardup {

class Compressor {
 public:
  virtual ~Compressor() = default;
  /// Appends to `out` what is ready; after `last`, everything. How the input is cut into calls may show in the output, so a caller
  /// that wants reproducible files cuts it at fixed places.
  virtual void compress(std::string_view bytes, bool last, std::string& out) = 0;
};

/// gzip (level 6, no time, no name), zstd (level 3, with checksum) or bzip2 (level 9); null for kNone.
std::unique_ptr<Compressor> make_compressor(Compression compression);

}  // namespace neardup
