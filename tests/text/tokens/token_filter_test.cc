#include "text/tokens/token_filter.h"

#include <gtest/gtest.h>

#include "text/tokens/tokenizer.h"

namespace neardup {
namespace {

std::vector<std::string> filtered(std::string_view text, const StopWords* stop_words, const Stemmer* stemmer, std::string* joined) {
  TokenBuffer tokens;
  make_tokenizer(TokenizerKind::kWords)->tokenize(text, tokens);
  std::unique_ptr<Stemmer::Scratch> scratch = stemmer == nullptr ? nullptr : std::make_unique<Stemmer::Scratch>(*stemmer);
  TokenBuffer out;
  out.clear(1);
  out.append("left over");
  filter_tokens(tokens, stop_words, stemmer, scratch.get(), out);
  std::vector<std::string> made;
  for (size_t i = 0; i < out.size(); ++i) made.emplace_back(out.token(i));
  *joined = view_of(out.joined);
  return made;
}

TEST(TokenFilter, StopWordsThenStems) {
  using Words = std::vector<std::string>;
  const StopWords stop_words({"the", "having", "run"});
  const Stemmer stemmer("english");
  std::string joined;
  EXPECT_EQ(filtered("the dogs having runs", &stop_words, &stemmer, &joined), (Words{"dog", "run"})) << "a stem may be a stop word";
  EXPECT_EQ(joined, "dog run");
  EXPECT_EQ(filtered("the dogs", &stop_words, nullptr, &joined), Words{"dogs"});
  EXPECT_EQ(joined, "dogs");
  EXPECT_EQ(filtered("the dogs", nullptr, &stemmer, &joined), (Words{"the", "dog"}));
  EXPECT_EQ(filtered("the dogs", nullptr, nullptr, &joined), (Words{"the", "dogs"}));
  EXPECT_EQ(joined, "the dogs");
  EXPECT_EQ(filtered("the having", &stop_words, &stemmer, &joined), Words{});
  EXPECT_EQ(joined, "");
}

}  // namespace
}  // namespace neardup
