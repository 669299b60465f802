#include "server/api/line_requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/tools/online_answer.h"
#include "server/api/api_error.h"

namespace neardup::server {
namespace {

constexpr uint64_t kLatestTimeMs = 4'102'444'800'000;  // the year 2100
// A line takes some 500 bytes beyond its own; millions of tiny ones would take gigabytes.
constexpr uint64_t kMostLines = 100'000;

}  // namespace

OnlineRequest request_of(JsonBody& body, bool insert, GivenId& id) {
  id = body.optional_id("id");
  if (!id && insert) throw ApiError(400, "\"id\" is missing");
  // Of a question the store wants an id, too, and does nothing with it.
  OnlineRequest request{.id = id.value_or("query"), .text = body.text("text"), .insert = insert};
  if (insert) {
    request.replace = body.flag("replace", false);
    request.touch = body.flag("touch", false);
    request.expires_ms = body.integer("expires", 0, kLatestTimeMs);
  }
  return request;
}

void append_answer(const GivenId& id, const OnlineAnswer& answer, bool has_sequence, std::string& out) {
  if (id) return append_online_answer(*id, answer, has_sequence, out);
  std::string with_id;
  append_online_answer("", answer, has_sequence, with_id);
  out += R"({"id":null)";
  out += std::string_view(with_id).substr(std::string_view(R"({"id":"")").size());
}

LineRequests::LineRequests(std::string_view body, bool insert, uint64_t max_line_bytes) : insert_(insert), memory_(body.size() + 1024) {
  const auto ends = static_cast<uint64_t>(std::ranges::count(body, '\n'));
  const uint64_t lines = body.ends_with('\n') ? ends : ends + 1;
  if (lines > kMostLines) throw ApiError(413, fmt::format("expected at most {} lines in a body, not {}", kMostLines, lines));
  for (uint64_t number = 1; !body.empty(); ++number) {
    const size_t end = std::min(body.find('\n'), body.size());
    const std::string_view line = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) add(line, number, max_line_bytes);
  }
}

void LineRequests::add(std::string_view line, uint64_t number, uint64_t max_line_bytes) {
  Line& added = lines_.emplace_back();
  try {
    if (line.size() > max_line_bytes)
      throw ApiError(413, fmt::format("expected at most {} bytes in a line, not {}", max_line_bytes, line.size()));
    JsonBody& body = bodies_.emplace_back(line, boost::json::storage_ptr(&memory_));
    requests_.push_back(request_of(body, insert_, added.id));
  } catch (const ApiError& error) {
    added.problem = fmt::format("line {}: {}", number, error.detail());
  }
}

std::string LineRequests::answers_text(std::span<const OnlineAnswer> answers) const {
  std::string out;
  out.reserve(lines_.size() * 128);
  size_t next = 0;
  for (const Line& line : lines_) {
    if (line.problem.empty()) {
      append_answer(line.id, answers[next++], insert_, out);
      out += '\n';
    } else {
      out += R"({"id":)";
      line.id ? append_json_text(*line.id, out) : static_cast<void>(out += "null");
      out += R"(,"verdict":null,"problem":)";
      append_json_text(line.problem, out);
      out += "}\n";
    }
  }
  return out;
}

}  // namespace neardup::server
