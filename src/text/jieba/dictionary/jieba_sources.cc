#include "text/jieba/dictionary/jieba_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/open_file.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_literal.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {
namespace {

constexpr std::string_view kStripped = " \t\n\r\v\f";  // bytes.strip()

[[noreturn]] void fail(const std::string& file, size_t line, const std::string& what) {
  throw Error(ErrorCode::kInput, fmt::format("{}:{}: {}", file, line, what));
}

// For messages: a line may be long, and its bytes may be anything.
std::string shown(std::string_view value) {
  std::string text;
  repair_utf8(value.substr(0, 60), text);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return value.size() > 60 ? text + "..." : text;
}

std::string_view strip(std::string_view text) {
  const size_t begin = text.find_first_not_of(kStripped);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kStripped) - begin + 1);
}

uint64_t parse_frequency(std::string_view text, const std::string& file, size_t line) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = !text.empty() && end == text.data() + text.size() && error != std::errc::invalid_argument;
  if (!number || error == std::errc::result_out_of_range || value > kMaxFrequency)
    fail(file, line, fmt::format("expected a frequency from 0 to {}, not '{}'", kMaxFrequency, shown(text)));
  return value;
}

void check_word(std::string_view word, const std::string& file, size_t line) {
  if (!is_valid_utf8(word)) fail(file, line, fmt::format("the word is not UTF-8: '{}'", shown(word)));
  if (count_characters(word) > kMaxWordCharacters)
    fail(file, line, fmt::format("a word has at most {} characters, this one has {}", kMaxWordCharacters, count_characters(word)));
}

template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool ends_line(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// str.splitlines()
template <typename Visit>
void for_each_unicode_line(std::string_view text, Visit visit) {
  size_t line = 1;
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    if (!ends_line(decoded.code_point)) {
      at += decoded.length;
      continue;
    }
    const std::string_view found = text.substr(begin, at - begin);
    at += decoded.length;
    if (decoded.code_point == '\r' && at < text.size() && text[at] == '\n') ++at;
    begin = at;
    visit(found, line++);
  }
  if (begin < text.size()) visit(text.substr(begin), line);
}

// str.strip()
std::string_view strip_unicode(std::string_view text) {
  size_t begin = text.size();
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    if (!is_white_space(decoded.code_point)) {
      begin = std::min(begin, at);
      end = at + decoded.length;
    }
    at += decoded.length;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

// The blank before a last field of these letters, or npos.
size_t field_before(std::string_view line, size_t end, char first, char last) {
  size_t at = end;
  while (at > 0 && line[at - 1] >= first && line[at - 1] <= last) --at;
  return at < end && at > 0 && line[at - 1] == ' ' ? at - 1 : std::string_view::npos;
}

size_t state_of(const Literal& literal, char32_t key) {
  constexpr std::string_view kLetters = "BEMS";
  const size_t found = key < 0x80 ? kLetters.find(static_cast<char>(key)) : std::string_view::npos;
  if (found == std::string_view::npos) literal.fail("expected one of the states B, E, M, S");
  return found;
}

}  // namespace

size_t count_characters(std::string_view text) noexcept {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string read_source(const std::string& path) {
  return read_file(path, Allow::kPipe, "read", kMaxSourceBytes);
}

std::vector<WordCount> parse_words(std::string_view text, const std::string& file) {
  std::vector<WordCount> words;
  uint64_t total = 0;
  for_each_line(text, [&](std::string_view whole, size_t number) {
    const std::string_view line = strip(whole);
    const size_t blanks = static_cast<size_t>(std::count(line.begin(), line.end(), ' '));
    const size_t first = line.find(' ');
    if (blanks < 1 || blanks > 2 || first == 0) fail(file, number, fmt::format("expected 'word frequency [tag]', not '{}'", shown(line)));
    const std::string_view word = line.substr(0, first);
    check_word(word, file, number);
    const std::string_view rest = line.substr(first + 1);
    const uint64_t frequency = parse_frequency(rest.substr(0, rest.find(' ')), file, number);
    total += frequency;
    if (total > kMaxFrequency) fail(file, number, fmt::format("the frequencies sum to more than {}", kMaxFrequency));
    const std::string_view tag = blanks == 2 ? rest.substr(rest.find(' ') + 1) : std::string_view();
    if (!is_valid_utf8(tag)) fail(file, number, fmt::format("the tag is not UTF-8: '{}'", shown(tag)));
    words.push_back({std::string(word), frequency, std::string(tag)});
  });
  if (total == 0) throw Error(ErrorCode::kInput, fmt::format("{}: expected words with a frequency above 0, there are none", file));
  return words;
}

std::vector<WordIdf> parse_idf(std::string_view text, const std::string& file) {
  std::vector<WordIdf> table;
  for_each_unicode_line(text, [&](std::string_view whole, size_t number) {
    const std::string_view line = strip_unicode(whole);
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos || blank == 0 || line.find(' ', blank + 1) != std::string_view::npos)
      fail(file, number, fmt::format("expected 'word idf', not '{}'", shown(line)));
    check_word(line.substr(0, blank), file, number);
    const std::string_view field = line.substr(blank + 1);
    double idf = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), idf);
    if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(idf))
      fail(file, number, fmt::format("expected a finite number as idf, not '{}'", shown(field)));
    table.push_back({std::string(line.substr(0, blank)), idf});
  });
  if (table.empty()) throw Error(ErrorCode::kInput, fmt::format("{}: expected lines 'word idf', there are none", file));
  return table;
}

std::vector<std::string> parse_stop_words(std::string_view text, const std::string& file) {
  std::vector<std::string> words;
  for_each_unicode_line(text, [&](std::string_view line, size_t number) {
    check_word(line, file, number);
    words.emplace_back(line);
  });
  return words;
}

Hmm read_hmm(const std::string& folder) {
  Hmm hmm{};
  hmm.start.fill(kNever);
  for (auto& row : hmm.transition) row.fill(kNever);
  const auto read = [&](const char* name, auto visit) {
    const std::string file = folder + "/" + name;
    const std::string text = read_source(file);
    Literal literal(text, file);
    literal.characters([&](char32_t key) { visit(literal, state_of(literal, key)); });
  };
  read("prob_start.py", [&](Literal& literal, size_t state) { hmm.start[state] = literal.number(); });
  read("prob_trans.py", [&](Literal& literal, size_t from) {
    literal.characters([&](char32_t key) { hmm.transition[from][state_of(literal, key)] = literal.number(); });
  });
  read("prob_emit.py", [&](Literal& literal, size_t state) {
    literal.characters([&](char32_t key) {
      const auto [row, added] = hmm.emission.try_emplace(key);
      if (added) row->second.fill(kNever);
      row->second[state] = literal.number();
    });
  });
  return hmm;
}

std::vector<UserLine> parse_user_words(std::string_view text, const std::string& file) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  constexpr size_t kNone = std::string_view::npos;
  std::vector<UserLine> words;
  for_each_line(text, [&](std::string_view whole, size_t number) {
    std::string_view line = strip(whole);
    if (!is_valid_utf8(line)) fail(file, number, fmt::format("the line is not UTF-8: '{}'", shown(line)));
    while (line.starts_with(kMark)) line.remove_prefix(kMark.size());
    if (line.empty()) return;
    // The word is as short as the rest allows: tag, frequency, both, or nothing.
    size_t end = line.size();
    std::optional<std::string_view> digits;
    const size_t tag = field_before(line, line.size(), 'a', 'z');
    const size_t before_tag = tag == kNone ? kNone : field_before(line, tag, '0', '9');
    const size_t last = field_before(line, line.size(), '0', '9');
    if (before_tag != kNone && before_tag > 0) {
      end = before_tag;
      digits = line.substr(before_tag + 1, tag - before_tag - 1);
    } else if (tag != kNone && tag > 0) {
      end = tag;
    } else if (last != kNone && last > 0) {
      end = last;
      digits = line.substr(last + 1);
    }
    check_word(line.substr(0, end), file, number);
    UserLine& made = words.emplace_back(UserLine{std::string(line.substr(0, end)), std::nullopt, {}, number});
    if (tag != kNone && tag > 0) made.tag = line.substr(tag + 1);
    if (digits) made.frequency = parse_frequency(*digits, file, number);
  });
  return words;
}

double median_idf(const std::vector<WordIdf>& table) {
  std::unordered_map<std::string_view, double> last;
  for (const WordIdf& entry : table) last[entry.word] = entry.idf;
  std::vector<double> values;
  values.reserve(last.size());
  for (const auto& [word, idf] : last) values.push_back(idf);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace neardup::jieba
