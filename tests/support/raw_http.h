// A client that sends exactly the given bytes, well-formed or not, and blocks until the answer has come; at most ten seconds.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace neardup::testing {

struct RawResponse {
  int status = 0;                              ///< 0: there was no whole response
  std::map<std::string, std::string> headers;  ///< names in lower case; of several with one name the last
  std::string body;

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

class RawHttp {
 public:
  /// Connects to 127.0.0.1. `receive_bytes`: of the receive buffer, small for a client that reads slowly; 0: the system's.
  explicit RawHttp(uint16_t port, int receive_bytes = 0) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_bytes != 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) close();
  }
  RawHttp(const RawHttp&) = delete;
  RawHttp& operator=(const RawHttp&) = delete;
  ~RawHttp() { close(); }

  [[nodiscard]] bool connected() const { return socket_ >= 0; }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  /// Closes with a reset instead of an end.
  void reset() {
    const linger hard = {1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close();
  }
  void end_sending() { ::shutdown(socket_, SHUT_WR); }

  /// False if the server takes no more.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  /// The next response. `of_head`: to a request with the method HEAD.
  RawResponse read(bool of_head = false) {
    RawResponse response;
    size_t end = 0;
    while ((end = arrived_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive()) return response;
    }
    const std::string head = arrived_.substr(0, end + 2);
    arrived_.erase(0, end + 4);
    size_t line = head.find("\r\n") + 2;
    while (line < head.size()) {
      const size_t next = head.find("\r\n", line);
      const size_t colon = head.find(':', line);
      std::string name = head.substr(line, colon - line);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      response.headers[name] = head.substr(colon + 2, next - colon - 2);
      line = next + 2;
    }
    const int status = std::atoi(head.c_str() + 9);
    if (of_head || status < 200 || status == 204 || status == 304) {
      response.status = status;
    } else if (response.header("transfer-encoding") == "chunked") {
      for (;;) {
        const std::pair<bool, std::string> chunk = read_chunk();
        if (!chunk.first) return response;
        if (chunk.second.empty()) break;
        response.body += chunk.second;
      }
      response.status = status;
    } else if (response.headers.contains("content-length")) {
      const size_t size = std::stoull(response.header("content-length"));
      while (arrived_.size() < size) {
        if (!receive()) return response;
      }
      response.body = arrived_.substr(0, size);
      arrived_.erase(0, size);
      response.status = status;
    }
    return response;
  }

  /// The head of a response as it was sent, with the empty line; what follows is left.
  std::string read_head() {
    size_t end = 0;
    while ((end = arrived_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive()) return {};
    }
    std::string head = arrived_.substr(0, end + 4);
    arrived_.erase(0, end + 4);
    return head;
  }
  /// The next chunk, empty for the last one; false if the connection ended before.
  std::pair<bool, std::string> read_chunk() {
    size_t line = 0;
    while ((line = arrived_.find("\r\n")) == std::string::npos) {
      if (!receive()) return {false, {}};
    }
    const size_t size = std::stoull(arrived_.substr(0, line), nullptr, 16);
    while (arrived_.size() < line + 2 + size + 2) {
      if (!receive()) return {false, {}};
    }
    std::string chunk = arrived_.substr(line + 2, size);
    arrived_.erase(0, line + 2 + size + 2);
    return {true, chunk};
  }
  /// All that comes until the server ends the connection.
  std::string read_rest() {
    while (receive()) {
    }
    return std::exchange(arrived_, {});
  }
  /// True if the server has ended the connection, with nothing more to read.
  bool ended() { return read_rest().empty() && !timed_out_; }
  /// True if something can be read within this time.
  bool readable(int milliseconds) {
    pollfd waiting = {socket_, POLLIN, 0};
    return !arrived_.empty() || ::poll(&waiting, 1, milliseconds) > 0;
  }
  /// The port of this side.
  [[nodiscard]] uint16_t port() const {
    sockaddr_in address = {};
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

 private:
  bool receive() {
    pollfd waiting = {socket_, POLLIN, 0};
    if (::poll(&waiting, 1, 10'000) <= 0) {
      timed_out_ = true;
      return false;
    }
    char bytes[65536];
    const ssize_t size = ::recv(socket_, bytes, sizeof bytes, 0);
    if (size <= 0) return false;
    arrived_.append(bytes, static_cast<size_t>(size));
    return true;
  }

  int socket_;
  bool timed_out_ = false;
  std::string arrived_;
};

}  // namespace neardup::testing
