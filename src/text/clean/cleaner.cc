#include "text/clean/cleaner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/clean/line_list.h"
#include "text/clean/marker_cleaner.h"
#include "text/html/html_tokenizer.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

namespace json = boost::json;
constexpr std::string_view kNames = "tags_v1, html_v1, lines_v1, cut_before, cut_after, remove";

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::kUsage, message);
}

// tags_v1: drops every "<", one or more bytes that are not ">", ">". What the regular expression <[^>]+> matches, from left to right.
//
// So "<>" is kept, a "<" without any ">" after it is kept with the rest, and "<" inside a tag belongs to it. A tag is replaced by nothing;
// entities and the content of script and style are kept. Idempotent.
class TagCleaner final : public Cleaner {
 public:
  void clean(std::string_view text, std::string& out, Scratch&) const override {
    out.clear();
    out.reserve(text.size());
    const char* at = text.data();
    const char* const end = at + text.size();
    const char* kept = at;  // everything before it was copied or dropped
    while (at != end) {
      const char* open = find(at, end, '<');
      if (open == nullptr) break;
      const char* close = find(open + 1, end, '>');
      if (close == nullptr) break;
      at = close + 1;
      if (close == open + 1) continue;
      out.append(kept, open);
      kept = at;
    }
    out.append(kept, end);
  }
  [[nodiscard]] std::string describe() const override { return "\"tags_v1\""; }

 private:
  static const char* find(const char* from, const char* end, char wanted) {
    return from == end ? nullptr : static_cast<const char*>(std::memchr(from, wanted, static_cast<size_t>(end - from)));
  }
};

// Prepares a page for the tokenizer of html_v1: malformed UTF-8 becomes U+FFFD per maximal subpart, U+FEFF at the beginning is dropped,
// U+0000 becomes a blank.
std::string_view prepare(std::string_view page, std::string& repaired) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (page.starts_with(kMark)) page.remove_prefix(kMark.size());
  const bool valid = is_valid_utf8(page);
  if (valid && page.find('\0') == std::string_view::npos) return page;
  if (valid) {
    repaired.assign(page);
  } else {
    repair_utf8(page, repaired);
  }
  std::replace(repaired.begin(), repaired.end(), '\0', ' ');
  return repaired;
}

// html_v1: the visible text of a page. See html_text.h for the treatment of tags, docs/cleaning.md for the complete definition.
class HtmlCleaner final : public Cleaner {
 public:
  void clean(std::string_view text, std::string& out, Scratch& scratch) const override {
    if (!scratch.html) scratch.html = std::make_unique<HtmlTokenizer>();
    scratch.html->visible_text(prepare(text, scratch.repaired), out);
  }
  [[nodiscard]] std::string describe() const override { return "\"html_v1\""; }
};

// Throws Error{kUsage} in a build without a parser.
std::unique_ptr<const Cleaner> make_html_cleaner() {
#ifdef NEARDUP_HTML_LEXBOR
  return std::make_unique<HtmlCleaner>();
#else
  fail("html_v1: this program was built without lexbor (NEARDUP_HTML)");
#endif
}

// lines_v1: drops the lines of a list, each with the '\n' that ends it. All other lines are kept byte for byte.
class LineCleaner final : public Cleaner {
 public:
  explicit LineCleaner(LineList lines) : lines_(std::move(lines)) {}

  void clean(std::string_view text, std::string& out, Scratch&) const override {
    out.clear();
    out.reserve(text.size());
    size_t kept = 0;  // everything before it was copied or dropped
    for (size_t at = 0, next = 0; at < text.size(); at = next) {
      const std::string_view line = trim_line(line_at(text, at, next));
      if (line.empty() || !lines_.contains(hash64(line))) continue;
      out.append(text, kept, at - kept);
      kept = next;
    }
    out.append(text, kept);
  }
  [[nodiscard]] std::string describe() const override { return fmt::format(R"({{"lines_v1":"{:016x}"}})", lines_.id()); }

 private:
  const LineList lines_;
};

json::value parse_json(std::string_view text, std::string_view what) {
  boost::system::error_code error;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) fail(fmt::format("{}: '{}' is not JSON: {}", what, text, error.message()));
  return value;
}

std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

std::optional<MarkerAction> marker_action(std::string_view name) {
  for (const MarkerAction action : {MarkerAction::kCutBefore, MarkerAction::kCutAfter, MarkerAction::kRemove}) {
    if (name_of(action) == name) return action;
  }
  return std::nullopt;
}

Marker parse_marker(std::string_view name, const json::value& value) {
  if (value.is_string()) return {Marker::Kind::kLiteral, std::string(view(value.get_string()))};
  if (value.is_object() && value.get_object().size() == 1) {
    const json::key_value_pair& member = *value.get_object().begin();
    const std::string_view key(member.key().data(), member.key().size());
    if (member.value().is_string() && (key == "literal" || key == "pattern")) {
      const auto kind = key == "literal" ? Marker::Kind::kLiteral : Marker::Kind::kPattern;
      return {kind, std::string(view(member.value().get_string()))};
    }
  }
  fail(fmt::format(R"({}: expected a text, {{"literal": text}} or {{"pattern": text}}, not {})", name, json::serialize(value)));
}

std::unique_ptr<const Cleaner> find_line_list(const json::value& value, const CleanerFiles& files) {
  uint64_t id = 0;
  const std::string_view text = value.is_string() ? view(value.get_string()) : std::string_view();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) {
    fail(fmt::format("lines_v1: expected the id of a line list, 16 hexadecimal digits, not {}", json::serialize(value)));
  }
  for (const std::string& path : files.line_lists) {
    LineList list = LineList::load(path);
    if (list.id() == id) return make_line_cleaner(std::move(list));
  }
  fail(fmt::format("lines_v1: none of the {} line lists given has the id {:016x}", files.line_lists.size(), id));
}

std::unique_ptr<const Cleaner> make(const json::value& value, const CleanerFiles& files) {
  if (value.is_string()) {
    const std::string_view name = view(value.get_string());
    if (name == "tags_v1") return std::make_unique<TagCleaner>();
    if (name == "html_v1") return make_html_cleaner();
    if (name == "lines_v1" || marker_action(name)) fail(fmt::format(R"({}: expected {{"{}": ...}})", name, name));
    fail(fmt::format("no cleaner is named '{}'; there are {}", name, kNames));
  }
  if (!value.is_object() || value.get_object().size() != 1) {
    fail(fmt::format("a cleaner is a name or an object with one member, not {}", json::serialize(value)));
  }
  const json::key_value_pair& member = *value.get_object().begin();
  const std::string_view name(member.key().data(), member.key().size());
  if (name == "lines_v1") return find_line_list(member.value(), files);
  if (const auto action = marker_action(name)) return make_marker_cleaner(*action, parse_marker(name, member.value()));
  if (name == "tags_v1" || name == "html_v1") fail(fmt::format("{}: takes no value; write \"{}\"", name, name));
  fail(fmt::format("no cleaner is named '{}'; there are {}", name, kNames));
}

}  // namespace

Cleaner::Scratch::Scratch() = default;
Cleaner::Scratch::~Scratch() = default;
Cleaner::Scratch::Scratch(Scratch&&) noexcept = default;
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the index into an array member, which the compiler names
Cleaner::Scratch& Cleaner::Scratch::operator=(Scratch&&) noexcept = default;

std::unique_ptr<const Cleaner> make_line_cleaner(LineList lines) {
  return std::make_unique<LineCleaner>(std::move(lines));
}

std::unique_ptr<const Cleaner> make_cleaner(std::string_view text, const CleanerFiles& files) {
  return make(parse_json(text, "cleaner"), files);
}

CleanChain CleanChain::parse(std::string_view text, const CleanerFiles& files) {
  const json::value value = parse_json(text, "clean");
  if (!value.is_array()) fail(fmt::format("clean: expected an array of cleaners, not {}", json::serialize(value)));
  std::vector<std::unique_ptr<const Cleaner>> cleaners;
  for (const json::value& each : value.get_array()) {
    try {
      cleaners.push_back(make(each, files));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("clean[{}]: {}", cleaners.size(), error.what()));
    }
  }
  return CleanChain(std::move(cleaners));
}

std::string_view CleanChain::clean(std::string_view text, Cleaner::Scratch& scratch) const {
  size_t turn = 0;
  for (const auto& cleaner : cleaners_) {
    cleaner->clean(text, scratch.turns[turn], scratch);
    text = scratch.turns[turn];
    turn ^= 1;
  }
  return text;
}

std::string CleanChain::describe() const {
  std::string text = "[";
  for (const auto& cleaner : cleaners_) text += (text.size() > 1 ? "," : "") + cleaner->describe();
  return text + "]";
}

}  // namespace neardup
