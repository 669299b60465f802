#include "jobs/tune/text_traits.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "text/clean/line_list.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// With fewer, a text is neither source code nor a page.
constexpr uint64_t kFewLines = 4;
constexpr uint64_t kFewTags = 3;

constexpr bool is_ascii_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

TuneCorpus::Script script_of(char32_t c) noexcept {
  if (c < 0x250) return TuneCorpus::kLatin;
  if (c >= 0x400 && c <= 0x52F) return TuneCorpus::kCyrillic;
  if (c >= 0x3040 && c <= 0x30FF) return TuneCorpus::kKana;
  if ((c >= 0xAC00 && c <= 0xD7AF) || (c >= 0x1100 && c <= 0x11FF)) return TuneCorpus::kHangul;
  if (is_cjk(c)) return TuneCorpus::kHan;
  if (c >= 0x1E00 && c <= 0x1EFF) return TuneCorpus::kLatin;
  return TuneCorpus::kOtherScript;
}

void count_letters(std::string_view text, TextTraits& traits) {
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    at += decoded.length;
    if (is_white_space(decoded.code_point)) continue;
    ++traits.characters;
    const WordClass kind = word_class(decoded.code_point);
    if (kind == WordClass::kSeparator || kind == WordClass::kMark) continue;
    if (decoded.code_point >= '0' && decoded.code_point <= '9') continue;
    ++traits.letters[script_of(decoded.code_point)];
  }
}

// Tags: '<', perhaps '/', a letter, and a '>' not far away.
bool looks_like_html(std::string_view text) noexcept {
  constexpr size_t kLongTag = 1000;
  uint64_t tags = 0;
  uint64_t closing = 0;
  uint64_t bytes = 0;
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const bool closes = at + 1 < text.size() && text[at + 1] == '/';
    const size_t name = at + 1 + static_cast<size_t>(closes);
    const size_t end =
        name < text.size() && is_ascii_letter(text[name]) ? text.substr(0, at + kLongTag).find('>', name) : std::string_view::npos;
    if (end == std::string_view::npos) {
      ++at;
      continue;
    }
    ++tags;
    closing += closes;
    bytes += end + 1 - at;
    at = end + 1;
  }
  return tags >= kFewTags && closing > 0 && bytes * 20 >= text.size();
}

constexpr std::string_view kEndings = ";{}(),";
constexpr std::string_view kComments[] = {"//", "/*", "*/", "* ", "--", "#include", "#define"};
constexpr std::string_view kFirstWords[] = {"class", "def",     "else",    "end",    "for",    "function", "if",   "import",
                                            "local", "package", "private", "public", "return", "static",   "while"};
constexpr std::string_view kSymbols = "{}()[];=<>&|*+\"_";

bool is_code_line(std::string_view line) noexcept {
  if (kEndings.find(line.back()) != std::string_view::npos) return true;
  if (std::ranges::any_of(kComments, [&](std::string_view start) { return line.starts_with(start); })) return true;
  const auto word_end = std::ranges::find_if_not(line, is_ascii_letter);
  const std::string_view word = line.substr(0, static_cast<size_t>(word_end - line.begin()));
  return std::ranges::find(kFirstWords, word) != std::end(kFirstWords);
}

// Prose has lines that end in a comma, and manuals have lines of code: so most lines, and many symbols.
bool looks_like_code(std::string_view text, uint64_t characters) noexcept {
  uint64_t lines = 0;
  uint64_t code_lines = 0;
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = trim_line(line_at(text, at, at));
    if (line.empty()) continue;
    ++lines;
    code_lines += is_code_line(line);
  }
  const auto symbols =
      static_cast<uint64_t>(std::ranges::count_if(text, [](char c) { return kSymbols.find(c) != std::string_view::npos; }));
  return lines >= kFewLines && code_lines * 10 >= lines * 6 && symbols * 100 >= characters * 3;
}

}  // namespace

bool TextTraits::mostly_han() const noexcept {
  const uint64_t han = letters[TuneCorpus::kHan] + letters[TuneCorpus::kKana];
  return han >
         letters[TuneCorpus::kLatin] + letters[TuneCorpus::kHangul] + letters[TuneCorpus::kCyrillic] + letters[TuneCorpus::kOtherScript];
}

TextTraits traits_of(std::string_view text) {
  TextTraits traits;
  count_letters(text, traits);
  traits.html = looks_like_html(text);
  traits.code = !traits.html && looks_like_code(text, traits.characters);
  return traits;
}

}  // namespace neardup
