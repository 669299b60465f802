#include "cli/options/word_options.h"

#include <fmt/format.h>

#include <charconv>

#include "cli/terminal/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kMaxFrequency = (uint64_t{1} << 53) - 1;

// WORD[:FREQ[:TAG]]; an empty frequency is the suggested one.
WordChanges::Added parse_added(std::string_view text) {
  auto take = [rest = text]() mutable {
    const size_t end = rest.find(':');
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return std::string(part);
  };
  WordChanges::Added added;
  added.word = take();
  const std::string frequency = take();
  added.tag = take();
  if (added.word.empty()) throw Error(ErrorCode::kUsage, fmt::format("--add-word: no word in '{}'", text));
  if (frequency.empty()) return added;
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(frequency.data(), frequency.data() + frequency.size(), value);
  if (problem != std::errc() || end != frequency.data() + frequency.size() || value > kMaxFrequency) {
    throw Error(ErrorCode::kUsage, fmt::format("--add-word: the frequency of '{}' must be a number from 0 to {}, not '{}'", added.word,
                                               kMaxFrequency, frequency));
  }
  added.frequency = value;
  return added;
}

}  // namespace

std::vector<LocalOption> with_word_options(std::vector<LocalOption> options, std::string_view group) {
  options.push_back(essential({"--plain", "", group, "print words separated by spaces, instead of JSON"}));
  options.push_back({"--separator", "TEXT", group, "with --plain: text between words [a space]"});
  options.push_back(essential({"--user-dict", "FILE", group, "lines 'word [frequency] [tag]', in addition to the dictionary"}));
  options.push_back({"--add-word", "WORD[:FREQ[:TAG]]", group, "add a word, by default with the frequency that keeps it whole", true});
  options.push_back({"--del-word", "WORD", group, "delete a word, for the HMM too", true});
  options.push_back(
      {"--suggest-freq", "WORD|PIECE/PIECE", group, "change a frequency so that the word stays whole, or falls into the pieces", true});
  return options;
}

std::vector<std::string> pieces_of_word(std::string_view segment, std::string_view what) {
  std::vector<std::string> pieces = split(segment, '/');
  for (const std::string& piece : pieces) {
    if (piece.empty()) throw Error(ErrorCode::kUsage, fmt::format("{}: expected a word, or pieces as in 中/将, not '{}'", what, segment));
  }
  return pieces;
}

WordChanges word_changes(const Invocation& invocation) {
  WordChanges changes;
  changes.user_dict = invocation.value("user-dict");
  for (const std::string& text : invocation.values("add-word")) changes.add_words.push_back(parse_added(text));
  for (const std::string& word : invocation.values("del-word")) {
    if (word.empty()) throw Error(ErrorCode::kUsage, "--del-word: the word is empty");
    changes.del_words.push_back(word);
  }
  for (const std::string& segment : invocation.values("suggest-freq")) {
    changes.suggest_freqs.push_back(pieces_of_word(segment, "--suggest-freq"));
  }
  return changes;
}

PlainLines plain_lines(const Invocation& invocation) {
  if (invocation.has("separator") && !invocation.has("plain")) throw Error(ErrorCode::kUsage, "--separator requires --plain");
  PlainLines plain;
  plain.on = invocation.has("plain");
  plain.separator = invocation.value("separator", plain.separator);
  return plain;
}

}  // namespace neardup::cli
