// Any bytes as a table of document frequencies: refused by an Error that names the file, or a table whose every answer is that of a plain
// search through its entries; and as its section of words: refused, or words that give the same bytes. The bytes are tried as they are and
// with a checksum that fits, so that the checks after it are reached.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "features/document_frequency.h"
#include "features/frequency_words.h"
#include "features/idf.h"
#include "fuzz_support.h"
#include "neardup/error.h"

namespace {

using namespace neardup;
using fuzz::require;

void look_up_everything(const DocumentFrequencyTable& table) {
  const auto hashes = table.hashes();
  require(std::is_sorted(hashes.begin(), hashes.end()) && hashes.size() == table.counts().size());
  for (size_t i = 0; i < hashes.size(); ++i) {
    require(table.frequency(hashes[i]) == table.counts()[i]);
    require(table.idf(hashes[i]) == idf_fixed(table.documents(), table.counts()[i]));
    if (!std::binary_search(hashes.begin(), hashes.end(), hashes[i] + 1)) require(table.frequency(hashes[i] + 1) == 0);
  }
  require(table.idf_of_frequency(0) == idf_fixed(table.documents(), 0));
}

void try_bytes(const std::string& bytes) {
  try {
    look_up_everything(DocumentFrequencyTable::parse(bytes, "fuzz.idf"));
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with("'fuzz.idf' "));
  }
}

void try_words(const std::string& bytes) {
  try {
    const std::vector<FrequencyWord> words = read_frequency_words(bytes, "fuzz.idf");
    require(words.empty() || frequency_words_section(words) == bytes);
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with("'fuzz.idf' "));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try_bytes(bytes);
  try_words(bytes);
  if (size >= sizeof(uint64_t)) {
    const uint64_t sum = hash64(std::string_view(bytes).substr(0, size - sizeof(uint64_t)));
    std::memcpy(bytes.data() + size - sizeof sum, &sum, sizeof sum);
    try_bytes(bytes);
    try_words(bytes);
  }
  return 0;
}
