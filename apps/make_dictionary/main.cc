// make_dictionary WORDS IDF HMM TAGS STOP_WORDS OUTPUT: compiles the dictionary of Chinese words that the build installs
// (cmake/Dictionary.cmake), as `neardup dict build` does, also where that program is not built.
#include <cstdio>
#include <exception>

#include "neardup/jieba.h"

int main(int count, char** arguments) {
  if (count != 7) {
    std::fputs("usage: make_dictionary WORDS IDF HMM TAGS STOP_WORDS OUTPUT\n", stderr);
    return 2;
  }
  try {
    neardup::build_jieba_dictionary(
        {.words = arguments[1], .idf = arguments[2], .stop_words = arguments[5], .hmm = arguments[3], .tags = arguments[4]}, arguments[6]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_dictionary: %s\n", error.what());
    return 1;
  }
}
