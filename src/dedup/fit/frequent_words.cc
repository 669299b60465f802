#include "dedup/fit/frequent_words.h"

#include "base/format.h"
#include "base/hash.h"
#include "features/idf.h"

namespace neardup {
namespace {

void append_escaped(std::string_view word, std::string& out) {
  for (const char byte : word) {
    switch (byte) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += byte;
    }
  }
}

void keep_least(std::string& kept, std::string_view word) {
  if (kept.empty() || word < kept) kept = word;
}

}  // namespace

FrequentWords::FrequentWords(const std::vector<HashCount>& wanted, uint32_t workers)
    : wanted_(wanted), words_(workers, std::vector<std::string>(wanted.size())) {
  for (size_t i = 0; i < wanted.size(); ++i) place_[wanted[i].hash] = i;
}

void FrequentWords::look_at(uint32_t worker, const TokenBuffer& tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens.token(i);
    if (const auto found = place_.find(hash64(word)); found != place_.end()) keep_least(words_[worker][found->second], word);
  }
}

std::string FrequentWords::table(uint64_t documents) const {
  std::string text = "word\tdocuments\tidf\thash\n";
  for (size_t i = 0; i < wanted_.size(); ++i) {
    std::string word;
    for (const auto& of_worker : words_) {
      if (!of_worker[i].empty()) keep_least(word, of_worker[i]);
    }
    append_escaped(word, text);
    const double idf = static_cast<double>(idf_fixed(documents, wanted_[i].count)) / kIdfOne;
    append_format(text, "\t{}\t{:.6f}\t{:016x}\n", wanted_[i].count, idf, wanted_[i].hash);
  }
  return text;
}

}  // namespace neardup
