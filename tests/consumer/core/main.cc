// A user's program that needs no files and no databases: texts in, verdicts out, by neardup::core alone.
#include <neardup/error.h>
#include <neardup/texts.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  const std::vector<std::string> texts = {
      "It was the best of times, it was the worst of times, it was the age of wisdom",
      "IT WAS the best of times, it was the worst of times: it was the age of wisdom!",
      "Call me Ishmael. Some years ago, never mind how long precisely, having little money",
  };
  neardup::Options options;
  options.threshold = 0.8;
  try {
    const std::vector<neardup::TextVerdict> verdicts = neardup::dedup_texts(texts, options);
    const bool right = verdicts.size() == 3 && verdicts[0].decision == neardup::Decision::kKeep &&
                       verdicts[1].decision == neardup::Decision::kRemove && verdicts[1].keeper == 0 &&
                       verdicts[2].decision == neardup::Decision::kKeep;
    return right ? 0 : 1;
  } catch (const neardup::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
