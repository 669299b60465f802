// Any bytes as a file of fingerprints: lines, an array of NumPy, bare numbers. Every entry has a name and the width that was asked for, the
// counts add up, and whatever is refused has one line that says why.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "neardup/error.h"
#include "neardup/tools/fingerprint_files.h"

namespace {

using namespace neardup;
using fuzz::require;

void read_all(const std::string& path, const FingerprintFormat& format) {
  try {
    FingerprintReader reader({path}, format);
    FingerprintEntry entry;
    uint64_t entries = 0;
    while (reader.next(entry)) {
      ++entries;
      require(!entry.name.empty());
      require(entry.too_short || format.bits == 128 || entry.code.high == 0);
    }
    require(entries + reader.rejects().total() == reader.read());
    for (const std::string& warning : reader.warnings()) require(warning.find('\n') == std::string::npos);
  } catch (const Error& error) {
    fuzz::require_one_line(error);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::Folder folder;
  static const bool named = [] {  // one file under three names
    for (const char* other : {"f.npy", "f.bin"}) std::filesystem::create_symlink("f.jsonl", folder.file(other));
    return true;
  }();
  require(named);
  folder.write("f.jsonl", {reinterpret_cast<const char*>(data), size});
  for (const char* name : {"f.jsonl", "f.npy", "f.bin"}) {
    read_all(folder.file(name), {.bits = 64});
    read_all(folder.file(name), {.bits = 128, .text = FingerprintText::kInteger});
  }
  return 0;
}
