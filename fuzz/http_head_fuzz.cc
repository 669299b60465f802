// Any bytes as what arrives on a connection: requests are read, with heads and bodies within their bounds, or refused by a status. In how
// many pieces the bytes arrive makes no difference.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_support.h"
#include "server/http/request_reader.h"

namespace {

using namespace neardup::server;
using neardup::fuzz::require;

constexpr uint32_t kHeadBytes = 2048;
constexpr uint64_t kBodyBytes = 4096;

struct Seen {
  std::vector<std::string> requests;
  uint16_t fault = 0;
  bool waits = false;  // a part of a body arrived that is too short to be read

  // Of a body that is damaged and too large, how it arrives decides which is noticed first; and whether it is noticed yet.
  bool operator==(const Seen& other) const {
    const auto of_body = [](uint16_t status) { return status == 413 ? uint16_t{400} : status; };
    return requests == other.requests && (of_body(fault) == of_body(other.fault) || waits || other.waits);
  }
};

std::string describe(const HttpHead& head, const std::string& body) {
  std::string all(1, static_cast<char>(head.method));
  for (const std::string* part :
       {&head.target, &head.host, &head.origin, &head.fetch_site, &head.authorization, &head.content_type, &head.if_none_match, &body}) {
    all.append(*part).push_back('\0');
  }
  for (const bool flag : {head.accepts_gzip, head.compressed, head.has_body}) all.push_back(flag ? '1' : '0');
  return all;
}

void check_fault(const HttpFault& fault, Seen& seen) {
  constexpr uint16_t kStatuses[] = {400, 413, 415, 417, 431, 501, 505};
  require(std::ranges::find(kStatuses, fault.status) != std::end(kStatuses));
  require(!fault.detail.empty());
  seen.fault = fault.status;
}

void check_head(const HttpHead& head) {
  require(head.target.starts_with('/') && head.target.size() <= kHeadBytes);
  for (const char c : head.target) require(c > 0x20 && c < 0x7f);
  // No value can begin another line.
  for (const std::string* part : {&head.host, &head.origin, &head.authorization, &head.content_type}) {
    require(part->find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  }
}

Seen read(std::string_view input, size_t piece) {
  Seen seen;
  RequestReader reader(kHeadBytes);
  HttpHead head;
  size_t begin = 0;
  size_t end = 0;
  bool in_body = false;
  for (;;) {
    const std::string_view arrived = input.substr(begin, end - begin);
    bool whole = false;
    if (!in_body) {
      const size_t size = arrived.empty() ? 0 : reader.read_head(arrived, head);
      require(size <= arrived.size());
      if (reader.fault()) {
        check_fault(*reader.fault(), seen);
        return seen;
      }
      if (size != 0) {
        check_head(head);
        begin += size;
        in_body = head.has_body;
        whole = !in_body;
        if (in_body && !reader.allow_body(kBodyBytes)) {
          check_fault(*reader.fault(), seen);
          return seen;
        }
      }
    } else {
      const size_t used = reader.read_body(arrived);
      require(used <= arrived.size());
      if (reader.fault()) {
        check_fault(*reader.fault(), seen);
        return seen;
      }
      begin += used;
      whole = reader.done();
    }
    if (whole) {
      const std::string body = in_body ? reader.take_body() : std::string();
      require(body.size() <= kBodyBytes);
      seen.requests.push_back(describe(head, body));
      in_body = false;
      reader.reset();
      continue;
    }
    if (in_body && begin < end && arrived.size() != end - begin) continue;  // it used a part
    if (end == input.size()) {
      seen.waits = in_body && begin != end;
      return seen;
    }
    end = std::min(end + piece, input.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 32'768) return 0;  // beyond it, how much framing is too much depends on how it arrives
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const Seen at_once = read(input, std::max<size_t>(size, 1));
  require(at_once == read(input, 1));
  require(at_once == read(input, 7));
  return 0;
}
