#include "jobs/text_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace neardup {
namespace {

std::vector<std::string> numbered_texts(size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) texts.push_back("text " + std::to_string(i % (count / 2)));  // each twice
  return texts;
}

TEST(TextSample, TakesEverythingThatFits) {
  TextSample sample(10);
  for (const std::string& text : numbered_texts(20)) sample.add(text);
  EXPECT_EQ(sample.texts().size(), 10u);
  for (const auto& [hash, text] : sample.texts()) EXPECT_EQ(hash, hash64(text));
}

TEST(TextSample, IsAFunctionOfTheTexts) {
  std::vector<std::string> texts = numbered_texts(4000);
  TextSample forward(100);
  for (const std::string& text : texts) forward.add(text);
  EXPECT_EQ(forward.texts().size(), 100u);

  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < texts.size() / 2; ++i) hashes.push_back(hash64(texts[i]));
  std::ranges::sort(hashes);
  EXPECT_EQ(forward.texts().rbegin()->first, hashes[99]) << "the smallest hashes";

  std::ranges::reverse(texts);
  TextSample backward(100);
  for (const std::string& text : texts) backward.add(text);
  EXPECT_EQ(backward.texts(), forward.texts());

  TextSample shared(100);
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (size_t i = t; i < texts.size(); i += 4) shared.add(texts[i]);
      });
    }
  }
  EXPECT_EQ(shared.texts(), forward.texts());
}

TEST(TextSample, OfALongTextTakesTheBeginning) {
  TextSample sample(1);
  sample.add(std::string(TextSample::kMaxBytes + 5, 'x'));
  EXPECT_EQ(sample.texts().begin()->second, std::string(TextSample::kMaxBytes, 'x'));
}

}  // namespace
}  // namespace neardup
