// Any bytes as rows of a database, the first line as their header or as JSON: a row that is taken has a fingerprint that is written and
// read back, and a block that agrees with it; whatever is refused has one line that says why.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "io/fingerprints/block_rows.h"
#include "neardup/error.h"

namespace {

using namespace neardup;
using fuzz::require;

void read_rows(std::string_view input, const FingerprintBlocks& blocks, FingerprintText form) {
  BlockRowParser parser(blocks, form);
  bool begun = false;
  for (size_t at = 0; at < input.size();) {
    const size_t end = std::min(input.find('\n', at), input.size());
    const std::string_view line = input.substr(at, end - at);
    at = end + 1;
    if (!begun && !line.starts_with('{')) {
      try {
        parser.set_header(line);
      } catch (const Error&) {
        return;
      }
      begun = true;
      continue;
    }
    begun = true;
    BlockRow row;
    const Problem problem = parser.parse(line, row);
    require(problem.text.find('\n') == std::string::npos);
    if (!problem.empty()) continue;
    require(!row.id.empty());
    require(blocks.bits() == 128 || row.fingerprint.high == 0);
    std::string text;
    append_fingerprint(form, blocks.bits(), row.fingerprint, text);
    require(parse_fingerprint(form, blocks.bits(), text) == row.fingerprint);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const FingerprintBlocks narrow = FingerprintBlocks::parse("4x16");
  static const FingerprintBlocks wide = FingerprintBlocks::parse("50,50,28");
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  read_rows(input, narrow, FingerprintText::kHex);
  read_rows(input, narrow, FingerprintText::kSigned);
  read_rows(input, wide, FingerprintText::kHex);
  read_rows(input, wide, FingerprintText::kInteger);
  read_rows(input, narrow, FingerprintText::kBits);
  return 0;
}
