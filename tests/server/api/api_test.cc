#include "server/api/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>

#include "server/api/line_requests.h"

namespace neardup::server {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Waits for the one answer of a call.
struct Answer {
  std::mutex mutex;
  std::condition_variable came;
  std::optional<HttpResponse> response;

  HttpResponse wait() {
    std::unique_lock lock(mutex);
    EXPECT_TRUE(came.wait_for(lock, std::chrono::seconds(30), [&] { return response.has_value(); }));
    return response.value_or(HttpResponse{.status = 0});
  }
};

class AnswerSink final : public HttpReply::Sink {
 public:
  explicit AnswerSink(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}
  void send(HttpResponse response) override {
    const std::lock_guard lock(answer_->mutex);
    EXPECT_FALSE(answer_->response) << "answered twice";
    answer_->response = std::move(response);
    answer_->came.notify_all();
  }
  std::shared_ptr<HttpStream> stream(HttpResponse head) override {
    send(std::move(head));
    return nullptr;
  }

 private:
  std::shared_ptr<Answer> answer_;
};

class ApiTest : public testing::Test {
 protected:
  ApiTest() : folder_(fs::path(testing::TempDir()) / ("api-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    folders_.emplace(std::vector<NamedFolder>{}, folder_ + "/data", std::vector<NamedFolder>{}, StoreService{});
    bool created = false;
    folders_->create("seen", {}, created);
    start({.only_local = true, .max_body_bytes = 10'000, .max_line_bytes = 1000, .max_queue_bytes = 15'000});
  }
  ~ApiTest() override {
    api_.reset();
    folders_.reset();
    fs::remove_all(folder_);
  }
  void start(ApiOptions options, std::shared_ptr<const Keys> keys = nullptr) {
    options.version = "test";
    api_.emplace(*folders_, options, std::move(keys), log_);
  }

  static HttpHead head(HttpMethod method, std::string target, std::string type = {}, std::optional<uint64_t> length = {}) {
    HttpHead out;
    out.method = method;
    out.target = std::move(target);
    out.host = "localhost";
    out.content_type = std::move(type);
    out.content_length = length;
    out.has_body = length.has_value();
    return out;
  }
  HttpResponse call(HttpMethod method, const std::string& target, const std::string& body = {}, const std::string& authorization = {}) {
    HttpRequest request;
    const bool lines = target.ends_with("-batch") && !target.ends_with("delete-batch");
    static_cast<HttpHead&>(request) = head(method, target,
                                           body.empty() ? ""
                                           : lines      ? "application/x-ndjson"
                                                        : "application/json; charset=utf-8");
    if (!body.empty()) {
      request.has_body = true;
      request.content_length = body.size();
    }
    request.authorization = authorization;
    HttpAdmission admission = api_->admit(request);
    if (admission.refusal) {
      EXPECT_EQ(admission.reserved_bytes, 0u);
      return std::move(*admission.refusal);
    }
    request.body = body;
    auto answer = std::make_shared<Answer>();
    api_->handle(std::move(request), HttpReply(std::make_unique<AnswerSink>(answer)));
    HttpResponse response = answer->wait();
    api_->release(admission.reserved_bytes);
    return response;
  }
  HttpResponse check(const std::string& id, const std::string& text) {
    return call(HttpMethod::kPost, "/v1/stores/seen/check", R"({"id":")" + id + R"(","text":")" + text + "\"}");
  }

  const std::string folder_;
  ServerLog log_{false, false, true};
  std::optional<ServedFolders> folders_;
  std::optional<Api> api_;
};

constexpr const char* kText = "a text of more than five words in a row for the store";

TEST_F(ApiTest, AChecksAnswerIsThatOfTheStore) {
  EXPECT_THAT(check("a", kText).body, HasSubstr(R"("verdict":"keep","reason":"unique")"));
  EXPECT_THAT(check("a", kText).body, HasSubstr("repeated"));
  EXPECT_THAT(check("b", kText).body, HasSubstr(R"("reason":"exact_copy","keeper_id":"a","similarity":1.000000)"));
  EXPECT_EQ(check("a", "another one").status, 409);
  EXPECT_EQ(call(HttpMethod::kDelete, "/v1/stores/seen/documents/a").status, 204);
  EXPECT_EQ(call(HttpMethod::kDelete, "/v1/stores/seen/documents/a").status, 404);
  EXPECT_THAT(check("b", kText).body, HasSubstr(R"("verdict":"keep")"));
}

TEST_F(ApiTest, EveryLineHasItsAnswer) {
  const std::string lines = std::string(R"({"id":"a","text":")") + kText + "\"}\r\n\n   \nno JSON\n[]\n{\"id\":7,\"text\":\"" + kText +
                            "\",\"url\":\"ignored\"}\n{\"text\":\"no id\"}\n{\"id\":\"long\",\"text\":\"" + std::string(1000, 'x') +
                            "\"}\n" + R"({"id":"e","text":"t","expires":-1})";
  const HttpResponse response = call(HttpMethod::kPost, "/v1/stores/seen/check-batch", lines);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body,
            R"({"id":"a","verdict":"keep","reason":"unique","keeper_id":null,"similarity":null,"sequence":0}
{"id":null,"verdict":null,"problem":"line 4: the text is not JSON: syntax error"}
{"id":null,"verdict":null,"problem":"line 5: expected a JSON object, not []"}
{"id":"7","verdict":"remove","reason":"exact_copy","keeper_id":"a","similarity":1.000000,"sequence":0}
{"id":null,"verdict":null,"problem":"line 7: \"id\" is missing"}
{"id":null,"verdict":null,"problem":"line 8: expected at most 1000 bytes in a line, not 1023"}
{"id":"e","verdict":null,"problem":"line 9: \"expires\": expected an integer from 0 to 4102444800000, not -1"}
)");
  EXPECT_EQ(call(HttpMethod::kPost, "/v1/stores/seen/check-batch", "\n").body, "");
  EXPECT_THAT(call(HttpMethod::kPost, "/v1/stores/seen/query-batch", std::string(R"({"text":")") + kText + "\"}").body,
              HasSubstr(R"({"id":null,"verdict":"remove","reason":"exact_copy","keeper_id":"a","similarity":1.000000})"));
}

TEST(LineRequests, BoundsTheLines) {
  constexpr size_t kMost = 100'000;
  EXPECT_EQ(LineRequests(std::string(kMost, '\n'), true, 1000).refused(), 0u);
  EXPECT_EQ(LineRequests(std::string(kMost - 1, '\n') + "x", true, 1000).refused(), 1u);
  EXPECT_THROW(LineRequests(std::string(kMost, '\n') + "x", true, 1000), ApiError);
}

TEST_F(ApiTest, BodiesAreAdmittedByTypeAndSize) {
  const auto status = [&](const HttpHead& head) {
    const HttpAdmission admission = api_->admit(head);
    if (!admission.refusal) api_->release(admission.reserved_bytes);
    return admission.refusal ? admission.refusal->status : 0;
  };
  constexpr auto kPost = HttpMethod::kPost;
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/check", "application/json", 10)), 0);
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/check", "Application/JSON ; charset=utf-8", 10)), 0);
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/check", "text/plain", 10)), 415);
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/check", "", 0)), 415);
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/check-batch", "application/json", 10)), 415);
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/check", "application/json", 10'001)), 413);
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/sync", "application/json", 1)), 400);
  EXPECT_EQ(status(head(kPost, "/v1/stores/seen/sync", "", 0)), 0);
  EXPECT_EQ(status(head(HttpMethod::kGet, "/v1/stores", "", 5)), 400);
  EXPECT_EQ(status(head(HttpMethod::kOther, "/v1/stores")), 405);
  EXPECT_EQ(status(head(HttpMethod::kGet, "/nothing")), 404);
}

TEST_F(ApiTest, WhatWaitsIsBounded) {
  const HttpHead request = head(HttpMethod::kPost, "/v1/stores/seen/check", "application/json", 9000);
  const HttpAdmission first = api_->admit(request);
  EXPECT_EQ(first.reserved_bytes, 9000u);
  const HttpAdmission second = api_->admit(request);
  ASSERT_TRUE(second.refusal);
  EXPECT_EQ(second.refusal->status, 429);
  EXPECT_EQ(second.refusal->headers.front().first, "Retry-After");
  const HttpAdmission more = api_->admit(head(HttpMethod::kPost, "/v1/stores/seen/check", "application/json", 5500));
  EXPECT_EQ(more.reserved_bytes, 5500u);
  EXPECT_TRUE(api_->admit(head(HttpMethod::kGet, "/v1/stores")).refusal);
  // What watches the service hears that it lives.
  EXPECT_FALSE(api_->admit(head(HttpMethod::kGet, "/healthz")).refusal);
  EXPECT_FALSE(api_->admit(head(HttpMethod::kGet, "/readyz")).refusal);
  api_->release(more.reserved_bytes);
  api_->release(first.reserved_bytes);
  // Compressed, or of unknown length, it counts as the largest one.
  HttpHead compressed = head(HttpMethod::kPost, "/v1/stores/seen/check", "application/json", 10);
  compressed.compressed = true;
  const HttpAdmission third = api_->admit(compressed);
  EXPECT_EQ(third.reserved_bytes, 10'000u);
  EXPECT_EQ(third.max_body_bytes, 10'000u);
  api_->release(third.reserved_bytes);
}

TEST_F(ApiTest, RolesAreChecked) {
  const std::string path = folder_ + "/keys";
  const std::string reader = "Bearer " + make_key(path, Role::kRead, "r");
  const std::string writer = "Bearer " + make_key(path, Role::kWrite, "w");
  const std::string admin = "Bearer " + make_key(path, Role::kAdmin, "a");
  api_.reset();
  start({}, std::make_shared<const Keys>(Keys::load(path)));
  const auto status = [&](HttpMethod method, const std::string& target, const std::string& key, const std::string& body = {}) {
    return call(method, target, body, key).status;
  };
  const std::string checked = R"({"id":"a","text":"t"})";
  for (const std::string& key : {std::string(), std::string("Bearer wrong")}) {
    EXPECT_EQ(status(HttpMethod::kGet, "/v1/stores", key), 401);
    EXPECT_EQ(status(HttpMethod::kGet, "/metrics", key), 401);
    EXPECT_EQ(status(HttpMethod::kGet, "/v1/stores/none", key), 401);  // before it says what exists
    EXPECT_EQ(status(HttpMethod::kGet, "/healthz", key), 200);
    EXPECT_EQ(status(HttpMethod::kGet, "/openapi.json", key), 200);
  }
  EXPECT_EQ(status(HttpMethod::kGet, "/v1/stores", reader), 200);
  EXPECT_EQ(status(HttpMethod::kGet, "/metrics", reader), 200);
  EXPECT_EQ(status(HttpMethod::kPost, "/v1/stores/seen/check", reader, checked), 403);
  EXPECT_EQ(status(HttpMethod::kPost, "/v1/stores/seen/check", writer, checked), 200);
  EXPECT_EQ(status(HttpMethod::kDelete, "/v1/stores/seen/documents/a", reader), 403);
  EXPECT_EQ(status(HttpMethod::kPut, "/v1/stores/new", writer, "{}"), 403);
  EXPECT_EQ(status(HttpMethod::kPut, "/v1/stores/new", admin, "{}"), 201);
  EXPECT_THAT(call(HttpMethod::kGet, "/v1/key", {}, writer).body, HasSubstr(R"("role":"write","keys":true)"));
  api_->set_keys(nullptr);
  EXPECT_THAT(call(HttpMethod::kGet, "/v1/key").body, HasSubstr(R"("role":"admin","keys":false)"));
}

TEST_F(ApiTest, StoresAreCreatedOnce) {
  const auto put = [&](const std::string& name, const std::string& body) { return call(HttpMethod::kPut, "/v1/stores/" + name, body); };
  EXPECT_EQ(put("new", R"({"recipe":"chars-5","threshold":0.7,"ttl":1000})").status, 201);
  EXPECT_EQ(put("new", R"({"recipe":"chars-5","threshold":0.7,"ttl":1000})").status, 200);
  EXPECT_EQ(put("new", R"({"recipe":"chars-5","threshold":0.8,"ttl":1000})").status, 409);
  EXPECT_EQ(put("..", "{}").status, 400);
  EXPECT_EQ(put("a%2Fb", "{}").status, 400);
  EXPECT_EQ(put("file", R"({"recipe":"/etc/passwd"})").status, 422);
  EXPECT_EQ(put("bad", R"({"recipe":"{\"sketch\":1}"})").status, 422);
  for (const std::string member :
       {R"(\"user_words\":\"/etc/passwd\")", R"(\"line_lists\":[\"/etc/passwd\"])", R"(\"dictionary\":\"/etc/passwd\")",
        R"(\"stop_words\":\"/etc/passwd\")", R"(\"weighting\":{\"kind\":\"tfidf\",\"idf\":\"/etc/passwd\"})"}) {
    EXPECT_THAT(put("bad", R"({"recipe":"{)" + member + R"(}"})").body, HasSubstr("names a file")) << member;
  }
  EXPECT_EQ(put("bad", R"({"thresholds":0.7})").status, 400);
  EXPECT_FALSE(fs::exists(folder_ + "/data/bad"));
}

}  // namespace
}  // namespace neardup::server
