#include "text/clean/marker_cleaner.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

struct Found {
  size_t begin = std::string_view::npos;
  size_t end = 0;
  explicit operator bool() const noexcept { return begin != std::string_view::npos; }
};

constexpr size_t kSearchedBytes = size_t{1} << 26;
constexpr size_t kMinSearchedBytes = size_t{1} << 10;

class LiteralFinder {
 public:
  explicit LiteralFinder(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] Found find(std::string_view text, size_t from, size_t /*searches*/) const {
    const size_t begin = text.find(text_, from);
    return {begin, begin + text_.size()};
  }

 private:
  std::string text_;
};

class PatternFinder {
 public:
  explicit PatternFinder(std::unique_ptr<const re2::RE2> pattern) : pattern_(std::move(pattern)) {}
  /// `searches`: of this text, before this one.
  [[nodiscard]] Found find(std::string_view text, size_t from, size_t searches) const {
    const size_t window = std::max(kSearchedBytes / (searches + 1), kMinSearchedBytes);
    const re2::StringPiece whole(text.data(), text.size());
    // Twice the window, so that a match that begins in its first half has room for a whole one.
    for (;; from += window) {
      const size_t end = std::min(text.size() - from, 2 * window) + from;
      re2::StringPiece match;
      const bool found = pattern_->Match(whole, from, end, re2::RE2::UNANCHORED, &match, 1);
      const auto begin = static_cast<size_t>(found ? match.data() - text.data() : 0);
      if (found && (end == text.size() || begin <= from + window)) return {begin, begin + match.size()};
      if (end == text.size()) return {};
    }
  }

 private:
  std::unique_ptr<const re2::RE2> pattern_;
};

template <typename Finder>
class MarkerCleaner final : public Cleaner {
 public:
  MarkerCleaner(MarkerAction action, Finder finder, std::string description)
      : action_(action), finder_(std::move(finder)), description_(std::move(description)) {}

  void clean(std::string_view text, std::string& out, Scratch&) const override {
    if (action_ == MarkerAction::kRemove) return remove(text, out);
    if (const Found found = finder_.find(text, 0, 0)) {
      text = action_ == MarkerAction::kCutBefore ? text.substr(found.end) : text.substr(0, found.begin);
    }
    out.assign(text);
  }
  [[nodiscard]] std::string describe() const override { return description_; }

 private:
  void remove(std::string_view text, std::string& out) const {
    out.clear();
    size_t kept = 0;
    for (size_t at = 0, searches = 0; at < text.size(); ++searches) {
      const Found found = finder_.find(text, at, searches);
      if (!found) break;
      out.append(text, kept, found.begin - kept);
      kept = found.end;
      at = found.end > found.begin ? found.end : found.end + 1;  // \b matches nothing, somewhere: continue after it
    }
    out.append(text, kept);
  }

  const MarkerAction action_;
  const Finder finder_;
  const std::string description_;
};

std::string as_json(std::string_view text) {
  return boost::json::serialize(boost::json::string(text));
}

std::unique_ptr<const re2::RE2> compile(MarkerAction action, const std::string& text) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto pattern = std::make_unique<const re2::RE2>(text, options);
  if (!pattern->ok()) {
    const std::string& part = pattern->error_arg();
    const size_t at = part.empty() ? std::string::npos : text.find(part);
    const std::string place = at == std::string::npos ? "" : fmt::format(" at byte {}", at);
    throw Error(ErrorCode::kUsage, fmt::format("{}: pattern {}: {}{}", name_of(action), as_json(text), pattern->error(), place));
  }
  if (re2::RE2::FullMatch("", *pattern)) {
    throw Error(ErrorCode::kUsage, fmt::format("{}: pattern {} matches the empty text", name_of(action), as_json(text)));
  }
  return pattern;
}

}  // namespace

std::string_view name_of(MarkerAction action) noexcept {
  switch (action) {
    case MarkerAction::kCutBefore:
      return "cut_before";
    case MarkerAction::kCutAfter:
      return "cut_after";
    case MarkerAction::kRemove:
      break;
  }
  return "remove";
}

std::unique_ptr<const Cleaner> make_marker_cleaner(MarkerAction action, const Marker& marker) {
  if (marker.kind == Marker::Kind::kPattern) {
    std::string description = fmt::format(R"({{"{}":{{"pattern":{}}}}})", name_of(action), as_json(marker.text));
    return std::make_unique<MarkerCleaner<PatternFinder>>(action, PatternFinder(compile(action, marker.text)), std::move(description));
  }
  if (marker.text.empty()) throw Error(ErrorCode::kUsage, fmt::format("{}: the literal is empty", name_of(action)));
  std::string description = fmt::format(R"({{"{}":{}}})", name_of(action), as_json(marker.text));
  return std::make_unique<MarkerCleaner<LiteralFinder>>(action, LiteralFinder(marker.text), std::move(description));
}

}  // namespace neardup
