// The fast normalizer: one pass over the text. ASCII goes by 64-byte blocks through a kernel, plain code points (unicode_form.h)
// through a table, and runs of all others, taken together with the code point before them if they could change it, through ICU.
//
// Why the bytes are those of the whole-text definition: a Unicode form of A + B is the form of A and the form of B whenever B
// begins at a boundary, every piece given to ICU begins and ends at one, and white space, which is removed or collapsed, never
// composes with anything. The one exception, a capital sigma that is to be lowered, sends the whole text to the slow twin.
#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/kernels.h"
#include "text/code_points.h"
#include "text/fast_normalizer.h"
#include "text/unicode_form.h"
#include "text/utf8.h"

namespace neardup {
namespace {

constexpr size_t kNone = SIZE_MAX;
constexpr size_t kSlack = 2 * kernels::kTextBlock;
constexpr uint64_t kHighBits = 0x8080808080808080u;

uint8_t fold_ascii(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<uint8_t>(byte + 32) : byte; }

// ICU writes into the output string behind what is there; the string is longer than what is in use.
class OutputSink final : public icu::ByteSink {
 public:
  OutputSink(std::string& out, size_t& end) : out_(out), end_(end) {}
  void Append(const char* bytes, int32_t count) override {
    const auto length = static_cast<size_t>(count);
    if (out_.size() - end_ < length) out_.resize(end_ + length + end_ / 2);
    std::memcpy(out_.data() + end_, bytes, length);
    end_ += length;
  }

 private:
  std::string& out_;
  size_t& end_;
};

// The state of one call. Between steps: the output has room for the rest of the text, byte for byte, and kSlack more.
class Pass {
 public:
  Pass(const UnicodeForm& form, const kernels::Kernels& kernels, std::string_view text, std::string& out, std::string& piece)
      : form_(form), kernels_(kernels), text_(text), out_(out), piece_(piece) {}

  // False if the text needs the slow twin.
  bool run() {
    make_room();
    while (at_ < text_.size()) {
      const auto byte = static_cast<uint8_t>(text_[at_]);
      if (byte >= 0x80) {
        if (!wide_run()) return false;
      } else if (is_ascii_white_space(byte)) {
        white_run();
      } else if (starts_long_ascii()) {
        ascii_blocks();
      } else {
        ascii_bytes();
      }
    }
    if (ends_blank() && end_ > 0) --end_;
    out_.resize(end_);
    return true;
  }

 private:
  void make_room() {
    const size_t needed = end_ + (text_.size() - at_) + kSlack;
    if (out_.size() < needed) out_.resize(end_ == 0 ? needed : needed + needed / 4);
  }

  [[nodiscard]] bool ends_blank() const { return end_ == 0 || out_[end_ - 1] == ' '; }

  [[nodiscard]] bool starts_long_ascii() const {
    if (text_.size() - at_ < 16) return false;
    uint64_t words[2];
    std::memcpy(words, text_.data() + at_, 16);
    return ((words[0] | words[1]) & kHighBits) == 0;
  }

  // After ASCII: the last byte may compose with what follows, unless it is a blank.
  void set_previous_ascii() {
    previous_in_ = out_[end_ - 1] == ' ' ? kNone : at_ - 1;
    previous_out_ = end_ - 1;
  }

  void ascii_bytes() {
    size_t at = at_;
    size_t end = end_;
    char* const out = out_.data();
    for (; at < text_.size(); ++at) {
      const auto byte = static_cast<uint8_t>(text_[at]);
      if (byte >= 0x80 || is_ascii_white_space(byte)) break;
      out[end++] = static_cast<char>(fold_ascii(byte));
    }
    at_ = at;
    end_ = end;
    set_previous_ascii();
  }

  // Begins at an ASCII character that is not white space, and stops where something else than single blanks and lone line feeds
  // has to be looked at.
  void ascii_blocks() {
    char* const out = out_.data();
    char tail[kernels::kTextBlock] = {};
    uint64_t special = 0;
    while (special == 0 && at_ < text_.size()) {
      const size_t count = std::min(text_.size() - at_, kernels::kTextBlock);
      const char* block = text_.data() + at_;
      if (count < kernels::kTextBlock) {
        std::memcpy(tail, block, count);
        block = tail;
      }
      char* const folded = out + end_;
      kernels_.fold_ascii_block(block, folded, ends_blank(), &special);
      if (count < kernels::kTextBlock) special |= ~uint64_t{0} << count;
      special = blank_lone_white(block, folded, count, special);
      const size_t used = special == 0 ? count : static_cast<size_t>(std::countr_zero(special));
      at_ += used;
      end_ += used;
    }
    set_previous_ascii();
  }

  // White space between two visible ASCII characters becomes a blank in place. Returns what remains special.
  static uint64_t blank_lone_white(const char* block, char* folded, size_t count, uint64_t special) {
    while (special != 0) {
      const auto i = static_cast<size_t>(std::countr_zero(special));
      if (i == 0 || i + 1 >= count || static_cast<uint8_t>(block[i]) >= 0x80 || folded[i - 1] == ' ') break;
      if ((special >> (i + 1) & 1) != 0 || block[i + 1] == ' ') break;
      folded[i] = ' ';
      special &= special - 1;
    }
    return special;
  }

  // Where the white space at `at` ends.
  [[nodiscard]] size_t end_of_white(size_t at) const {
    while (at < text_.size()) {
      const Decoded decoded = decode_utf8(text_, at);
      if (!is_white_space(decoded.code_point)) break;
      at += decoded.length;
    }
    return at;
  }

  void white_run() {
    at_ = end_of_white(at_);
    if (at_ == text_.size()) return;
    const bool between_cjk =
        previous_in_ != kNone && is_cjk(decode_utf8(text_, previous_in_).code_point) && is_cjk(decode_utf8(text_, at_).code_point);
    if (between_cjk) return;
    if (!ends_blank()) out_[end_++] = ' ';
    previous_in_ = kNone;
  }

  // Plain code points that are not ASCII; hands over to white_run or to irregular_run where they end.
  bool wide_run() {
    while (at_ < text_.size() && static_cast<uint8_t>(text_[at_]) >= 0x80) {
      copy_ideographs();
      if (at_ >= text_.size() || static_cast<uint8_t>(text_[at_]) < 0x80) break;
      const Decoded decoded = decode_utf8(text_, at_);
      if (is_white_space(decoded.code_point)) {
        white_run();
      } else if (form_.is_plain(decoded.code_point)) {
        append_plain(decoded);
      } else if (!irregular_run(decoded)) {
        return false;
      }
    }
    return true;
  }

  // U+4E00..9FFF are their own images in both kinds.
  void copy_ideographs() {
    const char* const in = text_.data();
    char* const out = out_.data();
    size_t at = at_;
    size_t end = end_;
    for (; text_.size() - at >= 4; at += 3, end += 3) {
      const auto* const bytes = reinterpret_cast<const uint8_t*>(in + at);
      if ((bytes[0] & 0xF0) != 0xE0 || (bytes[1] & 0xC0) != 0x80 || (bytes[2] & 0xC0) != 0x80) break;
      const uint32_t c = (bytes[0] & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
      if (c - 0x4E00u > 0x9FFFu - 0x4E00u) break;
      std::memcpy(out + end, in + at, 4);  // the fourth byte is overwritten by what comes next
    }
    if (at == at_) return;
    at_ = at;
    end_ = end;
    previous_in_ = at - 3;
    previous_out_ = end - 3;
  }

  void append_plain(const Decoded& decoded) {
    previous_in_ = at_;
    previous_out_ = end_;
    at_ += decoded.length;
    const char32_t c = decoded.code_point;
    if (c >= 0x10000) {
      std::memcpy(out_.data() + end_, text_.data() + at_ - 4, 4);
      end_ += 4;
      return;
    }
    const uint16_t image = form_.image(c);
    char* const out = out_.data() + end_;
    if (image < 0x80) {
      out[0] = static_cast<char>(image);
      end_ += 1;
    } else if (image < 0x800) {
      out[0] = static_cast<char>(0xC0 | image >> 6);
      out[1] = static_cast<char>(0x80 | (image & 0x3F));
      end_ += 2;
    } else if (image < UnicodeForm::kFirstExpansion || image > UnicodeForm::kLastExpansion) {
      out[0] = static_cast<char>(0xE0 | image >> 12);
      out[1] = static_cast<char>(0x80 | (image >> 6 & 0x3F));
      out[2] = static_cast<char>(0x80 | (image & 0x3F));
      end_ += 3;
    } else {
      const UnicodeForm::Expansion& expansion = form_.expansion(image);
      std::memcpy(out, expansion.bytes, sizeof(expansion.bytes));
      end_ += expansion.length;
    }
    make_room();
  }

  // From a code point that is not plain up to the next plain one or white space that stays.
  bool irregular_run(Decoded decoded) {
    piece_.clear();
    if (previous_in_ != kNone && !form_.has_boundary_before(decoded.code_point)) {
      append_utf8(decode_utf8(text_, previous_in_).code_point, piece_);
      end_ = previous_out_;
    }
    while (true) {
      append_utf8(decoded.code_point, piece_);
      previous_in_ = at_;
      at_ += decoded.length;
      size_t next = end_of_white(at_);
      if (next == text_.size()) break;
      const char32_t before = decoded.code_point;
      decoded = decode_utf8(text_, next);
      if (next != at_ && !(is_cjk(before) && is_cjk(decoded.code_point))) break;
      at_ = next;
      if (form_.is_plain(decoded.code_point)) break;
    }
    return append_formed_piece();
  }

  bool append_formed_piece() {
    const size_t begin = end_;
    OutputSink sink(out_, end_);
    form_.compose(piece_, sink);
    if (form_.lowers()) {
      const std::string_view composed(out_.data() + begin, end_ - begin);
      if (composed.find("\xCE\xA3") != std::string_view::npos) return false;  // capital sigma
      piece_.clear();
      icu::StringByteSink<std::string> lowered(&piece_);
      UnicodeForm::lower(composed, lowered);
      end_ = begin;
      sink.Append(piece_.data(), static_cast<int32_t>(piece_.size()));
    }
    collapse_blanks_from(begin);
    make_room();
    return true;
  }

  // No form makes other white space than blanks. Texts are valid UTF-8 here, so a blank byte is a blank.
  void collapse_blanks_from(size_t begin) {
    size_t to = begin;
    for (size_t from = begin; from < end_; ++from) {
      if (out_[from] == ' ' && (to == 0 || out_[to - 1] == ' ')) continue;
      out_[to++] = out_[from];
    }
    end_ = to;
  }

  const UnicodeForm& form_;
  const kernels::Kernels& kernels_;
  const std::string_view text_;
  std::string& out_;
  std::string& piece_;
  size_t at_ = 0;   // in text_
  size_t end_ = 0;  // of what is in use of out_
  size_t previous_in_ = kNone;  // the code point before at_, white space that was removed aside; kNone: white space, or the start
  size_t previous_out_ = 0;     // where its image begins; not kept up to date after irregular_run, which never ends before a mark
};

class FastNormalizer final : public Normalizer {
 public:
  FastNormalizer(NormalizerKind kind, const kernels::Kernels& kernels)
      : form_(UnicodeForm::of(kind)), kernels_(kernels), slow_twin_(make_reference_normalizer(kind)) {}

  void normalize(std::string_view text, std::string& out, std::string& piece) const override {
    if (!Pass(form_, kernels_, text, out, piece).run()) slow_twin_->normalize(text, out, piece);
  }

 private:
  const UnicodeForm& form_;
  const kernels::Kernels& kernels_;
  std::unique_ptr<const Normalizer> slow_twin_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_fast_normalizer(NormalizerKind kind, const kernels::Kernels& kernels) {
  return std::make_unique<FastNormalizer>(kind, kernels);
}

std::unique_ptr<const Normalizer> make_normalizer(NormalizerKind kind) { return make_fast_normalizer(kind, kernels::kernels()); }

}  // namespace neardup
