// Any bytes as a body of lines and as a single body: each line gets one answer, the same as alone; a refusal is a problem that is JSON.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_support.h"
#include "server/api/api_error.h"
#include "server/api/json_body.h"
#include "server/api/line_requests.h"

namespace {

using namespace neardup;
using namespace neardup::server;
using fuzz::require;

constexpr uint64_t kLineBytes = 500;

bool same(const OnlineRequest& a, const OnlineRequest& b) {
  return a.id == b.id && a.text == b.text && a.insert == b.insert && a.replace == b.replace && a.touch == b.touch &&
         a.expires_ms == b.expires_ms;
}

boost::json::object parsed(std::string_view text) {
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(text, error);
  require(!error && value.is_object());
  return value.get_object();
}

// Calls read(), and checks what it throws. True if it threw nothing.
template <typename Read>
bool read_guarded(const Read& read) {
  try {
    read();
    return true;
  } catch (const ApiError& error) {
    require(error.status() == 400 || error.status() == 413);
    require(!error.detail().empty());
    const HttpResponse problem = problem_response(error.status(), error.detail());
    require(parsed(problem.body).at("status").to_number<int>() == error.status());
    return false;
  }
}

void check_request(const OnlineRequest& request, bool insert) {
  require(request.insert == insert && !request.id.empty() && request.id.size() <= 65'535);
}

void read_single(std::string_view body, bool insert) {
  read_guarded([&] {
    JsonBody json(body);
    GivenId id;
    check_request(request_of(json, insert, id), insert);
    json.flag("explain", false);
    json.finish();
  });
  read_guarded([&] {
    JsonBody json(body);
    for (const std::string_view id : json.texts("ids", 10)) checked_id(id, "ids");
    json.number("threshold", 1e-6, 1);
    json.integer("limit", 1, 1000);
    json.optional_text("mode");
    json.finish();
  });
}

std::vector<std::string_view> lines_of(std::string_view body) {
  std::vector<std::string_view> lines;
  while (!body.empty()) {
    const std::string_view line = body.substr(0, body.find('\n'));
    body.remove_prefix(std::min(line.size() + 1, body.size()));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) lines.push_back(line);
  }
  return lines;
}

void read_lines(std::string_view body, bool insert) {
  const LineRequests found(body, insert, kLineBytes);
  const std::vector<std::string_view> lines = lines_of(body);
  require(found.requests().size() + found.refused() == lines.size());
  std::vector<OnlineAnswer> answers(found.requests().size());
  for (size_t i = 0; i < answers.size(); ++i) {
    if (i % 3 == 1)
      answers[i] = {.decision = Decision::kRemove, .reason = Reason::kNearDuplicate, .keeper_id = std::string(body.substr(0, 9))};
    if (i % 3 == 2) answers[i] = {.outcome = OnlineOutcome::kConflict, .problem = std::string(body.substr(0, 9))};
  }
  const std::string text = found.answers_text(answers);
  const std::vector<std::string_view> told = lines_of(text);
  require(told.size() == lines.size() && (text.empty() || text.back() == '\n'));
  size_t next = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const boost::json::object answer = parsed(told[i]);
    require(answer.contains("id") && answer.contains("verdict"));
    std::optional<JsonBody> json;
    GivenId id;
    OnlineRequest alone;
    const bool good = lines[i].size() <= kLineBytes && read_guarded([&] { alone = request_of(json.emplace(lines[i]), insert, id); });
    require(good || answer.at("problem").is_string());
    if (!good) continue;
    check_request(alone, insert);
    require(next < found.requests().size() && same(alone, found.requests()[next++]));
    require(answer.at("id").is_null() == !id);
  }
  require(next == found.requests().size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  for (const bool insert : {true, false}) {
    read_single(body, insert);
    read_lines(body, insert);
  }
  return 0;
}
