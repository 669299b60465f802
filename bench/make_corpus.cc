// make_corpus: a large JSON Lines file out of smaller ones, for benchmarks. Deterministic.
//
// Copy 0 of the input is unchanged; in every further copy a share of the words (of the ideographs, in Chinese) is replaced, the same word
// by the same stand-in within a copy. So near-duplicates inside a copy stay near-duplicates, and documents of different copies do not
// resemble each other. A share of all documents is followed, some documents later, by an edited version of itself.
//
//   make_corpus --mb 1000 --out BIG.jsonl [--planted 0.2] [--rate 0.3] [--edits 0.02] [--seed 1] INPUT.jsonl ...
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <deque>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "neardup/io.h"
#include "text/utf8/utf8.h"

namespace {

struct Text {
  std::string id;
  std::string text;
};

bool is_letter(char32_t c) {
  return (c | 0x20) - U'a' < 26;
}
bool is_ideograph(char32_t c) {
  return c - 0x4E00 < 0x5200;
}

std::string stand_in(uint64_t hash) {
  constexpr std::string_view kConsonants = "bcdfghjklmnprstvwz";
  constexpr std::string_view kVowels = "aeiou";
  std::string made;
  for (uint64_t syllables = 1 + hash % 3; syllables > 0; --syllables, hash /= 97) {
    made += kConsonants[hash % kConsonants.size()];
    made += kVowels[hash / 18 % kVowels.size()];
  }
  return made;
}

// Replaces each word or ideograph for which `choose(hash of it)` gives a value by a stand-in made from that value.
template <typename Choose>
std::string replace(std::string_view text, const Choose& choose) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (size_t at = 0; at < text.size();) {
    const neardup::Decoded c = neardup::decode_utf8(text, at);
    size_t end = at + c.length;
    const bool word = is_letter(c.code_point);
    while (word && end < text.size() && is_letter(static_cast<unsigned char>(text[end]))) ++end;
    const std::string_view unit = text.substr(at, end - at);
    uint64_t value = 0;
    if ((word || is_ideograph(c.code_point)) && choose(neardup::hash64(unit), value)) {
      if (word) {
        out += stand_in(value);
      } else {
        neardup::append_utf8(static_cast<char32_t>(0x4E00 + value % 0x4000), out);
      }
    } else {
      out += unit;
    }
    at = end;
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"make a large corpus with planted near-duplicates"};
  std::vector<std::string> inputs;
  std::string output;
  double megabytes = 1000;
  double planted = 0.2;
  double rate = 0.3;
  double edits = 0.02;
  uint64_t seed = 1;
  app.add_option("inputs", inputs)->required();
  app.add_option("--out", output)->required();
  app.add_option("--mb", megabytes, "size of the file");
  app.add_option("--planted", planted, "share of documents that get an edited version");
  app.add_option("--rate", rate, "share of words replaced in a copy");
  app.add_option("--edits", edits, "share of words an edited version replaces");
  app.add_option("--seed", seed);
  CLI11_PARSE(app, argc, argv);

  std::vector<Text> texts;
  neardup::SourceOptions options;
  const auto source = neardup::open_source(inputs, options);
  while (const auto batch = source->next()) {
    batch->read(neardup::Batch::Need::kParsed, {}, [&](uint32_t, const neardup::Record& record) {
      if (record.problem.empty()) texts.push_back({std::string(record.id), std::string(record.text)});
    });
  }

  std::ofstream out(output, std::ios::binary);
  std::mt19937_64 random(seed);
  uint64_t written = 0;
  uint64_t documents = 0;
  const auto enough = [&] { return static_cast<double>(written) >= megabytes * 1e6; };
  const auto write = [&](const Text& text) {
    const std::string line = boost::json::serialize(boost::json::object{{"id", text.id}, {"text", text.text}}) + "\n";
    out << line;
    written += line.size();
    ++documents;
  };
  const auto chance = [](uint64_t hash, double share) { return static_cast<double>(hash >> 11) * 0x1p-53 < share; };
  std::deque<Text> waiting;  // edited versions, written some documents later
  constexpr size_t kDistance = 2000;
  uint64_t copy = 0;
  for (; !enough(); ++copy) {
    std::shuffle(texts.begin(), texts.end(), std::mt19937_64(seed + 1000 + copy));
    for (size_t i = 0; i < texts.size() && !enough(); ++i) {
      Text made{texts[i].id + "~" + std::to_string(copy), texts[i].text};
      if (copy > 0) {
        made.text = replace(texts[i].text, [&](uint64_t hash, uint64_t& value) {
          value = neardup::mix64(hash ^ neardup::mix64(copy));
          return chance(neardup::mix64(value), rate);
        });
      }
      write(made);
      if (chance(random(), planted)) {
        made.id += "e";
        made.text = replace(made.text, [&](uint64_t, uint64_t& value) {
          value = random();
          return chance(random(), edits);
        });
        waiting.push_back(std::move(made));
      }
      if (waiting.size() > kDistance || (!waiting.empty() && random() % 4 == 0)) {
        write(waiting.front());
        waiting.pop_front();
      }
    }
  }
  out.close();
  if (!out) return std::fprintf(stderr, "make_corpus: cannot write %s\n", output.c_str()), 1;
  std::printf("%llu documents, %.1f MB, %llu copies\n", static_cast<unsigned long long>(documents), static_cast<double>(written) / 1e6,
              static_cast<unsigned long long>(copy));
}
