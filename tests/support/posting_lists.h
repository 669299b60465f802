// Postings for tests: the slow and obvious twin of the anchor image, and sets of postings of many shapes.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_sink.h"
#include "index/anchors/anchor_image_writer.h"
#include "index/anchors/posting.h"

namespace neardup::testing {

using Postings = std::set<Posting>;

/// Those of one hash.
inline std::vector<Posting> postings_of(const Postings& all, uint64_t hash) {
  return {all.lower_bound({hash, 0, 0}), all.lower_bound({hash + 1, 0, 0})};
}

class StringSink final : public ByteSink {
 public:
  void append(std::string_view bytes) override { bytes_.append(bytes); }
  [[nodiscard]] uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

inline std::string image_of(const Postings& postings, uint64_t expected) {
  StringSink sink;
  AnchorImageWriter writer(sink, expected);
  for (const Posting& posting : postings) writer.add(posting);
  writer.finish();
  return sink.bytes();
}

struct PostingShape {
  size_t count = 0;
  uint64_t hashes = 1;  ///< at most so many different ones, spread over all values
  uint32_t texts = 1;   ///< texts are below this
  uint32_t contexts = 1 << kContextBits;
  double skew = 0;  ///< 0: hashes are equally frequent; else this power of a random number chooses one
};

inline Postings random_postings(const PostingShape& shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Postings postings;
  for (size_t i = 0; i < shape.count; ++i) {
    const auto which = static_cast<uint64_t>(std::pow(unit(random), 1 + shape.skew) * static_cast<double>(shape.hashes));
    const uint64_t hash = (which * 0x9E37'79B9'7F4A'7C15u) >> (64 - kAnchorHashBits);
    postings.insert({hash, static_cast<uint32_t>(random() % shape.texts), static_cast<uint16_t>(random() % shape.contexts)});
  }
  return postings;
}

}  // namespace neardup::testing
