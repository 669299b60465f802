#include "online/log/stored_document.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstring>
#include <memory>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/limits.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint8_t kRecordVersion = 1;
constexpr size_t kSumBytes = sizeof(uint64_t);
constexpr size_t kPackedFrom = 256;  // bytes of a text: shorter ones hardly shrink
constexpr int kPackLevel = 1;        // higher ones cost more time than the rest of an insertion

void add_sum(size_t begin, std::string& out) {
  const uint64_t sum = hash64(std::string_view(out).substr(begin));
  ByteWriter(out).value(sum);
}

std::string_view checked(std::string_view bytes, const std::string& name) {
  uint64_t sum = 0;
  if (bytes.size() > kSumBytes) {
    std::memcpy(&sum, bytes.data() + bytes.size() - kSumBytes, kSumBytes);
    bytes.remove_suffix(kSumBytes);
    if (sum == hash64(bytes)) {
      const auto version = static_cast<uint8_t>(bytes.front());
      if (version == kRecordVersion) return bytes.substr(1);
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: a record of version {}, and this program reads version {}", name, version, kRecordVersion));
    }
  }
  throw Error(ErrorCode::kInput, fmt::format("{}: a record is damaged", name));
}

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

}  // namespace

void write_document(const StoredDocument& document, std::string& out) {
  const size_t begin = out.size();
  ByteWriter writer(out);
  writer.value(kRecordVersion);
  writer.value(static_cast<uint8_t>(static_cast<uint8_t>(document.contents) << 1 | static_cast<uint8_t>(document.is_short)));
  writer.value(document.sequence);
  writer.value(document.time);
  writer.value(document.expires);
  writer.value(document.exact.high);
  writer.value(document.exact.low);
  writer.value(static_cast<uint16_t>(document.id.size()));
  out += document.id;
  out += document.bytes;
  add_sum(begin, out);
}

StoredDocument read_document(std::string_view bytes, const std::string& name) {
  bytes = checked(bytes, name);
  ByteReader reader(bytes.substr(0, std::min(bytes.size(), size_t{43})), name);
  StoredDocument document;
  const auto flags = reader.value<uint8_t>();
  document.is_short = (flags & 1) != 0;
  if (flags >> 1 < 1 || flags >> 1 > 3) reader.fail();
  document.contents = static_cast<StoredDocument::Contents>(flags >> 1);
  document.sequence = reader.value<uint64_t>();
  document.time = reader.value<uint64_t>();
  document.expires = reader.value<uint64_t>();
  document.exact.high = reader.value<uint64_t>();
  document.exact.low = reader.value<uint64_t>();
  const auto id_bytes = reader.value<uint16_t>();
  reader.end();
  bytes.remove_prefix(43);
  if (id_bytes > bytes.size()) reader.fail();
  document.id = bytes.substr(0, id_bytes);
  document.bytes = bytes.substr(id_bytes);
  return document;
}

std::optional<std::string_view> text_of(const StoredDocument& document, std::string& space, const std::string& name) {
  if (document.contents == StoredDocument::Contents::kFeatures) return std::nullopt;
  if (document.contents == StoredDocument::Contents::kText) return document.bytes;
  const auto damaged = [&] {
    throw Error(ErrorCode::kInput, fmt::format("{}: the text of document {} cannot be unpacked", name, document.sequence));
  };
  const unsigned long long size = ZSTD_getFrameContentSize(document.bytes.data(), document.bytes.size());
  if (size > limits::kMaxTextBytes) damaged();  // also the values for errors
  space.resize(static_cast<size_t>(size));
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (ZSTD_decompressDCtx(context.get(), space.data(), space.size(), document.bytes.data(), document.bytes.size()) != size) damaged();
  return space;
}

void pack_text(std::string_view text, std::string& packed) {
  packed.clear();
  if (text.size() < kPackedFrom) return;
  packed.resize(ZSTD_compressBound(text.size()));
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  const size_t bytes = ZSTD_compressCCtx(context.get(), packed.data(), packed.size(), text.data(), text.size(), kPackLevel);
  // A little shorter is not worth unpacking it at each comparison.
  packed.resize(ZSTD_isError(bytes) != 0 || bytes > text.size() / 8 * 7 ? 0 : bytes);
}

void pack(StoredDocument& document, std::string& space) {
  if (document.contents != StoredDocument::Contents::kText) return;
  pack_text(document.bytes, space);
  if (space.empty()) return;
  document.contents = StoredDocument::Contents::kPackedText;
  document.bytes = space;
}

void write_event(const StoreEvent& event, std::string& out) {
  const size_t begin = out.size();
  ByteWriter writer(out);
  writer.value(kRecordVersion);
  writer.value(static_cast<uint8_t>(event.kind));
  writer.value(event.sequence);
  writer.value(event.target);
  writer.value(event.time);
  writer.value(event.expires);
  add_sum(begin, out);
}

StoreEvent read_event(std::string_view bytes, const std::string& name) {
  ByteReader reader(checked(bytes, name), name);
  StoreEvent event;
  const auto kind = reader.value<uint8_t>();
  if (kind != static_cast<uint8_t>(StoreEvent::Kind::kDelete) && kind != static_cast<uint8_t>(StoreEvent::Kind::kTouch)) reader.fail();
  event.kind = static_cast<StoreEvent::Kind>(kind);
  event.sequence = reader.value<uint64_t>();
  event.target = reader.value<uint64_t>();
  event.time = reader.value<uint64_t>();
  event.expires = reader.value<uint64_t>();
  reader.end();
  return event;
}

}  // namespace neardup
