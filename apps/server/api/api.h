// Api: the HttpHandler of the service. It decides who may call what, bounds what waits, finds the route of a call, and has it answered in
// the right threads.
//
// Thread-safe.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "server/api/call.h"
#include "server/api/metrics.h"
#include "server/api/routes.h"
#include "server/api/server_log.h"
#include "server/http/http.h"
#include "server/keys/keys.h"

namespace neardup::server {

class Api final : public HttpHandler {
 public:
  /// `keys`: null if the server asks for none. `folders` and `log` outlive it.
  Api(ServedFolders& folders, const ApiOptions& options, std::shared_ptr<const Keys> keys, ServerLog& log);
  /// Decides what waits in the queues of the stores. Nothing may be handled any more.
  ~Api() override;
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  /// The keys from now on.
  void set_keys(std::shared_ptr<const Keys> keys);
  /// Says that it is not ready any more.
  void begin_stopping() { context_.stopping = true; }

  HttpAdmission admit(const HttpHead& head) noexcept override;
  void handle(HttpRequest request, HttpReply reply) noexcept override;
  HttpResponse problem(uint16_t status, std::string_view detail) noexcept override;
  void release(uint64_t reserved_bytes) noexcept override;
  void answered(const HttpHead& head, uint16_t status, uint64_t body_bytes, uint64_t answer_bytes, uint64_t micros) noexcept override;

 private:
  HttpAdmission admit_checked(const HttpHead& head);
  [[nodiscard]] std::shared_ptr<const Keys> keys() const;
  [[nodiscard]] Role role_of(const HttpHead& head) const;
  void require_role(const HttpHead& head, Role needed) const;
  void require_body(const HttpHead& head, BodyKind body) const;
  HttpAdmission reserve(const HttpHead& head);
  std::optional<HttpResponse> special_answer(const HttpHead& head) const;
  void run_ticks();

  ApiContext context_;
  ServerLog& log_;
  HttpCounts counts_;
  mutable std::mutex keys_mutex_;
  std::shared_ptr<const Keys> keys_;
  std::mutex ticks_mutex_;
  std::condition_variable ticks_changed_;
  bool ended_ = false;
  std::thread ticks_;  // every second: sends events, and logs which stores have failed
};

}  // namespace neardup::server
