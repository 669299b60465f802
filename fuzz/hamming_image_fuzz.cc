// Edits of good Hamming images, and any bytes as one: an Error, or an index that answers without reading outside of its bytes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/page_buffer.h"
#include "index/hamming/hamming_access.h"
#include "index/hamming/hamming_build.h"
#include "neardup/error.h"

namespace {

using namespace neardup;

constexpr uint32_t kRadius = 2;

std::string image_of(size_t count, std::vector<HammingBlock> blocks) {
  std::vector<Fingerprint64> codes;
  std::vector<uint64_t> ids;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t noise = (i / 2 + 1) * 0x9E3779B97F4A7C15;                      // every code twice
    codes.push_back({i % 8 == 0 ? noise : (noise & 0xFFFFFFFFFFFFFF00) | 0x5A});  // most in one bucket
    ids.push_back(i * 3);
  }
  PageBuffer bytes;
  const HammingPlan plan{.bits = 64, .radius = kRadius, .order = {}, .blocks = std::move(blocks)};
  build_hamming_image<Fingerprint64>(codes, HammingIds::kGiven, ids, plan, {}, bytes);
  return {bytes.data(), bytes.size()};
}

void use(std::string_view bytes) {
  // Of exactly this size, so that the sanitizer sees the first byte outside.
  void* begin = nullptr;
  if (posix_memalign(&begin, 64, std::max<size_t>(bytes.size(), 1)) != 0) return;
  const std::unique_ptr<void, void (*)(void*)> copy(begin, std::free);
  if (!bytes.empty()) std::memcpy(begin, bytes.data(), bytes.size());
  try {
    const auto* at = static_cast<const char*>(begin);
    const auto index = HammingIndexAccess::over<Fingerprint64>(nullptr, at, bytes.size(), nullptr, "fuzz");
    HammingScratch scratch;
    std::vector<HammingHit> hits;
    for (const uint64_t code : {uint64_t{0}, uint64_t{0x9E3779B97F4A7C15}, uint64_t{0x3C6EF372FE94F85A}}) {
      for (uint32_t radius = 0; radius <= std::min(index.plan().radius, kRadius); ++radius) {
        index.query({code}, radius, scratch, hits);
        (void)index.count({code}, radius, scratch);
      }
    }
    uint64_t sum = 0;
    for_each_entry(index, [&](Fingerprint64 code, uint64_t id) { sum += code.low ^ id; });
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string good[] = {image_of(300, {{0, 8, 1}, {20, 8, 0}}), image_of(6000, {{0, 8, 0}, {16, 8, 0}, {40, 6, 0}}),
                                     image_of(200, {})};
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  use(input);
  if (input.empty()) return 0;
  std::string bytes = good[data[0] % 3];
  // Positions count from the end, where the description is.
  for (size_t i = 1; i + 4 <= input.size(); i += 4) {
    uint32_t back = 0;
    std::memcpy(&back, input.data() + i, 3);
    bytes[bytes.size() - 1 - back % bytes.size()] = input[i + 3];
  }
  use(bytes);
  return 0;
}
