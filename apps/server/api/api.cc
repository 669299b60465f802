#include "server/api/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <exception>
#include <set>
#include <utility>

#include "neardup/tools/printable.h"
#include "server/api/api_error.h"
#include "server/api/calls.h"
#include "server/api/origin.h"
#include "server/api/page.h"

namespace neardup::server {
namespace {

constexpr uint64_t kLeastReserved = 1024;  // a request costs memory beyond its body
constexpr size_t kMostQueued = 16'384;     // requests
// A larger body takes longer to be parsed than the transport may wait.
constexpr size_t kMostInTransport = 65'536;

// What a compressed body of so many bytes may become. Texts become three to ten times as large; the first megabyte is free.
uint64_t inflated_bound(uint64_t bytes) {
  constexpr uint64_t kTimes = 32;
  constexpr uint64_t kFree = uint64_t{1} << 20;
  return std::max(kFree, bytes > UINT64_MAX / kTimes ? UINT64_MAX : bytes * kTimes);
}

std::string_view path_of(const HttpHead& head) {
  return std::string_view(head.target).substr(0, head.target.find('?'));
}

// "application/json; charset=utf-8" is "application/json".
std::string media_type(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type;
}

bool takes_type(BodyKind body, std::string_view type) {
  if (body == BodyKind::kJson) return type == "application/json";
  return type == "application/x-ndjson" || type == "application/ndjson" || type == "application/jsonl" || type == "application/x-jsonlines";
}

constexpr std::string_view kReading = "GET, HEAD";

HttpResponse wrong_method(std::string_view allowed) {
  HttpResponse response = problem_response(405, fmt::format("this path takes only {}", allowed));
  response.headers.emplace_back("Allow", allowed);
  return response;
}

std::string_view method_name(HttpMethod method) noexcept {
  switch (method) {
    case HttpMethod::kGet:
      return "GET";
    case HttpMethod::kHead:
      return "HEAD";
    case HttpMethod::kPost:
      return "POST";
    case HttpMethod::kPut:
      return "PUT";
    case HttpMethod::kDelete:
      return "DELETE";
    case HttpMethod::kOptions:
      return "OPTIONS";
    case HttpMethod::kOther:
      break;
  }
  return "OTHER";
}

}  // namespace

Api::Api(ServedFolders& folders, const ApiOptions& options, std::shared_ptr<const Keys> keys, ServerLog& log)
    : context_(folders, options), log_(log), keys_(std::move(keys)), ticks_([this] { run_ticks(); }) {}

Api::~Api() {
  {
    const std::lock_guard lock(ticks_mutex_);
    ended_ = true;
  }
  ticks_changed_.notify_all();
  ticks_.join();
  // Calls in the queues of the stores use the context.
  context_.upkeep.stop();
  context_.changes.stop();
  context_.questions.stop();
  context_.folders.for_each_store([](ServedStore& store) { store.queue().finish(); });
}

void Api::set_keys(std::shared_ptr<const Keys> keys) {
  const std::lock_guard lock(keys_mutex_);
  keys_ = std::move(keys);
}

std::shared_ptr<const Keys> Api::keys() const {
  const std::lock_guard lock(keys_mutex_);
  return keys_;
}

Role Api::role_of(const HttpHead& head) const {
  const std::shared_ptr<const Keys> known = keys();
  return known == nullptr ? Role::kAdmin : known->role_of(head.authorization);
}

void Api::require_role(const HttpHead& head, Role needed) const {
  if (needed == Role::kNone) return;
  const Role role = role_of(head);
  if (role == Role::kNone) {
    throw ApiError(401, head.authorization.empty() ? "a key is needed: Authorization: Bearer KEY" : "the key is not known");
  }
  if (role < needed) throw ApiError(403, fmt::format("the key has the role {}; this call needs {}", to_string(role), to_string(needed)));
}

void Api::require_body(const HttpHead& head, BodyKind body) const {
  const bool has_body = head.has_body && head.content_length != uint64_t{0};
  if (body == BodyKind::kNone) {
    if (has_body) throw ApiError(400, "this call takes no body");
    return;
  }
  // Also for an empty one: a browser sends this type to another origin only if that allows it.
  if (!takes_type(body, media_type(head.content_type))) {
    throw ApiError(
        415, fmt::format("expected a body of the type {}, not '{}'", body == BodyKind::kJson ? "application/json" : "application/x-ndjson",
                         printable(std::string_view(head.content_type).substr(0, 100))));
  }
  if (!head.compressed && head.content_length && *head.content_length > context_.options.max_body_bytes)
    throw ApiError(413, fmt::format("expected at most {} bytes in a body, not {}", context_.options.max_body_bytes, *head.content_length));
}

// What a body may take is reserved before it is read.
HttpAdmission Api::reserve(const HttpHead& head) {
  const uint64_t most = context_.options.max_body_bytes;
  const uint64_t bound = head.compressed && head.content_length ? std::min(most, inflated_bound(*head.content_length)) : most;
  const uint64_t known = head.compressed || !head.content_length ? bound : *head.content_length;
  const uint64_t bytes = head.has_body ? std::max(known, kLeastReserved) : kLeastReserved;
  const uint64_t before = context_.queued_bytes.fetch_add(bytes);
  const uint64_t requests = context_.queued_requests.fetch_add(1);
  // One request is always taken, however small the bound is.
  if ((before != 0 && before + bytes > context_.options.max_queue_bytes) || requests >= kMostQueued) {
    release(bytes);
    throw ApiError(429,
                   fmt::format("{} requests with {} bytes wait; at most {} bytes do", requests, before, context_.options.max_queue_bytes));
  }
  return {.max_body_bytes = head.has_body ? bound : 0, .reserved_bytes = bytes};
}

void Api::release(uint64_t reserved_bytes) noexcept {
  if (reserved_bytes == 0) return;
  context_.queued_bytes -= reserved_bytes;
  --context_.queued_requests;
}

// What has no route: the page, and the metrics.
std::optional<HttpResponse> Api::special_answer(const HttpHead& head) const {
  const bool reads = head.method == HttpMethod::kGet || head.method == HttpMethod::kHead;
  const std::string_view path = path_of(head);
  if (path == "/metrics") {
    if (!reads) return wrong_method(kReading);
    if (!context_.options.open_metrics) require_role(head, Role::kRead);
    require_body(head, BodyKind::kNone);
    return HttpResponse{.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_text(context_, counts_)};
  }
  std::optional<HttpResponse> page = page_response(path, head.accepts_gzip, head.if_none_match);
  if (!page) return {};
  if (!reads) return wrong_method(kReading);
  require_body(head, BodyKind::kNone);
  return page;
}

HttpAdmission Api::admit_checked(const HttpHead& head) {
  const FoundRoute found = find_route(head.method, head.target);
  const bool only_local = context_.options.only_local && keys() == nullptr;
  // A link from elsewhere may open the page; everything else is for this origin.
  const bool is_page = found.allowed.empty() && path_of(head) != "/metrics";
  if (const auto reason = is_page ? foreign_name(head, only_local) : foreign_request(head, only_local)) throw ApiError(403, *reason);
  if (auto answer = special_answer(head)) return {.refusal = std::move(answer)};
  if (found.allowed.empty()) throw ApiError(404, fmt::format("there is nothing at '{}'", printable(path_of(head).substr(0, 200))));
  if (found.route == nullptr) return {.refusal = wrong_method(found.allowed)};
  require_role(head, found.route->role);
  require_body(head, found.route->body);
  // What costs nothing is answered however much waits: otherwise a machine that watches the service would restart it when it is busy.
  if (found.route->place == AnsweredIn::kTransport && found.route->body == BodyKind::kNone) return {};
  return reserve(head);
}

HttpAdmission Api::admit(const HttpHead& head) noexcept {
  try {
    return admit_checked(head);
  } catch (const ApiError& error) {
    return {.refusal = problem(error.status(), error.detail())};
  } catch (const std::exception& error) {
    return {.refusal = problem(500, error.what())};
  }
}

void Api::handle(HttpRequest request, HttpReply reply) noexcept {
  try {
    FoundRoute found = find_route(request.method, request.target);
    auto call =
        std::make_shared<Call>(Call{.request = std::move(request), .reply = std::move(reply), .parameters = std::move(found.parameters)});
    const Role role = role_of(call->request);
    call->role = role;
    call->keys = keys() != nullptr;
    const auto answer = [this, route = found.route, call] { answer_guarded(*call, [&] { route->answer(context_, *call); }); };
    if (found.route->place == AnsweredIn::kTransport && call->request.body.size() <= kMostInTransport) return answer();
    WorkPool& pool = found.route->place == AnsweredIn::kUpkeep    ? context_.upkeep
                     : found.route->place == AnsweredIn::kChanges ? context_.changes
                                                                  : context_.questions;
    if (!pool.post(answer)) call->reply.send(problem_response(429, "too many requests wait"));
  } catch (const std::exception&) {  // no memory: the reply says 500 when it is destroyed
  }
}

HttpResponse Api::problem(uint16_t status, std::string_view detail) noexcept {
  try {
    return problem_response(status, detail);
  } catch (const std::exception&) {
    return {.status = status};
  }
}

void Api::answered(const HttpHead& head, uint16_t status, uint64_t body_bytes, uint64_t answer_bytes, uint64_t micros) noexcept {
  ++counts_.by_class[std::min<size_t>(status / 100, counts_.by_class.size() - 1)];
  counts_.request_bytes += body_bytes;
  counts_.answer_bytes += answer_bytes;
  if (!log_.wants_request(status)) return;
  try {
    log_.request(method_name(head.method), head.target, head.peer, status, body_bytes, answer_bytes, micros);
  } catch (const std::exception&) {  // a line less
  }
}

void Api::run_ticks() {
  std::set<std::string> failed;  // stores of which the log has it
  std::unique_lock lock(ticks_mutex_);
  while (!ticks_changed_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; })) {
    lock.unlock();
    try {
      context_.folders.for_each_store([&](ServedStore& store) {
        const std::string failure = store.store().stat().failure;
        if (!failure.empty() && failed.insert(store.name()).second)
          log_.error(fmt::format("store {} takes no changes until the server is started again: {}", store.name(), failure));
        store.events().tick([&] { return stats_json(context_, store); });
      });
    } catch (const std::exception& error) {
      log_.error(error.what());
    }
    lock.lock();
  }
}

}  // namespace neardup::server
