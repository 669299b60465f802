// lines_v1: drops the lines of a list, each with the '\n' that ends it. All other lines stay byte for byte.
#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "text/clean/clean_parts.h"
#include "text/clean/line_list.h"

namespace neardup {
namespace {

class LineCleaner final : public Cleaner {
 public:
  explicit LineCleaner(LineList lines) : lines_(std::move(lines)) {}

  void clean(std::string_view text, std::string& out, Scratch&) const override {
    out.clear();
    out.reserve(text.size());
    size_t kept = 0;  // what is before it was copied or dropped
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

}  // namespace

std::unique_ptr<const Cleaner> make_line_cleaner(LineList lines) {
  return std::make_unique<LineCleaner>(std::move(lines));
}

}  // namespace neardup
