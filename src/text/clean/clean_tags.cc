// tags_v1: drops every "<", one or more bytes that are not ">", ">". What the regular expression <[^>]+> matches, from left to right.
//
// So "<>" stays, a "<" without any ">" after it stays with all that follows, and "<" inside a tag belongs to it. Nothing is put in the
// place of a tag, entities stay as they are, the content of script and style stays. Twice is the same as once.
#include <cstring>

#include "text/clean/clean_parts.h"

namespace neardup {
namespace {

class TagCleaner final : public Cleaner {
 public:
  void clean(std::string_view text, std::string& out, Scratch&) const override {
    out.clear();
    out.reserve(text.size());
    const char* at = text.data();
    const char* const end = at + text.size();
    const char* kept = at;  // what is before it was copied or dropped
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

}  // namespace

std::unique_ptr<const Cleaner> make_tag_cleaner() {
  return std::make_unique<TagCleaner>();
}

}  // namespace neardup
