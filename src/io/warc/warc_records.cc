#include "io/warc/warc_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/bytes/buffer.h"
#include "io/files/html_charset.h"
#include "io/json/field_text.h"
#include "io/warc/http_message.h"
#include "io/warc/warc_cutter.h"

namespace neardup {
namespace {

constexpr uint32_t kMaxRows = 1u << 20;  // of a batch
constexpr uint64_t kMaxWalked = 8;       // times batch_bytes: maximum bytes that a batch skips
constexpr std::string_view kPages[] = {"text/html", "application/xhtml+xml"};

// A record that may be a document, or is damaged. Its bytes are in the buffer of the batch.
struct Kept {
  size_t begin;
  size_t bytes;
  size_t header_bytes;
  uint64_t row;  // in the batch, from 1
  uint64_t offset;
  Problem problem;
};

// The document in a record.
struct Content {
  std::string_view type;      // without parameters
  std::string_view declared;  // the whole Content-Type, which may name a charset
  std::string_view payload;   // as stored
  HttpHead http;
};

bool is_page(std::string_view type) noexcept {
  return std::ranges::any_of(kPages, [type](std::string_view page) { return same_word(type, page); });
}

bool begins_as_page(std::string_view payload) noexcept {
  payload.remove_prefix(std::min(payload.find_first_not_of(" \t\r\n\f"), payload.size()));
  return same_word(payload.substr(0, 14), "<!doctype html") || same_word(payload.substr(0, 5), "<html");
}

HeaderFields fields_of(std::string_view header) noexcept {
  return HeaderFields(header.substr(std::min(header.find('\n'), header.size())));
}

bool may_be_document(std::string_view header) noexcept {
  const std::string_view type = fields_of(header)["WARC-Type"];
  return same_word(type, "response") || same_word(type, "conversion") || same_word(type, "resource");
}

std::optional<Content> content_of(std::string_view header, std::string_view block) noexcept {
  const HeaderFields fields = fields_of(header);
  const std::string_view kind = fields["WARC-Type"];
  Content content{.type = {}, .declared = fields["Content-Type"], .payload = block, .http = {}};
  if (same_word(kind, "response")) {
    content.http = read_http_head(block);
    if (!content.http.is_http || content.http.status != 200) return std::nullopt;
    content.payload = block.substr(content.http.bytes);
    content.declared = HeaderFields(content.http.fields)["Content-Type"];
    if (content.declared.empty()) content.declared = fields["WARC-Identified-Payload-Type"];
  }
  content.type = media_type(content.declared);
  if (content.type.empty() && same_word(kind, "conversion")) content.type = "text/plain";
  if (content.type.empty() && begins_as_page(content.payload)) content.type = "text/html";
  const bool wanted = is_page(content.type) || same_word(content.type, "text/plain") ||
                      (same_word(kind, "conversion") && same_word(content.type.substr(0, 5), "text/"));
  if (!wanted) return std::nullopt;
  return content;
}

std::string_view id_of(const HeaderFields& fields) noexcept {
  std::string_view id = fields["WARC-Record-ID"];
  if (id.size() >= 2 && id.starts_with('<') && id.ends_with('>')) id = id.substr(1, id.size() - 2);
  return id;
}

void append_member(std::string_view name, std::string_view value, std::string& line) {
  line += line.empty() ? "{\"" : ",\"";
  line += name;
  line += "\":";
  append_json_string(value, line);
}

void append_fields(std::string_view header, std::string& line) {
  const HeaderFields fields = fields_of(header);
  const std::pair<std::string_view, std::string_view> members[] = {
      {"id", id_of(fields)}, {"url", fields["WARC-Target-URI"]}, {"date", fields["WARC-Date"]}};
  for (const auto& [name, value] : members) {
    if (!value.empty()) append_member(name, value, line);
  }
}

class WarcBatch final : public Batch {
 public:
  WarcBatch(std::unique_ptr<Buffer> buffer, std::vector<Kept> kept, uint64_t rows, uint64_t input_bytes, uint32_t source,
            const Charset& charset, LineContext& context)
      : buffer_(std::move(buffer)),
        kept_(std::move(kept)),
        rows_(rows),
        input_bytes_(input_bytes),
        source_(source),
        charset_(charset),
        context_(context) {}
  ~WarcBatch() override { context_.return_buffer(std::move(buffer_)); }
  WarcBatch(const WarcBatch&) = delete;
  WarcBatch& operator=(const WarcBatch&) = delete;

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    TextDecoder decoder(charset_);
    uint32_t ordinal = 0;
    for (const Kept& kept : kept_) {
      const std::string_view bytes = buffer_->view().substr(kept.begin, kept.bytes);
      const std::string_view header = bytes.substr(0, kept.header_bytes);
      const auto content = kept.problem.empty() ? content_of(header, bytes.substr(kept.header_bytes)) : std::nullopt;
      if (!content && kept.problem.empty()) continue;
      const uint32_t number = ordinal++;
      if (wanted && !wanted(number)) continue;
      Problem problem = kept.problem;
      bool repaired = false;
      line_.clear();
      if (content) problem = make_line(header, *content, decoder, repaired);
      if (problem.empty()) {
        give_line(need, number, kept.row, repaired, visit);
      } else {
        give_reject(kept, problem, number, visit);
      }
    }
    return ordinal;
  }
  [[nodiscard]] uint32_t source() const noexcept override { return source_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  Problem make_line(std::string_view header, const Content& content, TextDecoder& decoder, bool& repaired) {
    const bool cut = !fields_of(header)["WARC-Truncated"].empty();
    std::string_view body = content.payload;
    if (content.http.is_http) {
      Problem problem = http_body(content.http, content.payload, cut, context_.max_record_bytes, space_, body);
      if (!problem.empty()) return problem;
    }
    const bool page = is_page(content.type);
    std::string charset = charset_of_content_type(content.declared);
    if (charset.empty() && same_word(fields_of(header)["WARC-Type"], "conversion")) charset = "utf-8";
    const TextDecoder::Text decoded = decoder.decode_declared(body, charset, page);
    repaired = decoded.malformed > 0;
    append_fields(header, line_);
    append_member("type", content.type, line_);
    append_member("text", decoded.text, line_);
    line_ += '}';
    return {};
  }

  void give_line(Need need, uint32_t number, uint64_t row, bool repaired, const Visitor& visit) {
    const size_t bytes = line_.size();
    line_.append(kJsonPadding, '\0');
    visit_lines(context_, source_, std::string_view(line_).substr(0, bytes), {}, need, {}, [&](uint32_t, const Record& parsed) {
      Record record = parsed;
      record.where.row = row;
      record.repaired = record.repaired || (repaired && need != Need::kRaw);
      visit(number, record);
    });
  }

  void give_reject(const Kept& kept, const Problem& problem, uint32_t number, const Visitor& visit) {
    const std::string_view bytes = buffer_->view().substr(kept.begin, kept.bytes);
    const std::string_view header = bytes.substr(0, kept.header_bytes);
    const std::string said = fmt::format("at offset {}: {}", kept.offset, problem.text);
    line_.clear();
    append_fields(header, line_);
    append_member("problem", problem.text, line_);
    line_ += fmt::format(",\"offset\":{}", kept.offset);
    append_member("record", bytes, line_);
    line_ += '}';
    Record record;
    record.where = {.source = source_, .row = kept.row};
    record.raw = line_;
    record.id = id_of(fields_of(header));
    record.has_id = !record.id.empty();
    record.problem = said;
    record.reject_kind = problem.kind;
    visit(number, record);
  }

  std::unique_ptr<Buffer> buffer_;
  const std::vector<Kept> kept_;
  const uint64_t rows_;
  const uint64_t input_bytes_;
  const uint32_t source_;
  const Charset& charset_;
  LineContext& context_;
  std::string line_;
  std::string space_;
};

class WarcPart final : public LinePart {
 public:
  WarcPart(const StoredBytes& stored, Compression compression, uint32_t source, const Charset& charset, LineContext& context)
      : stored_bytes_(stored.size()),
        cutter_(stored, compression, context.max_record_bytes),
        source_(source),
        charset_(charset),
        context_(context) {}

  std::unique_ptr<Batch> next() override {
    auto buffer = context_.take_buffer();
    std::vector<Kept> kept;
    uint64_t rows = 0;
    uint64_t walked = 0;
    WarcRecord record;
    while (buffer->size() < context_.batch_bytes && walked < kMaxWalked * context_.batch_bytes && rows < kMaxRows) {
      if (!cutter_.next(record)) break;
      ++rows;
      walked += record.walked_bytes + 1;
      const std::string_view header = record.bytes.substr(0, record.header_bytes);
      if (record.problem.empty() && !may_be_document(header)) continue;
      if (record.too_long && record.problem.empty()) {
        record.problem = {fmt::format("the record has {} bytes, max_record_bytes is {}", record.block_bytes, context_.max_record_bytes),
                          RejectKind::kTooLong};
      }
      kept.push_back({buffer->size(), record.bytes.size(), record.header_bytes, rows, record.offset, std::move(record.problem)});
      append(*buffer, record.bytes);
    }
    // A search after damage goes back; bytes without records count to the last batch, which may be empty.
    const uint64_t consumed = rows == 0 ? stored_bytes_ : std::max(counted_, cutter_.consumed_bytes());
    if (rows == 0 && counted_ == stored_bytes_) {
      context_.return_buffer(std::move(buffer));
      return nullptr;
    }
    return std::make_unique<WarcBatch>(std::move(buffer), std::move(kept), rows, consumed - std::exchange(counted_, consumed), source_,
                                       charset_, context_);
  }

 private:
  static void append(Buffer& buffer, std::string_view bytes) {
    buffer.reserve(buffer.size() + bytes.size());
    std::ranges::copy(bytes, buffer.data() + buffer.size());
    buffer.set_size(buffer.size() + bytes.size());
  }

  const uint64_t stored_bytes_;
  WarcCutter cutter_;
  const uint32_t source_;
  const Charset& charset_;
  LineContext& context_;
  uint64_t counted_ = 0;
};

}  // namespace

std::unique_ptr<LinePart> make_warc_records(const StoredBytes& stored, Compression compression, uint32_t source, const Charset& charset,
                                            LineContext& context) {
  return std::make_unique<WarcPart>(stored, compression, source, charset, context);
}

}  // namespace neardup
