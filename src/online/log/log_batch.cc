#include "online/log/log_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "neardup/error.h"

namespace neardup {

using log_format::BatchHead;
using log_format::Entry;
using log_format::FileHead;
using log_format::kEntryHead;

namespace {

template <typename T>
uint64_t sum_before(const T& value, size_t bytes) {
  return hash64({reinterpret_cast<const char*>(&value), bytes});
}

uint64_t head_sum_of(const BatchHead& head, uint64_t file, uint64_t offset) {
  return sum_before(head, offsetof(BatchHead, head_sum)) ^ mix64(RecordPlace::at(file, offset, 0).place);
}

template <typename T>
T read_at(std::string_view bytes, uint64_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

template <typename Write>
LogBatch::Put LogBatch::put_entry(Entry kind, const Write& write) {
  bytes_ += static_cast<char>(kind);
  bytes_.append(sizeof(uint32_t), '\0');
  const uint64_t begin = bytes_.size();
  write(bytes_);
  if (bytes_.size() - begin > std::numeric_limits<uint32_t>::max())
    throw Error(ErrorCode::kResource, fmt::format("an entry of the log of {} bytes; expected less than 4 GiB", bytes_.size() - begin));
  const auto bytes = static_cast<uint32_t>(bytes_.size() - begin);
  std::memcpy(bytes_.data() + begin - sizeof bytes, &bytes, sizeof bytes);
  ++entries_;
  return {begin, bytes};
}

size_t LogBatch::put(const StoredDocument& document) {
  documents_.push_back(put_entry(Entry::kDocument, [&](std::string& out) { write_document(document, out); }));
  return documents_.size() - 1;
}

void LogBatch::put(const StoreEvent& event) {
  put_entry(Entry::kEvent, [&](std::string& out) { write_event(event, out); });
}

void LogBatch::put(const LogState& state) {
  put_entry(Entry::kState, [&](std::string& out) {
    ByteWriter writer(out);
    writer.value(state.time);
    writer.array(state.removed);
    writer.value(uint64_t{state.expiries.size()});
    for (const auto& [sequence, expires] : state.expiries) {
      writer.value(sequence);
      writer.value(expires);
    }
  });
}

void LogBatch::clear() {
  bytes_.assign(sizeof(BatchHead), '\0');
  entries_ = 0;
  documents_.clear();
}

std::string_view LogBatch::seal(uint64_t begin, uint64_t end, uint64_t durable, uint64_t file, uint64_t offset) {
  if (offset + bytes_.size() >= uint64_t{1} << RecordPlace::kOffsetBits) {
    throw Error(ErrorCode::kResource, fmt::format("file {} of the log would pass {} bytes; keep more than one store", file,
                                                  uint64_t{1} << RecordPlace::kOffsetBits));
  }
  const std::string_view body = std::string_view(bytes_).substr(sizeof(BatchHead));
  BatchHead head{.magic = log_format::kBatchMagic,
                 .entries = entries_,
                 .bytes = body.size(),
                 .begin = begin,
                 .end = end,
                 .durable = durable,
                 .body_sum = hash64(body),
                 .head_sum = 0};
  head.head_sum = head_sum_of(head, file, offset);
  std::memcpy(bytes_.data(), &head, sizeof head);
  return bytes_;
}

std::string log_file_head(uint64_t number, uint64_t begin) {
  FileHead head{.magic = {}, .version = log_format::kVersion, .reserved = 0, .number = number, .begin = begin, .sum = 0};
  std::copy(log_format::kMagic.begin(), log_format::kMagic.end(), head.magic.begin());
  head.sum = sum_before(head, offsetof(FileHead, sum));
  return {reinterpret_cast<const char*>(&head), sizeof head};
}

LogScan::LogScan(const std::string& path, uint64_t number) : path_(path), number_(number), file_(path), bytes_(file_.bytes()) {
  if (bytes_.size() < sizeof(FileHead)) fail(bytes_.size(), fmt::format("it ends before byte {}", sizeof(FileHead)));
  head_ = read_at<FileHead>(bytes_, 0);
  if (std::string_view(head_.magic.data(), head_.magic.size()) != log_format::kMagic) fail(0, "it is not a log of a store");
  if (head_.sum != sum_before(head_, offsetof(FileHead, sum))) fail(0, "its head is damaged");
  if (head_.version != log_format::kVersion)
    fail(0, fmt::format("version {}, this program reads version {}", head_.version, log_format::kVersion));
  if (head_.number != number) fail(0, fmt::format("it is file {} and not {}", head_.number, number));
  at_ = sizeof(FileHead);
  end_ = head_.begin;
}

std::optional<BatchHead> LogScan::batch_at(uint64_t at) const {
  if (bytes_.size() - at < sizeof(BatchHead)) return std::nullopt;
  const auto head = read_at<BatchHead>(bytes_, at);
  if (head.magic != log_format::kBatchMagic || head.head_sum != head_sum_of(head, number_, at)) return std::nullopt;
  if (head.bytes > bytes_.size() - at - sizeof(BatchHead)) return std::nullopt;
  if (hash64(bytes_.substr(at + sizeof(BatchHead), head.bytes)) != head.body_sum) return std::nullopt;
  return head;
}

void LogScan::visit(const LogVisitor& visitor) {
  file_.expect(MappedFile::Reading::kInOrder);
  while (const std::optional<BatchHead> head = batch_at(at_)) {
    if (head->begin != end_ || head->end < head->begin)
      fail(at_, fmt::format("a batch of {} to {} after {}", head->begin, head->end, end_));
    visit_entries(bytes_.substr(at_ + sizeof(BatchHead), head->bytes), at_ + sizeof(BatchHead), *head, visitor);
    at_ += sizeof(BatchHead) + head->bytes;
    end_ = head->end;
  }
  file_.check();
}

void LogScan::visit_entries(std::string_view entries, uint64_t at, const BatchHead& head, const LogVisitor& visitor) const {
  uint64_t next = head.begin;
  const auto sequenced = [&](uint64_t entry_at) {
    if (next == head.end) fail(entry_at, fmt::format("more entries than the sequences {} to {}", head.begin, head.end));
    return next++;
  };
  for (uint32_t entry = 0; entry < head.entries; ++entry) {
    if (entries.size() < kEntryHead) fail(at, "an entry is cut off");
    const auto kind = static_cast<Entry>(entries.front());
    const auto bytes = read_at<uint32_t>(entries, 1);
    if (bytes > entries.size() - kEntryHead) fail(at, "an entry is cut off");
    const std::string_view contents = entries.substr(kEntryHead, bytes);
    const std::string name = fmt::format("'{}'", path_);
    switch (kind) {
      case Entry::kDocument: {
        const StoredDocument document = read_document(contents, name);
        // Documents of a copy keep their sequences, which need not follow one another.
        if (document.sequence < next || document.sequence >= head.end)
          fail(at, fmt::format("document {} in a batch of {} to {}", document.sequence, head.begin, head.end));
        next = document.sequence + 1;
        if (visitor.document) visitor.document(document, RecordPlace::at(number_, at + kEntryHead, bytes));
        break;
      }
      case Entry::kEvent: {
        const StoreEvent event = read_event(contents, name);
        if (event.sequence != sequenced(at)) fail(at, fmt::format("event {} is out of order", event.sequence));
        if (visitor.event) visitor.event(event);
        break;
      }
      case Entry::kState: {
        if (!visitor.state) break;
        ByteReader reader(contents, path_);
        LogState state;
        state.time = reader.value<uint64_t>();
        reader.array(state.removed);
        const auto expiries = reader.value<uint64_t>();
        for (uint64_t i = 0; i < expiries; ++i) {
          const auto sequence = reader.value<uint64_t>();
          state.expiries.emplace_back(sequence, reader.value<uint64_t>());
        }
        reader.end();
        visitor.state(state);
        break;
      }
      default:
        fail(at, fmt::format("an entry of the kind {}", static_cast<int>(kind)));
    }
    at += kEntryHead + bytes;
    entries.remove_prefix(kEntryHead + bytes);
  }
  if (!entries.empty()) fail(at, "bytes after the last entry");
}

void LogScan::require_torn() const {
  std::string magic(sizeof log_format::kBatchMagic, '\0');
  std::memcpy(magic.data(), &log_format::kBatchMagic, magic.size());
  for (uint64_t at = bytes_.find(magic, at_ + 1); at != std::string_view::npos; at = bytes_.find(magic, at + 1)) {
    const std::optional<BatchHead> later = batch_at(at);
    if (later && later->durable > end_)
      fail(at_, fmt::format("it is damaged: the batch at byte {} shows that all before {} was whole; restore a copy of the store", at,
                            later->durable));
  }
}

void LogScan::require_whole() const {
  if (at_ != bytes_.size()) fail(at_, "it is damaged; restore a copy of the store");
}

void LogScan::fail(uint64_t at, const std::string& what) const {
  throw Error(ErrorCode::kInput, fmt::format("'{}', byte {}: {}", path_, at, what));
}

}  // namespace neardup
