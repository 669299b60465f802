#include "server/api/server_log.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <iterator>

#include "neardup/tools/online_answer.h"
#include "neardup/tools/printable.h"

namespace neardup::server {
namespace {

constexpr size_t kShownTarget = 300;

// "2026-11-28T06:15:00Z"
std::string time_label() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace

void ServerLog::event(std::string_view event, std::string_view text, Members members) {
  if (quiet_) return;
  if (!json_) return write(fmt::format("neardup serve: {}\n", printable(text)));
  std::string line = fmt::format(R"({{"event":"{}","time":"{}")", event, time_label());
  for (const auto& [name, value] : members) {
    line += fmt::format(",\"{}\":", name);
    append_json_text(value, line);
  }
  write(line + "}\n");
}

void ServerLog::error(std::string_view text) {
  if (!json_) return write(fmt::format("neardup serve: {}\n", printable(text)));
  std::string line = fmt::format(R"({{"event":"error","time":"{}","message":)", time_label());
  append_json_text(text, line);
  write(line + "}\n");
}

void ServerLog::request(std::string_view method, std::string_view target, std::string_view peer, uint16_t status, uint64_t body_bytes,
                        uint64_t answer_bytes, uint64_t micros) {
  const std::string_view shown = target.substr(0, kShownTarget);
  if (!json_) {
    return write(fmt::format("{} {} {} {} {} {} bytes in, {} out, {:.3f} ms\n", time_label(), printable(peer), method, printable(shown),
                             status, body_bytes, answer_bytes, static_cast<double>(micros) / 1000));
  }
  std::string line = fmt::format(R"({{"event":"request","time":"{}","peer":)", time_label());
  append_json_text(peer, line);
  fmt::format_to(std::back_inserter(line), R"(,"method":"{}","target":)", method);
  append_json_text(shown, line);
  fmt::format_to(std::back_inserter(line),
                 R"(,"status":{},"body_bytes":{},"answer_bytes":{},"ms":{:.3f}}})"
                 "\n",
                 status, body_bytes, answer_bytes, static_cast<double>(micros) / 1000);
  write(std::move(line));
}

void ServerLog::write(std::string line) {
  const std::lock_guard lock(mutex_);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace neardup::server
