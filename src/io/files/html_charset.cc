#include "io/files/html_charset.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"

namespace neardup {
namespace {

constexpr size_t kPrescanBytes = 1024;
constexpr std::string_view kSpace = "\t\n\f\r ";

bool is_letter(char c) noexcept {
  return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

bool is_space(char c) noexcept {
  return kSpace.find(c) != std::string_view::npos;
}

// Scans the bytes once; every step advances or ends.
class Prescan {
 public:
  explicit Prescan(std::string_view page) : page_(page.substr(0, kPrescanBytes)) {}

  std::string run() {
    while (at_ < page_.size()) {
      const std::string_view rest = page_.substr(at_);
      if (rest.starts_with("<!--")) {
        // "<!-->" is a whole comment.
        const size_t end = page_.find("-->", at_ + 2);
        at_ = end == std::string_view::npos ? page_.size() : end + 3;
      } else if (ascii_lower(rest.substr(0, 5)) == "<meta" && rest.size() > 5 && (is_space(rest[5]) || rest[5] == '/')) {
        at_ += 6;
        std::string found = meta();
        if (!found.empty()) return found;
      } else if (rest.size() > 1 && rest[0] == '<' && (is_letter(rest[1]) || (rest[1] == '/' && rest.size() > 2 && is_letter(rest[2])))) {
        at_ = std::min(page_.find_first_of("\t\n\f\r >", at_), page_.size());
        std::string name;
        std::string value;
        while (attribute(name, value)) {
        }
      } else if (rest.starts_with("<!") || rest.starts_with("</") || rest.starts_with("<?")) {
        at_ = std::min(page_.find('>', at_), page_.size() - 1) + 1;
      } else {
        ++at_;
      }
    }
    return {};
  }

 private:
  std::string meta() {
    bool pragma = false;
    std::string named;            // by the attribute charset
    std::string content_charset;  // by the attribute content, which counts only with http-equiv
    std::vector<std::string> seen;
    std::string name;
    std::string value;
    while (attribute(name, value)) {
      if (std::ranges::find(seen, name) != seen.end()) continue;
      seen.push_back(name);
      if (name == "http-equiv") pragma = pragma || value == "content-type";
      if (name == "content" && content_charset.empty()) content_charset = charset_of_content_type(value);
      if (name == "charset") named = value;
    }
    std::string found = !named.empty() ? named : pragma ? content_charset : std::string();
    const size_t first = found.find_first_not_of(kSpace);
    if (first == std::string::npos) return {};
    found = found.substr(first, found.find_last_not_of(kSpace) - first + 1);
    if (found.starts_with("utf-16") || found.starts_with("utf16")) return "utf-8";
    return found == "x-user-defined" ? "windows-1252" : found;
  }

  // The next attribute of a tag, in lower case. False at the end of the tag, which is then passed.
  bool attribute(std::string& name, std::string& value) {
    name.clear();
    value.clear();
    while (at_ < page_.size() && (is_space(page_[at_]) || page_[at_] == '/')) ++at_;
    if (at_ == page_.size()) return false;
    if (page_[at_] == '>') {
      ++at_;
      return false;
    }
    for (; at_ < page_.size(); ++at_) {
      const char c = page_[at_];
      if ((c == '=' && !name.empty()) || is_space(c) || c == '/' || c == '>') break;
      name += ascii_lower(c);
    }
    skip_space();
    if (at_ == page_.size() || page_[at_] != '=') return true;
    ++at_;
    skip_space();
    if (at_ == page_.size()) return true;
    if (page_[at_] == '"' || page_[at_] == '\'') {
      const size_t end = std::min(page_.find(page_[at_], at_ + 1), page_.size());
      value = ascii_lower(page_.substr(at_ + 1, end - at_ - 1));
      at_ = std::min(end + 1, page_.size());
      return true;
    }
    const size_t end = std::min(page_.find_first_of("\t\n\f\r >", at_), page_.size());
    value = ascii_lower(page_.substr(at_, end - at_));
    at_ = end;
    return true;
  }

  void skip_space() noexcept {
    while (at_ < page_.size() && is_space(page_[at_])) ++at_;
  }

  const std::string_view page_;
  size_t at_ = 0;
};

}  // namespace

std::string declared_charset(std::string_view page) {
  return Prescan(page).run();
}

std::string charset_of_content_type(std::string_view value) {
  const std::string text = ascii_lower(value);
  for (size_t at = text.find("charset"); at != std::string::npos; at = text.find("charset", at)) {
    at = std::min(text.find_first_not_of(kSpace, at + 7), text.size());
    if (at == text.size() || text[at] != '=') continue;
    at = text.find_first_not_of(kSpace, at + 1);
    if (at == std::string::npos) return {};
    if (text[at] == '"' || text[at] == '\'') {
      const size_t end = text.find(text[at], at + 1);
      return end == std::string::npos ? std::string() : text.substr(at + 1, end - at - 1);
    }
    return text.substr(at, std::min(text.find_first_of("\t\n\f\r ;", at), text.size()) - at);
  }
  return {};
}

}  // namespace neardup
