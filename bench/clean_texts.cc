// clean_texts CHAIN FIELD [SHARE] < IN.jsonl > OUT.jsonl: cleans a field of every record, and says on stderr how fast, as JSON.
//
// CHAIN is a JSON array of cleaners. With SHARE, the lines that more than that share of the cleaned texts have are dropped from them too.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "text/clean/cleaner.h"
#include "text/clean/line_counter.h"

namespace {

constexpr int kRounds = 3;  // the fastest counts

// Of this process: other programs of the machine do not count.
double cpu_seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void run(const std::string& chain_json, const std::string& field, const char* share) {
  const auto chain = neardup::CleanChain::parse(chain_json);
  std::vector<std::string> texts;
  uint64_t bytes_in = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const boost::json::value record = boost::json::parse(line);
    texts.emplace_back(record.at(field).as_string());
    bytes_in += texts.back().size();
  }
  std::vector<std::string> cleaned(texts.size());
  neardup::Cleaner::Scratch scratch;
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::clock();
    for (size_t i = 0; i < texts.size(); ++i) cleaned[i] = chain.clean(texts[i], scratch);
    best = std::min(best, cpu_seconds_since(begin));
  }
  size_t lines = 0;
  if (share != nullptr) {
    neardup::LineCounter counter;
    const std::vector<std::string_view> views(cleaned.begin(), cleaned.end());
    counter.add(views);
    neardup::LineList list = counter.finish(neardup::Threshold::parse(share));
    lines = list.size();
    const auto cleaner = neardup::make_line_cleaner(std::move(list));
    std::string out;
    for (std::string& text : cleaned) {
      cleaner->clean(text, out, scratch);
      text = out;
    }
  }
  uint64_t bytes_out = 0;
  for (const std::string& text : cleaned) {
    bytes_out += text.size();
    std::cout << boost::json::serialize(boost::json::value{{"text", text}}) << '\n';
  }
  fmt::print(stderr, R"({{"documents":{},"bytes_in":{},"bytes_out":{},"seconds":{:.6f},"lines":{}}})", texts.size(), bytes_in, bytes_out,
             best, lines);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    fmt::print(stderr, "usage: clean_texts CHAIN FIELD [SHARE] < IN.jsonl > OUT.jsonl\n");
    return 2;
  }
  try {
    run(argv[1], argv[2], argc == 4 ? argv[3] : nullptr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "clean_texts: {}\n", error.what());
    return 1;
  }
  return 0;
}
