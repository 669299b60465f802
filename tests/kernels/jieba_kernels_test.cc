// The loops of the jieba lattice in every kernel set against their definitions.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace neardup::kernels {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr uint32_t kNoChildren = 1;

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(generator_() % bound); }

 private:
  std::mt19937_64 generator_;
};

// Slots of any contents: the loops do not ask whether they make a trie.
struct Slots {
  explicit Slots(Random& random) {
    const uint32_t codes = 2 + random.below(30);
    const uint32_t slot_count = 3 * codes + random.below(200);
    const uint32_t values = 2 + random.below(20);
    for (uint32_t i = 0; i < slot_count; ++i) {
      const uint32_t base = random.below(3) == 0 ? kNoChildren : random.below(slot_count - codes);
      const auto label = static_cast<uint16_t>(random.below(4) == 0 ? 0xFFFF : 1 + random.below(codes - 1));
      slots.push_back(uint64_t{base} << 40 | uint64_t{random.below(values)} << 16 | label);
      labels.push_back(label);
    }
    labels.push_back(0);
    weights.push_back(kNone);
    for (uint32_t i = 1; i < values; ++i) weights.push_back(random.below(4) == 0 ? kNone : -1.5 * random.below(100));
    for (uint32_t i = 0; i < codes; ++i) {
      first_bases.push_back(random.below(slot_count - codes));
      first_weights.push_back(random.below(3) == 0 ? kNone : -0.25 * random.below(100));
    }
    trie = {.first_bases = first_bases.data(),
            .first_weights = first_weights.data(),
            .labels = labels.data(),
            .slots = slots.data(),
            .weights = weights.data(),
            .none = kNone,
            .unknown = -77,
            .no_children = kNoChildren};
  }
  std::vector<uint64_t> slots;
  std::vector<uint16_t> labels;
  std::vector<double> weights;
  std::vector<uint32_t> first_bases;
  std::vector<double> first_weights;
  JiebaTrie trie{};
};

void check_words(const Kernels& kernels, Random& random) {
  SCOPED_TRACE(kernels.name);
  const Slots slots(random);
  const uint32_t size = random.below(70);
  // What is after the end is of another, longer text.
  std::vector<uint16_t> codes(size + 1 + kJiebaSlack);
  for (auto& code : codes) code = static_cast<uint16_t>(random.below(static_cast<uint32_t>(slots.first_bases.size())));
  codes[size] = codes[size + 1] = 0;
  const size_t room = size + kJiebaSlack;
  std::vector<double> alone(room);
  std::vector<double> pairs(room);
  std::vector<uint32_t> pair_nodes(room);
  std::vector<uint32_t> prefixes(room);
  std::vector<uint32_t> nodes(room);
  const size_t found = kernels.jieba_words(slots.trie, codes.data(), size,
                                           {.alone = alone.data(),
                                            .pairs = pairs.data(),
                                            .pair_nodes = pair_nodes.data(),
                                            .prefixes = prefixes.data(),
                                            .prefix_nodes = nodes.data()});
  size_t next = 0;
  for (uint32_t k = 0; k < size; ++k) {
    const uint32_t node = slots.first_bases[codes[k]] + codes[k + 1];
    const bool is_pair = slots.labels[node] == codes[k + 1];
    const double weight = is_pair ? slots.weights[slots.slots[node] >> 16 & 0xFFFFFF] : kNone;
    const double one = slots.first_weights[codes[k]];
    ASSERT_EQ(pairs[k], weight) << k;
    ASSERT_EQ(pair_nodes[k], is_pair ? node : 0) << k;
    ASSERT_EQ(alone[k], one == kNone && weight == kNone ? -77 : one) << k;
    const auto base = static_cast<uint32_t>(slots.slots[node] >> 40);
    if (!is_pair || base == kNoChildren || slots.labels[base + codes[k + 2]] != codes[k + 2]) continue;
    ASSERT_LT(next, found);
    ASSERT_EQ(prefixes[next], k);
    ASSERT_EQ(nodes[next], base + codes[k + 2]);
    ++next;
  }
  ASSERT_EQ(next, found);
}

TEST(JiebaKernels, words) {
  Random random(1);
  size_t count = 0;
  const Kernels* const* all = available(&count);
  for (int n = 0; n < 2000; ++n) {
    for (size_t i = 0; i < count; ++i) ASSERT_NO_FATAL_FAILURE(check_words(*all[i], random)) << n;
  }
}

std::string random_bytes(Random& random) {
  std::string text;
  const auto add = [&](uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  for (uint32_t n = random.below(140); n > 0; --n) {
    const uint32_t kind = random.below(16);
    if (kind < 2) {
      add(kind == 0 ? '\r' : '\n');
    } else if (kind < 5) {
      add(random.below(0x80));
    } else if (kind < 7) {
      const uint32_t c = 0x80 + random.below(0x780);
      add(0xC0 | c >> 6);
      add(0x80 | (c & 0x3F));
    } else if (kind < 15) {
      const uint32_t c = kind == 7 ? 0x700 + random.below(0xF900) : 0x4E00 + random.below(0x5000);  // some overlong, some surrogates
      add(0xE0 | c >> 12);
      add(0x80 | (c >> 6 & 0x3F));
      add(0x80 | (c & 0x3F));
    } else if (random.below(10) == 0) {
      add(random.below(0x100));
    }
  }
  return text;
}

struct Character {
  uint16_t code;
  size_t length;  // 0: not one of at most three bytes
};

Character character_at(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<uint32_t>(static_cast<uint8_t>(text[at + i])) : 0; };
  const auto inner = [&](size_t i) { return byte(i) >= 0x80 && byte(i) < 0xC0; };
  if (byte(0) < 0x80) return {static_cast<uint16_t>(byte(0)), byte(0) == '\r' && byte(1) == '\n' ? size_t{2} : size_t{1}};
  if (byte(0) >= 0xC2 && byte(0) < 0xE0 && inner(1)) return {0, 2};
  if (byte(0) < 0xE0 || byte(0) > 0xEF || !inner(1) || !inner(2)) return {0, 0};
  const uint32_t c = (byte(0) & 0xF) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return {static_cast<uint16_t>(c), c < 0x800 || (c >= 0xD800 && c < 0xE000) ? size_t{0} : size_t{3}};
}

TEST(JiebaKernels, read) {
  size_t count = 0;
  const Kernels* const* all = available(&count);
  const auto read = all[count - 1]->jieba_read;
  if (read == nullptr) GTEST_SKIP() << "[machine] no instruction set here has this loop";
  // Every character is its own code, but for those of two bytes.
  std::vector<uint16_t> code_of(0x10001);
  for (size_t i = 0; i < 0x10000; ++i) code_of[i] = i >= 0x80 && i < 0x800 ? uint16_t{0} : static_cast<uint16_t>(i);
  Random random(2);
  size_t all_read = 0;
  size_t all_bytes = 0;
  for (int n = 0; n < 20000; ++n) {
    const std::string bytes = random_bytes(random);
    const std::vector<char> text(bytes.begin(), bytes.end());  // a sanitizer sees what is read beyond it
    const size_t most = random.below(200);
    std::vector<uint16_t> codes(most + 2 * kJiebaSlack);
    std::vector<uint32_t> offsets(codes.size());
    const JiebaRead made = read(text.data(), text.size(), 5, code_of.data(), most, codes.data(), offsets.data());
    size_t at = 0;
    size_t k = 0;
    for (; at < made.read; ++k) {
      const Character c = character_at(bytes, at);
      ASSERT_GT(c.length, 0) << n << ": " << at;
      ASSERT_EQ(codes[k], c.code) << n << ": " << at;
      ASSERT_EQ(offsets[k], at + 5) << n;
      at += c.length;
    }
    ASSERT_EQ(at, made.read) << n;
    ASSERT_EQ(k, made.positions) << n;
    all_read += made.read;
    all_bytes += made.positions >= most ? made.read : bytes.size();
  }
  EXPECT_GT(2 * all_read, all_bytes);  // it does read
}

}  // namespace
}  // namespace neardup::kernels
