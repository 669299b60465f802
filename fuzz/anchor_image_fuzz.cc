// Postings to an anchor image and back; edits of good images, and any bytes as one: an Error, or an image that answers without reading
// outside of its bytes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_sink.h"
#include "fuzz_support.h"
#include "index/anchors/anchor_image.h"
#include "index/anchors/anchor_image_writer.h"

namespace {

using namespace neardup;

class FuzzSink final : public ByteSink {
 public:
  void append(std::string_view bytes) override { bytes_.append(bytes); }
  [[nodiscard]] uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

std::string image_of(const std::set<Posting>& postings, uint64_t expected) {
  FuzzSink sink;
  AnchorImageWriter writer(sink, expected);
  for (const Posting& posting : postings) writer.add(posting);
  writer.finish();
  return sink.bytes();
}

// Lists of every kind: of one, of a few, packed, and of several blocks.
std::set<Posting> some_postings() {
  std::set<Posting> postings;
  for (uint64_t i = 0; i < 40; ++i) {
    const uint64_t hash = (i * i * i + 1) * 0x9E37'79B9'7F4A'7C15u >> (64 - kAnchorHashBits);
    const uint32_t count = i % 10 == 0 ? 300 : i % 5 == 0 ? 20 : i % 3 == 0 ? 3 : 1;
    for (uint32_t j = 0; j < count; ++j) {
      postings.insert({hash, static_cast<uint32_t>(i * 1000 + j * j), static_cast<uint16_t>(j * i % (1u << kContextBits))});
    }
  }
  return postings;
}

void use(std::string_view bytes) {
  // Of exactly this size, so that the sanitizer sees the first byte outside.
  const auto copy = std::make_unique<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      fuzz::require_one_line(error);
    }
  };
  attempt([&] {
    const AnchorImage image(copy.get(), bytes.size(), nullptr, "fuzz");
    std::vector<uint64_t> hashes = {0, (uint64_t{1} << kAnchorHashBits) - 1, UINT64_MAX};
    attempt([&] {
      Posting last;
      uint64_t visited = 0;
      image.for_each([&](const Posting& posting) {
        fuzz::require(visited == 0 || last < posting);
        fuzz::require(posting.text < image.text_limit() && posting.hash >> kAnchorHashBits == 0 && posting.context >> kContextBits == 0);
        if (hashes.size() < 100 && (visited == 0 || posting.hash != last.hash)) hashes.push_back(posting.hash);
        last = posting;
        ++visited;
      });
      fuzz::require(visited == image.postings());
    });
    for (const uint64_t hash : hashes) {
      attempt([&] {
        for (AnchorImage::Cursor cursor(image, image.find(hash)); !cursor.done(); cursor.next())
          fuzz::require(cursor.text() < image.text_limit());
      });
      attempt([&] {
        AnchorImage::Cursor cursor(image, image.find(hash));
        for (uint64_t text = 1; !cursor.done() && text <= kMaxPostingText; text += text) {
          cursor.seek(static_cast<uint32_t>(text));
          fuzz::require(cursor.done() || cursor.text() >= text);
        }
      });
    }
  });
}

// Postings whose gaps and counts the input chooses.
void round_trip(std::string_view input) {
  fuzz::Fields fields(input);
  const uint64_t expected = uint64_t{1} << fields.byte() % 14;
  std::set<Posting> postings;
  Posting at;
  while (!fields.empty() && postings.size() < 4096) {
    const uint8_t kind = fields.byte();
    if (kind % 4 == 0) at.hash = (at.hash + (uint64_t{fields.byte()} << kind / 4 % 32) + 1) % (uint64_t{1} << kAnchorHashBits);
    const uint32_t count = kind % 4 == 1 ? fields.byte() : 1;
    const uint32_t step = kind % 4 == 3 ? 0 : uint32_t{fields.byte()} << kind / 4 % 24;
    const uint16_t turn = fields.byte();
    for (uint32_t i = 0; i < count; ++i) {
      at.text = static_cast<uint32_t>((uint64_t{at.text} + step) % (uint64_t{kMaxPostingText} + 1));
      at.context = static_cast<uint16_t>((at.context + turn) % (1u << kContextBits));
      postings.insert(at);
    }
  }
  const std::string bytes = image_of(postings, expected);
  const AnchorImage image(bytes.data(), bytes.size(), nullptr, "fuzz");
  auto next = postings.begin();
  image.for_each([&](const Posting& posting) { fuzz::require(next != postings.end() && posting == *next++); });
  fuzz::require(next == postings.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string good[] = {image_of(some_postings(), 0), image_of(some_postings(), 1500)};
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) {
    use(input);
    return 0;
  }
  const std::string_view rest = input.substr(1);
  if (data[0] % 4 == 0) use(rest);
  if (data[0] % 4 == 1) round_trip(rest);
  if (data[0] % 4 < 2) return 0;
  std::string bytes = good[data[0] % 2];
  for (size_t i = 0; i + 4 <= rest.size(); i += 4) {
    uint32_t back = 0;
    std::memcpy(&back, rest.data() + i, 3);
    bytes[bytes.size() - 1 - back % bytes.size()] = rest[i + 3];
  }
  use(bytes);
  return 0;
}
