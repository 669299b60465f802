#include "sketch/python_simhash.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/allowed_skips.h"
#include "support/project_files.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr uint64_t kPrime = 0x100000001B3u;

std::string utf8(std::u32string_view code_points) {
  std::string text;
  for (const char32_t c : code_points) append_utf8(c, text);
  return text;
}

// MD5 by OpenSSL.
Fingerprint128 md5_by_openssl(std::string_view message) {
  uint8_t digest[16] = {};
  EXPECT_EQ(EVP_Digest(message.data(), message.size(), digest, nullptr, EVP_md5(), nullptr), 1);
  Fingerprint128 number;
  for (size_t i = 0; i < 16; ++i) (i < 8 ? number.high : number.low) |= uint64_t{digest[i]} << (56 - 8 * (i % 8));
  return number;
}

// The slow twin: what the package does, step by step, by ICU over the whole text, a map of windows, OpenSSL.
Fingerprint128 text_reference(const std::string& text) {
  std::string repaired;
  repair_utf8(text, repaired);
  icu::UnicodeString lower = icu::UnicodeString::fromUTF8(repaired);
  lower.toLower(icu::Locale::getRoot());
  std::u32string kept;
  for (int32_t at = 0; at < lower.length(); at = lower.moveIndex32(at, 1)) {
    const UChar32 c = lower.char32At(at);
    if (u_isalpha(c) != 0 || u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE) != U_NT_NONE || c == '_')
      kept.push_back(static_cast<char32_t>(c));
  }
  std::map<std::string, int> windows;
  for (size_t at = 0; at == 0 || at + 4 <= kept.size(); ++at) ++windows[utf8(kept.substr(at, 4))];
  int ones[128] = {};
  int all = 0;
  for (const auto& [window, count] : windows) {
    const Fingerprint128 digest = md5_by_openssl(window);
    for (uint32_t bit = 0; bit < 128; ++bit) ones[bit] += ((bit < 64 ? digest.low : digest.high) >> (bit % 64) & 1) != 0 ? count : 0;
    all += count;
  }
  Fingerprint128 made;
  for (uint32_t bit = 0; bit < 128; ++bit) (bit < 64 ? made.low : made.high) |= uint64_t{2 * ones[bit] > all} << (bit % 64);
  return made;
}

Fingerprint128 tokens(const std::vector<std::string>& list) {
  const std::vector<std::string_view> views(list.begin(), list.end());
  return python_simhash_tokens(views);
}

Fingerprint128 weighted(const std::vector<PythonToken>& list) {
  return python_simhash_weighted(list);
}

TEST(PythonSimhashMd5, EqualsOpenSslAtEveryLength) {
  std::mt19937_64 random(1);
  for (size_t length = 0; length < 300; ++length) {
    std::string message(length, '\0');
    std::generate(message.begin(), message.end(), [&] { return static_cast<char>(static_cast<uint8_t>(random())); });
    EXPECT_EQ(md5_number(message), md5_by_openssl(message)) << length;
    EXPECT_EQ(tokens({message}), md5_by_openssl(message)) << length;
  }
}

// Values that the package printed for these calls.
TEST(PythonSimhash, TheOdditiesOfThePackage) {
  const auto hex = [](const Fingerprint128& fingerprint) { return to_hex(fingerprint.low_half()); };
  EXPECT_EQ(hex(python_simhash_text("")), "e9800998ecf8427e");
  EXPECT_EQ(hex(python_simhash_text("?! \xff")), "e9800998ecf8427e");
  EXPECT_EQ(hex(python_simhash_text("Python is sexy")), "7cf3a135aa595818");
  EXPECT_EQ(hex(tokens({})), "0000000000000000");
  EXPECT_EQ(hex(tokens({"a"})), "31c399e269772661");
  EXPECT_EQ(hex(weighted({})), "0000000000000000");
  EXPECT_EQ(hex(weighted({{"a", int64_t{0}}})), "0000000000000000");
  EXPECT_EQ(hex(weighted({{"a", int64_t{-1}}})), "ffffffffffffffff");
  EXPECT_EQ(hex(weighted({{"a", int64_t{-3}}, {"b", int64_t{1}}})), "ffffffffffffffff");
  EXPECT_EQ(to_hex(weighted({{"a", int64_t{-3}}, {"b", int64_t{5}}})), "92eb5ffee6ae2fec3ad71c777531578f");
  EXPECT_EQ(hex(weighted({{"a", -0.5}, {"b", int64_t{1}}})), "3ad71c777531578f");
  EXPECT_EQ(hex(weighted({{"a", std::nan("")}})), "0000000000000000");
  EXPECT_EQ(hex(weighted({{"a", HUGE_VAL}, {"b", 1.0}})), "0000000000000000");
  EXPECT_EQ(to_hex(weighted({{"a", 2.0}, {"b", int64_t{2}}})), "00c155b8c0a026a830c3186261310601");
  EXPECT_EQ(to_hex(weighted({{"a", int64_t{300}}, {"b", -2.5}})), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(hex(weighted({{"a", int64_t{1} << 40}, {"b", int64_t{1} << 40}, {"c", int64_t{3}}})), "31c7987261335723");
  EXPECT_EQ(hex(weighted({{"a", int64_t{1000}}, {"b", int64_t{-1000}}})), "31c399e269772661");
}

// The three checksums come out of tests/sketch/python_simhash_checksum.py, which runs the package.
TEST(PythonSimhash, WordCharactersEqualPythons) {
  const UVersionInfo unicode_14 = {14, 0, 0, 0};
  uint64_t checksum = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    const bool known = std::lexicographical_compare(std::begin(unicode_14), std::end(unicode_14), std::begin(age), std::end(age)) == 0;
    if (c == 0x3A3 || (c >= 0xD800 && c < 0xE000) || !known || u_charType(static_cast<UChar32>(c)) == U_UNASSIGNED) continue;
    const char32_t left = python_word_character(c);
    if (c < 0x10000) {  // these come from a table
      ASSERT_EQ(python_simhash_text(utf8({&c, 1})), md5_by_openssl(left == 0 ? "" : utf8({&left, 1}))) << static_cast<uint32_t>(c);
    }
    checksum = (checksum ^ c ^ uint64_t{left} << 32) * kPrime;
  }
  EXPECT_EQ(checksum, 0xd9b742d2da7529ffu);
}

TEST(PythonSimhash, SumsOfWeightsEqualThePackages) {
  std::mt19937_64 random(1);
  uint64_t checksum = 0;
  for (int round = 0; round < 3000; ++round) {
    const uint64_t count = round % 50 == 0 ? 150 + random() % 400 : random() % 8;
    std::vector<std::string> names;
    std::vector<std::variant<int64_t, double>> weights;
    for (uint64_t i = 0; i < count; ++i) {
      const std::string once = "t" + std::to_string(random() % 1000);
      std::string name;
      for (uint64_t times = 1 + random() % 4 * 5; times > 0; --times) name += once;
      names.push_back(name);
      const uint64_t kind = random() % 4;
      const auto weight = static_cast<int64_t>(random() % 70);
      const double tenths = static_cast<double>(weight) / 10;
      const std::variant<int64_t, double> kinds[] = {weight, weight - 5, tenths, tenths - 1};
      weights.push_back(kinds[kind]);
    }
    std::vector<PythonToken> list;
    for (size_t i = 0; i < count; ++i) list.push_back({names[i], weights[i]});
    const Fingerprint128 made = weighted(list);
    checksum = (checksum ^ made.low) * kPrime;
    checksum = (checksum ^ made.high) * kPrime;
  }
  EXPECT_EQ(checksum, 0xa372ff628e5d3bddu);
}

constexpr std::u32string_view kAlphabet = U"aZ_9 .,é\u0301ΣσΑ'İßŉ中文字。１²½Ⅷ〇٣𝐀𠀀😀\u00ad\n";

std::string random_text(std::mt19937_64& random, uint64_t length) {
  std::u32string text;
  for (; length > 0; --length) text.push_back(kAlphabet[random() % kAlphabet.size()]);
  return utf8(text);
}

TEST(PythonSimhash, TextsEqualThePackages) {
  std::mt19937_64 random(2);
  uint64_t checksum = 0;
  for (int round = 0; round < 3000; ++round) {
    const Fingerprint128 made = python_simhash_text(random_text(random, random() % 40));
    checksum = (checksum ^ made.low) * kPrime;
    checksum = (checksum ^ made.high) * kPrime;
  }
  EXPECT_EQ(checksum, 0x4a247fdf5dc115ceu);
}

TEST(PythonSimhash, AnyBytesEqualTheSlowTwin) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 4000; ++round) {
    std::string text = random_text(random, random() % (round % 100 == 0 ? 3000 : 60));
    for (char& c : text) {
      if (round % 2 == 0 && random() % 20 == 0) c = static_cast<char>(static_cast<uint8_t>(random()));
    }
    ASSERT_EQ(python_simhash_text(text), text_reference(text)) << ::testing::PrintToString(text);
  }
}

TEST(PythonSimhash, AMillionCharactersAreFast) {
  std::mt19937_64 random(4);
  const std::string text = random_text(random, 1'000'000);
  const auto begin = std::chrono::steady_clock::now();
  const Fingerprint128 made = python_simhash_text(text);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(made, text_reference(text));
  EXPECT_LT(seconds.count(), 5);  // a few hundredths; the bound is for sanitizers
}

class PythonSimhashGolden : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto path = testing::shared_folder() / "golden" / "simhash-golden.jsonl";
    NEARDUP_NEEDS_SHARED(path);
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) rows_.push_back(boost::json::parse(line).as_object());
  }

  static std::string text_of(const boost::json::value& value) { return std::string(value.as_string()); }

  // Empty for kinds that need a segmenter.
  static std::optional<Fingerprint128> made_of(const boost::json::object& row) {
    const std::string kind = text_of(row.at("kind"));
    const boost::json::value& input = row.at("input");
    if (kind == "text") return python_simhash_text(text_of(input));
    if (kind == "tokens") {
      std::vector<std::string> list;
      for (const auto& each : input.as_array()) list.push_back(text_of(each));
      return tokens(list);
    }
    if (kind != "weighted") return std::nullopt;
    std::vector<PythonToken> list;
    for (const auto& each : input.as_array()) {
      const auto& weight = each.at(1);
      list.push_back({std::string_view(each.at(0).as_string()), {}});
      if (weight.is_double()) {
        list.back().weight = weight.as_double();
      } else {
        list.back().weight = weight.to_number<int64_t>();
      }
    }
    return weighted(list);
  }

  std::vector<boost::json::object> rows_;
};

TEST_F(PythonSimhashGolden, EveryRecordOfThePackage) {
  std::map<std::string, int> compared;
  std::map<std::string, Fingerprint128> made;
  for (const auto& row : rows_) {
    const std::string name = text_of(row.at("case"));
    const std::string kind = text_of(row.at("kind"));
    if (kind == "distance") {
      const auto a = made.find(text_of(row.at("a")));
      const auto b = made.find(text_of(row.at("b")));
      if (a == made.end() || b == made.end()) continue;
      EXPECT_EQ(hamming_distance(a->second.low_half(), b->second.low_half()), row.at("distance").to_number<uint32_t>()) << name;
      ++compared[kind];
      continue;
    }
    const auto fingerprint = made_of(row);
    if (!fingerprint) continue;
    made[name] = *fingerprint;
    const bool is_short = row.at("f").to_number<uint32_t>() == 64;
    EXPECT_EQ(is_short ? to_hex(fingerprint->low_half()) : to_hex(*fingerprint), text_of(row.at("hex"))) << name;
    EXPECT_EQ(is_short ? to_decimal(fingerprint->low_half()) : to_decimal(*fingerprint), text_of(row.at("value"))) << name;
    ++compared[kind];
  }
  EXPECT_EQ(compared["text"], 118);
  EXPECT_EQ(compared["tokens"], 12);
  EXPECT_EQ(compared["weighted"], 12);
  EXPECT_EQ(compared["distance"], 1);
}

}  // namespace
}  // namespace neardup
