#include "server/http/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "neardup/error.h"
#include "server/http/connection.h"

namespace neardup::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Acceptor = asio::basic_socket_acceptor<tcp, Strand>;

/// Connections above the limit that are being told so; more are closed without an answer.
constexpr size_t kMaxTurnedAway = 64;
/// After a failed accept: there may be no file descriptor for a while.
constexpr std::chrono::milliseconds kAcceptPause{100};

std::string address_text(const tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("[{}]:{}", host, endpoint.port()) : fmt::format("{}:{}", host, endpoint.port());
}

}  // namespace

bool ServerState::add(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(mutex);
  if (stopping) return false;
  connection->counted = counted < limits.connections;
  if (!connection->counted && open.size() - counted >= kMaxTurnedAway) return false;
  open.insert(connection);
  if (connection->counted) ++counted;
  return true;
}

void ServerState::remove(const std::shared_ptr<Connection>& connection) noexcept {
  const std::lock_guard lock(mutex);
  if (open.erase(connection) == 0) return;
  if (connection->counted) --counted;
  if (open.empty()) empty.notify_all();
}

std::vector<std::shared_ptr<Connection>> ServerState::all() {
  const std::lock_guard lock(mutex);
  return {open.begin(), open.end()};
}

struct HttpServer::Impl {
  Impl(const HttpAddress& wanted, const HttpLimits& limits, uint32_t thread_count, HttpHandler& handler);
  void accept();
  void on_accept(const SystemError& error, Socket socket);
  void take(Socket socket);
  void stop(std::chrono::milliseconds patience);

  std::shared_ptr<ServerState> shared;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  Acceptor acceptor;
  Timer pause;
  HttpAddress address;
  std::vector<std::thread> threads;
};

HttpServer::Impl::Impl(const HttpAddress& wanted, const HttpLimits& limits, uint32_t thread_count, HttpHandler& handler)
    : shared(std::make_shared<ServerState>(limits, handler, std::max(thread_count, 1U))),
      work(shared->io.get_executor()),
      acceptor(asio::make_strand(shared->io)),
      pause(acceptor.get_executor()) {
  SystemError error;
  const asio::ip::address ip = asio::ip::make_address(wanted.host, error);
  if (error) throw Error(ErrorCode::kUsage, fmt::format("cannot listen on '{}': not an IPv4 or IPv6 address", wanted.host));
  tcp::endpoint endpoint(ip, wanted.port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(Acceptor::max_listen_connections, error);
  if (!error) endpoint = acceptor.local_endpoint(error);
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot listen on {}: {}", address_text(endpoint), error.message()));
  address = {endpoint.address().to_string(), endpoint.port()};
  accept();
  try {
    for (uint32_t i = 0; i < std::max(thread_count, 1U); ++i) {
      threads.emplace_back([&io = shared->io] {
        for (;;) {
          try {
            io.run();
            return;
          } catch (...) {  // handlers catch their own; what is left is want of memory inside of Asio
          }
        }
      });
    }
  } catch (const std::system_error& failure) {
    stop(std::chrono::milliseconds(0));
    throw Error(ErrorCode::kResource, fmt::format("cannot start {} threads for connections: {}", thread_count, failure.what()));
  }
}

void HttpServer::Impl::accept() {
  acceptor.async_accept(asio::make_strand(shared->io),
                        [this](const SystemError& error, Socket socket) { on_accept(error, std::move(socket)); });
}

void HttpServer::Impl::on_accept(const SystemError& error, Socket socket) {
  if (shared->stopping || error == asio::error::operation_aborted) return;
  bool failed = error && error != asio::error::connection_aborted;
  if (!error) {
    try {
      take(std::move(socket));
    } catch (...) {
      failed = true;
    }
  }
  // Accepting never ends, even if there is no memory at this moment.
  for (;;) {
    try {
      if (!failed) return accept();
      pause.expires_after(kAcceptPause);
      pause.async_wait([this](const SystemError&) { on_accept(asio::error::connection_aborted, Socket(acceptor.get_executor())); });
      return;
    } catch (...) {
      failed = true;
      std::this_thread::sleep_for(kAcceptPause);
    }
  }
}

void HttpServer::Impl::take(Socket socket) {
  SystemError error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return;  // gone already
  socket.set_option(tcp::no_delay(true), error);
  socket.non_blocking(true, error);
  if (error) return;
  const auto connection = std::make_shared<Connection>(shared, std::move(socket), address_text(peer));
  if (!shared->add(connection)) return;
  try {
    connection->post([](Connection& its) { its.begin(); });
  } catch (...) {
    shared->remove(connection);
    throw;
  }
}

void HttpServer::Impl::stop(std::chrono::milliseconds patience) {
  {
    const std::lock_guard lock(shared->mutex);
    shared->stopping = true;
  }
  asio::post(acceptor.get_executor(), [this] {
    SystemError ignored;
    acceptor.close(ignored);
    pause.cancel();
  });
  for (const auto& connection : shared->all()) connection->post([](Connection& its) { its.wind_down(); });
  {
    std::unique_lock lock(shared->mutex);
    shared->empty.wait_for(lock, patience, [&] { return shared->open.empty(); });
  }
  for (const auto& connection : shared->all()) connection->post([](Connection& its) { its.close(); });
  work.reset();
  for (std::thread& thread : threads) thread.join();
  threads.clear();
}

HttpServer::HttpServer(const HttpAddress& address, const HttpLimits& limits, uint32_t threads, HttpHandler& handler)
    : impl_(std::make_unique<Impl>(address, limits, threads, handler)) {}

HttpServer::~HttpServer() {
  stop(std::chrono::milliseconds(0));
}

const HttpAddress& HttpServer::address() const noexcept {
  return impl_->address;
}

uint32_t HttpServer::connections() const noexcept {
  return impl_->shared->counted;
}

void HttpServer::stop(std::chrono::milliseconds patience) {
  if (!impl_->threads.empty()) impl_->stop(patience);
}

}  // namespace neardup::server
