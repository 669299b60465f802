#include "server/http/request_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <vector>

#include "server/http/body_decoder.h"
#include "server/http/head_scanner.h"

namespace neardup::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

/// Of a chunked body, besides eight bytes for each of its own: what the sizes, extensions and trailers of chunks may take.
constexpr uint64_t kMaxChunkFraming = 65536;
/// A chunked body that is not whole has at least the last chunk to come. Beast asserts that it is not given a part of that twice.
constexpr size_t kLastChunkBytes = std::string_view("0\r\n\r\n").size();

/// Beast's way of letting a body be decoded where it stands in the buffer of the connection.
struct DecodedBody {
  struct Value {
    BodyDecoder* decoder = nullptr;
    BodyDecoder::Result result = BodyDecoder::Result::kGood;
  };
  using value_type = Value;
  class reader {  // NOLINT(readability-identifier-naming): Beast's name
   public:
    template <bool IsRequest, class Fields>
    reader(http::header<IsRequest, Fields>&, value_type& body) : body_(body) {}
    void init(const boost::optional<uint64_t>&, beast::error_code& error) { error = {}; }
    template <class Buffers>
    size_t put(const Buffers& buffers, beast::error_code& error) {
      error = {};
      size_t size = 0;
      for (const auto buffer : beast::buffers_range_ref(buffers)) {
        body_.result = body_.decoder->add({static_cast<const char*>(buffer.data()), buffer.size()});
        if (body_.result != BodyDecoder::Result::kGood) {
          error = http::error::unexpected_body;
          return size;
        }
        size += buffer.size();
      }
      return size;
    }
    void finish(beast::error_code& error) { error = {}; }

   private:
    value_type& body_;
  };
};

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

HttpMethod method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return HttpMethod::kGet;
    case http::verb::head:
      return HttpMethod::kHead;
    case http::verb::post:
      return HttpMethod::kPost;
    case http::verb::put:
      return HttpMethod::kPut;
    case http::verb::delete_:
      return HttpMethod::kDelete;
    case http::verb::options:
      return HttpMethod::kOptions;
    default:
      return HttpMethod::kOther;
  }
}

HttpFault fault_of(HeadScanner::State state) {
  switch (state) {
    case HeadScanner::State::kBareLineEnd:
      return {400, "A line of the head does not end with a carriage return and a line feed."};
    case HeadScanner::State::kFolded:
      return {400, "A header of the request is folded over several lines."};
    default:
      return {400, "The head of the request has a control character."};
  }
}

/// Whether the request line asks for a version of HTTP, whichever: Beast reports as a bad version what is none, too.
bool has_version(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\r'));
  const size_t space = line.rfind(' ');
  if (space == std::string_view::npos || std::count(line.begin(), line.end(), ' ') != 2) return false;
  const std::string_view version = line.substr(space + 1);
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return version.size() == 8 && version.starts_with("HTTP/") && digit(version[5]) && version[6] == '.' && digit(version[7]);
}

}  // namespace

struct RequestReader::Parts {
  using Parser = http::request_parser<DecodedBody>;

  const uint32_t max_header_bytes;
  HeadScanner scanner;
  std::optional<Parser> parser;
  std::vector<HeaderField> fields;
  BodyHead body;
  std::optional<uint64_t> content_length;
  std::optional<BodyDecoder> decoder;
  uint64_t max_body_bytes = 0;
  uint64_t wire_bytes = 0;  ///< of the body as it was sent, with the framing of chunks
  std::optional<HttpFault> fault;

  explicit Parts(uint32_t max) : max_header_bytes(max) {}

  void too_large() { fault = HttpFault{413, fmt::format("The body is larger than the limit of {} bytes.", max_body_bytes)}; }
  void damaged() {
    const std::string_view name = body.encoding == BodyEncoding::kGzip ? "gzip" : "zstd";
    fault = HttpFault{400, fmt::format("The body is not valid {}: it is damaged, ends early, or is followed by something else.", name)};
  }
  void malformed(const beast::error_code& error, std::string_view what) {
    fault = HttpFault{400, fmt::format("The {} of the request is not valid HTTP: {}.", what, error.message())};
  }
};

RequestReader::RequestReader(uint32_t max_header_bytes) : parts_(std::make_unique<Parts>(max_header_bytes)) {}
RequestReader::~RequestReader() = default;

void RequestReader::reset() {
  parts_->scanner = {};
  parts_->parser.reset();
  parts_->decoder.reset();
  parts_->wire_bytes = 0;
}

size_t RequestReader::read_head(std::string_view bytes, HttpHead& head) {
  Parts& parts = *parts_;
  const HeadScanner::State state = parts.scanner.scan(bytes.substr(0, parts.max_header_bytes));
  if (state == HeadScanner::State::kMore) {
    if (bytes.size() >= parts.max_header_bytes) {
      parts.fault = HttpFault{431, fmt::format("The head of the request is larger than the limit of {} bytes.", parts.max_header_bytes)};
    }
    return 0;
  }
  if (state != HeadScanner::State::kWhole) {
    parts.fault = fault_of(state);
    return 0;
  }
  Parts::Parser& parser = parts.parser.emplace();
  parser.header_limit(parts.max_header_bytes);
  parser.body_limit(boost::none);  // unknown until allow_body()
  const std::string_view whole = parts.scanner.head(bytes);
  beast::error_code error;
  const size_t used = parser.put({whole.data(), whole.size()}, error);
  if (error || !parser.is_header_done() || used != whole.size()) {
    if (!error) error = http::error::partial_message;
    if (error == http::error::bad_version && has_version(whole)) {
      parts.fault = HttpFault{505, "This server speaks HTTP/1.1 and HTTP/1.0."};
    } else {
      parts.malformed(error, "head");
    }
    return 0;
  }
  const auto& request = parser.get();
  parts.fields.clear();
  for (const auto& field : request) parts.fields.push_back({view(field.name_string()), view(field.value())});
  parts.fault = check_head(method_of(request.method()), view(request.target()), request.version() == 11, parts.fields, head, parts.body);
  // What Beast will read as the body has to be what was checked.
  if (!parts.fault && (parser.chunked() != parts.body.chunked || parser.is_done() == head.has_body)) {
    parts.fault = HttpFault{400, "The length of the body is not clear."};
  }
  parts.content_length = head.content_length;
  return parts.fault ? 0 : parts.scanner.size();
}

bool RequestReader::keep_alive() const {
  return parts_->parser->keep_alive();
}
bool RequestReader::http_1_1() const {
  return parts_->parser->get().version() == 11;
}
bool RequestReader::expects_continue() const {
  return parts_->body.expects_continue;
}

bool RequestReader::allow_body(uint64_t max_bytes) {
  Parts& parts = *parts_;
  if (!parts.body.encoding) {
    parts.fault = HttpFault{415, "The body has a Content-Encoding other than gzip and zstd."};
    return false;
  }
  parts.max_body_bytes = max_bytes;
  const bool identity = parts.body.encoding == BodyEncoding::kIdentity;
  // Before memory is taken for what was announced.
  if (identity && parts.content_length.value_or(0) > max_bytes) {
    parts.too_large();
    return false;
  }
  BodyDecoder& decoder = parts.decoder.emplace(*parts.body.encoding, max_bytes, parts.content_length.value_or(0));
  if (parts.content_length.value_or(0) > decoder.max_sent_bytes()) {
    parts.too_large();
    return false;
  }
  parts.parser->body_limit(decoder.max_sent_bytes());
  parts.parser->get().body().decoder = &decoder;
  return true;
}

size_t RequestReader::read_body(std::string_view bytes) {
  Parts& parts = *parts_;
  Parts::Parser& parser = *parts.parser;
  size_t used = 0;
  while (used < bytes.size() && !parser.is_done()) {
    if (parser.chunked() && bytes.size() - used < kLastChunkBytes) break;
    beast::error_code error;
    const size_t more = parser.put({bytes.data() + used, bytes.size() - used}, error);
    used += more;
    if (error == http::error::need_more) break;
    if (!error) continue;
    const BodyDecoder::Result result = parser.get().body().result;
    if (error == http::error::body_limit || result == BodyDecoder::Result::kTooLarge) {
      parts.too_large();
    } else if (result == BodyDecoder::Result::kDamaged) {
      parts.damaged();
    } else {
      parts.malformed(error, "body");
    }
    return used;
  }
  parts.wire_bytes += used;
  const uint64_t sent = parts.decoder->sent_bytes();
  if (parts.wire_bytes > kMaxChunkFraming + 9 * sent) {
    parts.fault = HttpFault{400, "The chunks of the body have more framing than content."};
  } else if (parser.is_done() && parts.decoder->finish() != BodyDecoder::Result::kGood) {
    parts.damaged();
  }
  return used;
}

bool RequestReader::done() const {
  return parts_->parser->is_done() && !parts_->fault;
}

std::string RequestReader::take_body() {
  return parts_->decoder ? parts_->decoder->take() : std::string();
}

const std::optional<HttpFault>& RequestReader::fault() const noexcept {
  return parts_->fault;
}

}  // namespace neardup::server
