// Any bytes as a file of fingerprints: lines, an array of NumPy, bare numbers. Every entry has a name and the width that was asked for, the
// counts add up, and whatever is refused has one line that says why.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "neardup/error.h"
#include "neardup/fingerprint_files.h"

namespace {

using namespace neardup;

void require(bool holds) {
  if (!holds) std::abort();
}

// One file under three names, gone with the process.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "neardup-fuzz.XXXXXX").native();
    require(mkdtemp(name.data()) != nullptr);
    path_ = name;
    for (const char* other : {"f.npy", "f.bin"}) std::filesystem::create_symlink("f.jsonl", path_ / other);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(std::string_view bytes) const { std::ofstream(path_ / "f.jsonl", std::ios::binary) << bytes; }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).native(); }

 private:
  std::filesystem::path path_;
};

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
    require(entries + reader.rejected() == reader.read());
    for (const std::string& warning : reader.warnings()) require(warning.find('\n') == std::string::npos);
  } catch (const Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Folder folder;
  folder.write({reinterpret_cast<const char*>(data), size});
  for (const char* name : {"f.jsonl", "f.npy", "f.bin"}) {
    read_all(folder.file(name), {.bits = 64});
    read_all(folder.file(name), {.bits = 128, .text = FingerprintText::kInteger});
  }
  return 0;
}
