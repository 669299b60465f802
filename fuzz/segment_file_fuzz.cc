// Any bytes as a checked file, and edits of a good one whose hashes are put right as a forged one: an Error that names the file, or a file
// whose parts lie inside its bytes.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "fuzz_support.h"
#include "neardup/error.h"
#include "store/segment_file.h"
#include "store/segment_format.h"

namespace {

using namespace neardup;
using fuzz::require;
using segment::Footer;
using segment::Header;

bool inside(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

void read(std::string_view bytes) {
  std::vector<uint64_t> aligned(bytes.size() / 8 + 1);
  if (!bytes.empty()) std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const std::string_view copy(reinterpret_cast<const char*>(aligned.data()), bytes.size());
  try {
    const SegmentFile file(copy, "fuzz.ndh", "test", 64);
    require(inside(file.payload(), copy) && inside(file.names(), copy) && inside(file.recipe(), copy));
    require(file.file_bytes() == copy.size());
    file.verify_all(1);
    file.guard().check(file.payload().data(), file.payload().size());
    file.names_guard().check(file.names().data(), file.names().size());
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with("'fuzz.ndh': "));
    require(error.code() == ErrorCode::kInput);
  }
}

// A file of any sizes that the input asks for, its header edited by the rest of the input, with sums that fit where there is room.
std::string forged(std::string_view input) {
  Header header{};
  std::copy(segment::kMagic.begin(), segment::kMagic.end(), header.magic.begin());
  std::memcpy(header.kind.data(), "test", 4);
  header.byte_order = segment::kByteOrder;
  header.version = segment::kVersion;
  header.bits = 64;
  header.recipe_bytes = static_cast<uint8_t>(input[0]);
  header.payload_bytes = static_cast<uint8_t>(input[1]) * uint64_t{200};
  header.names_bytes = static_cast<uint8_t>(input[2]);
  place_sections(header);
  std::string bytes(header.file_bytes, '\x5A');
  for (size_t i = 3; i + 2 <= input.size(); i += 2) {
    reinterpret_cast<char*>(&header)[static_cast<uint8_t>(input[i]) % offsetof(Header, sum)] = input[i + 1];
  }
  const uint64_t hashed = std::min<uint64_t>(header.recipe_bytes, bytes.size() - sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  header.sum = hash64(bytes.substr(0, offsetof(Header, sum)) + bytes.substr(sizeof header, hashed));
  std::memcpy(bytes.data(), &header, sizeof header);

  Footer footer{header.file_bytes, 0, {}};
  std::copy(segment::kEndMagic.begin(), segment::kEndMagic.end(), footer.magic.begin());
  if (header.hashes_offset <= bytes.size() && header.hashes <= (bytes.size() - header.hashes_offset) / sizeof(uint64_t)) {
    const uint64_t parts[] = {header.sum, hash64(std::string_view(bytes).substr(header.hashes_offset, header.hashes * sizeof(uint64_t)))};
    footer.sum = hash64({reinterpret_cast<const char*>(parts), sizeof parts});
  }
  std::memcpy(bytes.data() + bytes.size() - sizeof footer, &footer, sizeof footer);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  read(input);
  if (size >= 3) read(forged(input));
  return 0;
}
