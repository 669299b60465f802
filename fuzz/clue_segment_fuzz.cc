// Edits of the payload of a good clue segment, and any bytes as one, in a checked file whose hashes are right, as a forged one: an Error
// that names the file, or texts, names, ids and postings. Of a segment that passes its checks, everything can be read.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "fuzz_support.h"
#include "neardup/error.h"
#include "store/clue/clue_segment.h"
#include "store/clue/clue_segment_check.h"
#include "store/clue/clue_segment_writer.h"
#include "store/segment_format.h"

namespace {

using namespace neardup;
using segment::Footer;
using segment::Header;

constexpr uint64_t kTexts = 120;

std::string good_payload() {
  const fuzz::Folder folder;
  const std::string path = folder.file("good");
  ClueSegmentWriter writer(path, 0, {}, {.threads = 1});
  std::vector<Anchor> anchors;
  for (uint64_t i = 0; i < kTexts; ++i) {
    anchors.clear();
    for (uint64_t j = 0; j < i % 30; ++j)
      anchors.push_back({hash64(std::to_string(j * i % 50)) >> (64 - kAnchorHashBits), 0, static_cast<uint16_t>(j)});
    writer.add(i + i * i / 50, "name:" + std::to_string(i), std::string(i == 60 ? 20'000 : i * i % 300, static_cast<char>('a' + i % 26)),
               anchors);
  }
  writer.commit();
  return std::string(SegmentFile::open(path, clue_segment::kKind, 0)->payload());
}

// A checked file with this payload, from a multiple of 8 on.
std::vector<uint64_t> file_of(std::string_view payload, uint64_t entries) {
  Header header{};
  std::copy(segment::kMagic.begin(), segment::kMagic.end(), header.magic.begin());
  std::copy(clue_segment::kKind.begin(), clue_segment::kKind.end(), header.kind.begin());
  header.byte_order = segment::kByteOrder;
  header.version = segment::kVersion;
  header.entries = entries;
  header.payload_bytes = payload.size();
  place_sections(header);
  std::vector<uint64_t> words(header.file_bytes / 8);
  char* const bytes = reinterpret_cast<char*>(words.data());
  std::memcpy(bytes, &header, sizeof header);
  header.sum = hash64({bytes, offsetof(Header, sum)});
  std::memcpy(bytes, &header, sizeof header);
  std::copy(payload.begin(), payload.end(), bytes + header.payload_offset);
  for (uint64_t block = 0; block < header.hashes; ++block) {
    words[header.hashes_offset / 8 + block] = hash64(payload.substr(block * BlockGuard::kBlockBytes, BlockGuard::kBlockBytes));
  }
  const uint64_t parts[] = {header.sum, hash64({bytes + header.hashes_offset, header.hashes * sizeof(uint64_t)})};
  Footer footer{header.file_bytes, hash64({reinterpret_cast<const char*>(parts), sizeof parts}), {}};
  std::copy(segment::kEndMagic.begin(), segment::kEndMagic.end(), footer.magic.begin());
  std::memcpy(bytes + header.file_bytes - sizeof footer, &footer, sizeof footer);
  return words;
}

// Returns whether nothing was refused.
bool use(std::string_view payload, uint64_t entries) {
  const std::vector<uint64_t> words = file_of(payload, entries);
  const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint64_t));
  bool sound = true;
  bool passed = false;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      sound = false;
      fuzz::require(error.code() == ErrorCode::kInput && std::string_view(error.what()).starts_with("'fuzz.ndh'"));
      fuzz::require_one_line(error);
    }
  };
  attempt([&] {
    const ClueSegment segment(std::make_unique<const SegmentFile>(bytes, "fuzz.ndh", clue_segment::kKind, 0), 0);
    fuzz::require(segment.texts() == entries);
    // Not of billions of texts that take no byte each.
    if (segment.texts() < 1'000'000) {
      attempt([&] {
        verify_clue_segment(segment, UINT64_MAX, 1);
        passed = true;
      });
      sound = true;
    }
    ClueSegment::Scratch scratch;
    std::string out;
    for (uint32_t text = 0; text < std::min(segment.texts(), 1000u); ++text) {
      attempt([&] { segment.read_text(text, out, scratch); });
      attempt([&] { segment.read_name(text, out, scratch); });
      attempt([&] {
        const std::optional<uint32_t> found = segment.find(segment.id(text));
        fuzz::require(!found || segment.id(*found) == segment.id(text));
        static_cast<void>(segment.min_postings(text));
        segment.prefetch_texts({&text, 1});
      });
    }
    attempt([&] { segment.anchors().for_each([&](const Posting& posting) { fuzz::require(posting.text < segment.texts()); }); });
  });
  fuzz::require(sound || !passed);
  return sound && passed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string good = good_payload();
  static const bool good_is_sound = use(good, kTexts);
  fuzz::require(good_is_sound);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty() || data[0] % 4 == 0) {
    use(input.substr(input.empty() ? 0 : 1), input.size() / 8);
    return 0;
  }
  const std::string_view rest = input.substr(1);
  std::string payload = good;
  for (size_t i = 0; i + 4 <= rest.size(); i += 4) {
    uint32_t back = 0;
    std::memcpy(&back, rest.data() + i, 3);
    payload[payload.size() - 1 - back % payload.size()] = rest[i + 3];
  }
  use(payload, kTexts);
  return 0;
}
