#include "io/warc/http_message.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>
#include <vector>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"
#include "io/bytes/decompress.h"

namespace neardup {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr size_t kBlockBytes = 64u << 10;

std::string_view trimmed(std::string_view text) noexcept {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

Problem too_large(uint64_t most) {
  return {fmt::format("the decoded body has more than {} bytes, max_record_bytes is {}", most, most), RejectKind::kTooLong};
}

Problem damaged(std::string what) {
  return {std::move(what), RejectKind::kBrokenBody};
}

// The size at the front of a chunk. False: there is none.
bool chunk_size(std::string_view& rest, uint64_t& size) {
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size, 16);
  if (error != std::errc() || size > rest.max_size() / 2) return false;
  const std::string_view after = rest.substr(static_cast<size_t>(end - rest.data()));
  const size_t newline = after.find('\n');
  if (newline == std::string_view::npos) return false;
  const std::string_view extension = after.substr(0, newline);  // ";name=value", blanks, '\r'
  if (!extension.empty() && std::string_view("; \t\r").find(extension[0]) == std::string_view::npos) return false;
  rest = after.substr(newline + 1);
  return true;
}

Problem join_chunks(std::string_view stored, bool cut, std::string& out) {
  std::string_view rest = stored;
  for (uint64_t size = 0; chunk_size(rest, size);) {
    if (size == 0) return {};
    out.append(rest.substr(0, static_cast<size_t>(size)));
    if (size >= rest.size())
      return damaged(cut || size == rest.size() ? "" : fmt::format("expected a chunk of {} bytes, found {}", size, rest.size()));
    rest.remove_prefix(static_cast<size_t>(size));
    if (rest.starts_with('\r')) rest.remove_prefix(1);
    if (!rest.starts_with('\n')) return damaged("a chunk does not match its size");
    rest.remove_prefix(1);
  }
  return damaged(cut || rest.empty() ? "" : "a chunk has no size");
}

// zlib's frame, or none.
Problem inflate_all(std::string_view in, int window, bool cut, uint64_t most, std::string& out) {
  z_stream state{};
  if (inflateInit2(&state, window) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&state, inflateEnd);
  std::vector<char> block(kBlockBytes);
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  state.avail_in = static_cast<uInt>(in.size());
  for (;;) {
    state.next_out = reinterpret_cast<Bytef*>(block.data());
    state.avail_out = static_cast<uInt>(block.size());
    const int result = inflate(&state, Z_NO_FLUSH);
    const size_t got = block.size() - state.avail_out;
    if (out.size() + got > most) return too_large(most);
    out.append(block.data(), got);
    if (result == Z_STREAM_END) return {};
    if (result != Z_OK && result != Z_BUF_ERROR) return damaged(fmt::format("deflate data is corrupt after {} bytes", out.size()));
    if (got == 0) return damaged(cut ? "" : fmt::format("deflate data is truncated after {} bytes", out.size()));
  }
}

Problem inflate_any(std::string_view in, bool cut, uint64_t most, std::string& out) {
  constexpr int kZlib = 15;
  const bool framed =
      in.size() >= 2 && (in[0] & 0x0F) == 8 && (static_cast<unsigned char>(in[0]) * 256 + static_cast<unsigned char>(in[1])) % 31 == 0;
  Problem problem = inflate_all(in, framed ? kZlib : -kZlib, cut, most, out);
  // A body that does not begin like deflate was decoded by the crawler.
  if (problem.empty() || framed || !out.empty()) return problem;
  out = in;
  return {};
}

Problem unpack(std::string_view in, bool cut, uint64_t most, std::string& out) {
  MemoryStream stream(in);
  const auto decompressor = make_decompressor(sniff_compression(in.substr(0, kSniffBytes)), stream);
  std::vector<char> block(kBlockBytes);
  for (size_t got = block.size(); got == block.size();) {
    got = decompressor->read(block.data(), block.size());
    if (out.size() + got > most) return too_large(most);
    out.append(block.data(), got);
  }
  return damaged(cut ? "" : decompressor->damage());
}

}  // namespace

size_t header_end(std::string_view bytes, size_t from) noexcept {
  constexpr size_t kLongestEnd = 3;  // "\n\r\n"
  size_t at = from > kLongestEnd ? from - kLongestEnd : 0;
  for (at = bytes.find('\n', at); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (bytes.substr(at + 1, 1) == "\n") return at + 2;
    if (bytes.substr(at + 1, 2) == "\r\n") return at + 3;
  }
  return std::string_view::npos;
}

std::string_view HeaderFields::operator[](std::string_view name) const noexcept {
  for (std::string_view rest = header_; !rest.empty();) {
    const size_t newline = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(std::min(newline + 1, rest.size()));
    if (line.size() > name.size() && same_word(line.substr(0, name.size()), name)) {
      const std::string_view after = trimmed(line.substr(name.size()));
      if (after.starts_with(':')) return trimmed(after.substr(1));
    }
  }
  return {};
}

std::string_view media_type(std::string_view content_type) noexcept {
  return trimmed(content_type.substr(0, content_type.find(';')));
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

std::optional<uint64_t> whole_number(std::string_view text) noexcept {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

HttpHead read_http_head(std::string_view message) noexcept {
  HttpHead head;
  const size_t line_end = std::min(message.find('\n'), message.size());
  std::string_view line = message.substr(0, line_end);
  if (!line.starts_with("HTTP/")) return head;
  const size_t end = header_end(message);
  head.bytes = end == std::string_view::npos ? message.size() : end;
  head.fields = message.substr(line_end, head.bytes - line_end);
  line.remove_prefix(std::min(line.find(' '), line.size()));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const auto [digits_end, error] = std::from_chars(line.data(), line.data() + std::min<size_t>(line.size(), 3), head.status);
  head.is_http = error == std::errc() && digits_end == line.data() + 3;
  return head;
}

Problem http_body(const HttpHead& head, std::string_view stored, bool cut, uint64_t most, std::string& space, std::string_view& body) {
  const HeaderFields fields(head.fields);
  body = stored;
  std::string_view first = stored;
  uint64_t size = 0;
  std::string unpacked;
  if (same_word(fields["Transfer-Encoding"], "chunked") && chunk_size(first, size)) {
    if (Problem problem = join_chunks(stored, cut, unpacked); !problem.empty()) return problem;
    space.swap(unpacked);
    body = space;
  }
  // Applied in the order of the list, so decoded from its end.
  std::string_view encodings = fields["Content-Encoding"];
  while (!encodings.empty() && !body.empty()) {
    const size_t comma = encodings.rfind(',');
    const std::string_view encoding = media_type(comma == std::string_view::npos ? encodings : encodings.substr(comma + 1));
    encodings = comma == std::string_view::npos ? std::string_view() : encodings.substr(0, comma);
    const Compression looks_like = sniff_compression(body.substr(0, kSniffBytes));
    unpacked.clear();
    Problem problem;
    if (encoding.empty() || same_word(encoding, "identity")) continue;
    if (same_word(encoding, "gzip") || same_word(encoding, "x-gzip")) {
      if (looks_like != Compression::kGzip) continue;
      problem = unpack(body, cut, most, unpacked);
    } else if (same_word(encoding, "zstd")) {
      if (looks_like != Compression::kZstd) continue;
      problem = unpack(body, cut, most, unpacked);
    } else if (same_word(encoding, "deflate")) {
      problem = inflate_any(body, cut, most, unpacked);
    } else {
      problem = {fmt::format("the content encoding is '{}'; gzip, deflate and zstd are read", encoding.substr(0, 40)),
                 RejectKind::kUnreadable};
    }
    if (!problem.empty()) return problem;
    space.swap(unpacked);
    body = space;
  }
  return {};
}

}  // namespace neardup
