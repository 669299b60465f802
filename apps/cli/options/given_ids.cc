#include "cli/options/given_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "cli/read_text.h"
#include "neardup/error.h"

namespace neardup::cli {

std::vector<std::string> given_ids(const Invocation& invocation, const std::vector<std::string>& arguments, std::string_view usage) {
  std::vector<std::string> ids = arguments;
  if (invocation.has("ids")) {
    const std::string text = read_text(invocation.value("ids"));
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string id = text.substr(at, end - at);
      if (id.ends_with('\r')) id.pop_back();
      if (!id.empty()) ids.push_back(std::move(id));
      at = end + 1;
    }
  } else if (ids.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("no id is named: {}", usage));
  }
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> unique;
  for (const std::string& id : ids) {
    if (seen.insert(id).second) unique.push_back(id);
  }
  return unique;
}

}  // namespace neardup::cli
