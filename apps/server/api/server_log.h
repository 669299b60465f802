// ServerLog: what the server says on standard error: one line of JSON, or of text, for each event. Never texts, keys or bodies; ids only as
// far as they are part of a path.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace neardup::server {

class ServerLog {
 public:
  using Members = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// `access`: every request is logged, not only those that the server could not answer.
  ServerLog(bool json, bool access, bool quiet) : json_(json), access_(access), quiet_(quiet) {}

  /// `text` is for people: a sentence without the name of the program. As JSON, `event` and the members. Not with `quiet`.
  void event(std::string_view event, std::string_view text, Members members = {});
  /// An event of something that is wrong; also with `quiet`.
  void error(std::string_view text);
  [[nodiscard]] bool wants_request(uint16_t status) const noexcept { return access_ || status >= 500; }
  void request(std::string_view method, std::string_view target, std::string_view peer, uint16_t status, uint64_t body_bytes,
               uint64_t answer_bytes, uint64_t micros);

 private:
  void write(std::string line);

  const bool json_;
  const bool access_;
  const bool quiet_;
  std::mutex mutex_;
};

}  // namespace neardup::server
