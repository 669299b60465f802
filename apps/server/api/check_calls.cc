// Checks, queries and explanations of one text, and bodies of lines.
#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <utility>

#include "neardup/tools/online_answer.h"
#include "neardup/tools/printable.h"
#include "server/api/api_error.h"
#include "server/api/calls.h"
#include "server/api/json_body.h"
#include "server/api/line_requests.h"

namespace neardup::server {
namespace {

constexpr std::string_view kLinesType = "application/x-ndjson";

void append_passages(const Comparison& comparison, std::string& out) {
  out += R"("passages":[)";
  for (size_t i = 0; i < comparison.passages.size(); ++i) {
    out += i == 0 ? R"({"text":)" : R"(,{"text":)";
    append_json_text(comparison.passages[i].text, out);
    fmt::format_to(std::back_inserter(out), R"(,"tokens":{}}})", comparison.passages[i].tokens);
  }
  out += ']';
}

// Sends the answer to one text.
void send_answer(HttpReply& reply, const GivenId& id, const OnlineAnswer& answer, bool has_sequence, const Comparison* comparison) {
  if (answer.outcome == OnlineOutcome::kConflict) return reply.send(problem_response(409, answer.problem));
  if (answer.outcome == OnlineOutcome::kInvalid) return reply.send(problem_response(422, answer.problem));
  std::string body;
  append_answer(id, answer, has_sequence, body);
  if (comparison != nullptr) {
    body.back() = ',';
    append_passages(*comparison, body);
    body += '}';
  }
  reply.send(json_response(std::move(body)));
}

// With the passages that a removed text shares with its keeper, if the store keeps texts, and they are not too long.
void send_explained(const ServedStore& store, HttpReply& reply, const GivenId& id, std::string_view text, const OnlineAnswer& answer,
                    bool has_sequence) {
  if (answer.outcome == OnlineOutcome::kDecided && answer.decision == Decision::kRemove) {
    const auto keeper = store.text_of(answer.keeper_id);
    if (keeper && *keeper && text.size() + (*keeper)->size() <= ServedStore::kMostCompared) {
      const Comparison comparison = store.compare(text, **keeper);
      return send_answer(reply, id, answer, has_sequence, &comparison);
    }
  }
  send_answer(reply, id, answer, has_sequence, nullptr);
}

// A call that waits in the queue of a store.
class QueuedCall : public CheckJob {
 public:
  explicit QueuedCall(ServedStore& store) : store_(store) {}
  /// The body is given up: the requests are copies.
  void take(Call&& call) {
    call_.emplace(std::move(call));
    std::string().swap(call_->request.body);  // an assignment would keep its memory
  }
  void failed(const Error& error) noexcept override {
    answer_guarded(*call_, [&] { call_->reply.send(problem_response(error)); });
  }

 protected:
  ServedStore& store_;
  std::optional<Call> call_;
};

class SingleCheck final : public QueuedCall {
 public:
  /// Reads the body. Throws ApiError; the call is as it was.
  SingleCheck(ApiContext& context, ServedStore& store, Call& call) : QueuedCall(store), context_(context), body_(call.request.body) {
    GivenId id;
    requests_.push_back(request_of(body_, true, id));
    explain_ = body_.flag("explain", false);
    body_.finish();
  }

  void decided(std::span<OnlineAnswer> answers) noexcept override {
    answer_guarded(*call_, [&] {
      store_.note(requests_, answers, call_->micros());
      OnlineAnswer& answer = answers.front();
      if (explain_) {
        explain_later(std::move(answer));
      } else {
        send_answer(call_->reply, requests_.front().id, answer, true, nullptr);
      }
    });
  }

 private:
  // Not in the thread that decides.
  void explain_later(OnlineAnswer answer) {
    struct Explained {
      Call call;
      std::string id;
      std::string text;
      OnlineAnswer answer;
    };
    auto shared = std::make_shared<Explained>(
        Explained{std::move(*call_), std::string(requests_.front().id), std::string(requests_.front().text), std::move(answer)});
    const auto send = [&store = store_, shared] {
      answer_guarded(shared->call, [&] { send_explained(store, shared->call.reply, shared->id, shared->text, shared->answer, true); });
    };
    if (!context_.questions.post(send)) send_answer(shared->call.reply, shared->id, shared->answer, true, nullptr);
  }

  ApiContext& context_;
  JsonBody body_;
  bool explain_ = false;
};

class BatchCheck final : public QueuedCall {
 public:
  BatchCheck(ServedStore& store, const Call& call, uint64_t max_line_bytes)
      : QueuedCall(store), lines_(call.request.body, true, max_line_bytes) {
    requests_.assign(lines_.requests().begin(), lines_.requests().end());
  }

  void decided(std::span<OnlineAnswer> answers) noexcept override {
    answer_guarded(*call_, [&] {
      store_.note(requests_, answers, call_->micros());
      store_.note_refused(lines_.refused());
      call_->reply.send({.content_type = kLinesType, .body = lines_.answers_text(answers)});
    });
  }

 private:
  LineRequests lines_;
};

void post_job(ServedStore& store, std::unique_ptr<CheckJob> job) {
  // post() takes it only if it returns true.
  if (!store.queue().post(std::move(job)))
    job->failed(Error(ErrorCode::kStopped, "the server is stopping"));  // NOLINT(bugprone-use-after-move)
}

// The text of a stored document. Throws ApiError{404}, or ApiError{422} in a store without texts.
std::string stored_text(const ServedStore& store, std::string_view id) {
  auto text = store.text_of(id);
  if (!text) throw ApiError(404, fmt::format("no document of the store has the id '{}'", printable(id.substr(0, 100))));
  if (!*text) throw ApiError(422, "the store keeps no texts, so that nothing can be compared");
  return std::move(**text);
}

}  // namespace

void call_check(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  auto job = std::make_unique<SingleCheck>(context, store, call);
  job->take(std::move(call));
  post_job(store, std::move(job));
}

void call_check_batch(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  auto job = std::make_unique<BatchCheck>(store, call, context.options.max_line_bytes);
  job->take(std::move(call));
  post_job(store, std::move(job));
}

void call_query(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  JsonBody body(call.request.body);
  GivenId id;
  const OnlineRequest request = request_of(body, false, id);
  const bool explain = body.flag("explain", false);
  body.finish();
  std::vector<OnlineAnswer> answers;
  store.store().apply({&request, 1}, answers);
  store.note_queries(1, call.micros());
  if (explain) {
    send_explained(store, call.reply, id, request.text, answers.front(), false);
  } else {
    send_answer(call.reply, id, answers.front(), false, nullptr);
  }
}

void call_query_batch(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  const LineRequests lines(call.request.body, false, context.options.max_line_bytes);
  std::vector<OnlineAnswer> answers;
  store.store().apply(lines.requests(), answers);
  store.note_queries(answers.size(), call.micros());
  call.reply.send({.content_type = kLinesType, .body = lines.answers_text(answers)});
}

void call_explain(ApiContext& context, Call& call) {
  call.check_query({});
  const ServedStore& store = store_of(context, call);
  JsonBody body(call.request.body);
  const std::optional<std::string_view> text = body.optional_text("text");
  const std::optional<std::string_view> other = body.optional_text("other");
  const std::string_view document = checked_id(body.text("document"), "document");
  body.finish();
  if (text.has_value() == other.has_value()) throw ApiError(400, "expected either \"text\" or \"other\"");
  const std::string first = text ? std::string(*text) : stored_text(store, checked_id(*other, "other"));
  const std::string second = stored_text(store, document);
  if (first.size() + second.size() > ServedStore::kMostCompared) {
    throw ApiError(422, fmt::format("expected two texts of at most {} bytes together, not {}", ServedStore::kMostCompared,
                                    first.size() + second.size()));
  }
  const Comparison found = store.compare(first, second);
  std::string out = fmt::format(R"({{"match":{},"exact_copy":{},"similarity":{:.6f},"tokens":[{},{}],"features":[{},{}],"common":{},)",
                                store.matches(found), found.exact_copy, store.similarity(found), found.a.tokens, found.b.tokens,
                                found.a.features, found.b.features, found.overlap.common);
  if (found.bits != 0) fmt::format_to(std::back_inserter(out), R"("distance":{},)", found.distance);
  append_passages(found, out);
  fmt::format_to(std::back_inserter(out), R"(,"passages_skipped":{}}})", found.passages_skipped);
  call.reply.send(json_response(std::move(out)));
}

}  // namespace neardup::server
