#include "io/bytes/output_file.h"
#include "io/json/field_text.h"
#include "io/port/source_traits.h"
#include "neardup/io.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr size_t kPieceBytes = 1u << 20;

// The longest piece at the front that does not end inside a character.
std::string_view next_piece(std::string_view text) noexcept {
  if (text.size() <= kPieceBytes) return text;
  size_t end = kPieceBytes;
  for (size_t back = 0; back < 3 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++back) --end;
  return text.substr(0, end);
}

// JSON Lines: the line and '\n'; nothing for the damage of a compressed file that struck between two lines.
// Text files: {"id": path, "problem": ..., "text": ...}, the text as far as it could be read.
class FileRejectSink final : public RejectSink {
 public:
  FileRejectSink(const std::string& path, const DocumentSource& source) : traits_(source), file_(path) {}

  void append(const Record& record) override {
    if (traits_.is_text(record.where.source)) {
      append_text(record);
    } else if (!record.raw.empty()) {
      file_.append(record.raw);
      file_.append("\n");
    }
  }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  // Piece by piece: a file may be rejected for being larger than memory.
  void append_text(const Record& record) {
    piece_ = "{\"id\":";
    append_json_string(record.id, piece_);
    piece_ += ",\"problem\":";
    append_json_string(record.problem, piece_);
    piece_ += ",\"text\":\"";
    file_.append(piece_);
    for (std::string_view rest = record.raw; !rest.empty();) {
      const std::string_view piece = next_piece(rest);
      piece_.clear();
      append_json_escaped(piece, piece_);
      file_.append(piece_);
      rest.remove_prefix(piece.size());
    }
    file_.append("\"}\n");
  }

  const TraitsOf traits_;
  OutputFile file_;
  std::string piece_;
};

}  // namespace

std::unique_ptr<RejectSink> make_reject_sink(const std::string& path, const DocumentSource& source) {
  return std::make_unique<FileRejectSink>(path, source);
}

}  // namespace neardup
