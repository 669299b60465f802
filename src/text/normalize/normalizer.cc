// The normalizer with a Unicode form: one pass over the text. ASCII goes by 64-byte blocks through a kernel, and so does Chinese where
// there is one for it; other plain code points (unicode_form.h) go through a table, and runs of all others, taken together with the code
// point before them if they could change it, through ICU.
//
// Why the bytes are those of the whole-text definition: a Unicode form of A + B is the form of A and the form of B whenever B begins at a
// boundary, every piece given to ICU begins and ends at one, and white space, which is removed or collapsed, never composes with anything.
// The one exception is a capital sigma that must be lowered: it is kept until the whole text is normalized. Its context is then already
// lowered, which changes neither cased nor case-ignorable characters, and collapsed blanks separate as well as more of them.
#include "text/normalize/normalizer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "text/normalize/final_sigma.h"
#include "text/normalize/plain_normalizers.h"
#include "text/normalize/unicode_form.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr size_t kNone = SIZE_MAX;

// Bytes that are filled at their end through a pointer. More are allocated than used; finish() cuts them.
class GrowingText {
 public:
  explicit GrowingText(RawVector<char>& bytes) noexcept : bytes_(bytes) {}

  // Makes room for `more` bytes after the end. Moves the bytes.
  void make_room(size_t more) {
    if (bytes_.size() - end_ < more) bytes_.resize(end_ + more + end_ / 4);
  }

  [[nodiscard]] char* tail() noexcept { return bytes_.data() + end_; }
  [[nodiscard]] const char* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] size_t size() const noexcept { return end_; }
  // True at the beginning too: white space there is dropped like white space after a blank.
  [[nodiscard]] bool ends_blank() const noexcept { return end_ == 0 || bytes_[end_ - 1] == ' '; }

  // The bytes were written at tail().
  void advance(size_t bytes) noexcept { end_ += bytes; }
  void cut_to(size_t size) noexcept { end_ = size; }

  void append(const char* bytes, size_t count) {
    make_room(count);
    std::memcpy(tail(), bytes, count);
    end_ += count;
  }

  // Drops the blanks after `begin` that come after a blank.
  void collapse_blanks_from(size_t begin) noexcept {
    size_t to = begin;
    for (size_t from = begin; from < end_; ++from) {
      if (bytes_[from] == ' ' && (to == 0 || bytes_[to - 1] == ' ')) continue;
      bytes_[to++] = bytes_[from];
    }
    end_ = to;
  }

  // Drops a blank at the end, and the unused bytes.
  void finish() {
    if (end_ > 0 && bytes_[end_ - 1] == ' ') --end_;
    bytes_.resize(end_);
  }

 private:
  RawVector<char>& bytes_;
  size_t end_ = 0;
};

// Bytes that fold_ascii may write beyond what it appends.
constexpr size_t kFoldSlack = 2 * kernels::kTextBlock;

// Appends the ASCII text that begins at `at` and returns where it ends: letters in lower case, white space collapsed, by 64-byte blocks.
// White space after white space, and at the beginning, is dropped. Requires room for the rest of the text and kFoldSlack, and an ASCII
// character at `at`.
size_t fold_ascii(const kernels::Kernels& kernels, std::string_view text, size_t at, GrowingText& out) {
  const kernels::Folded folded = kernels.fold_ascii(text.data() + at, text.size() - at, out.tail(), out.ends_blank());
  out.advance(folded.written);
  return at + folded.read;
}

// The same for a run that is expected to be short; stops before white space, with which it must not begin.
size_t fold_short_ascii(std::string_view text, size_t at, GrowingText& out) {
  char* to = out.tail();
  const size_t begin = at;
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (byte >= 0x80 || is_ascii_white_space(byte)) break;
    const bool upper = byte >= 'A' && byte <= 'Z';
    *to++ = static_cast<char>(upper ? byte + 32 : byte);
  }
  out.advance(at - begin);
  return at;
}

class OutputSink final : public icu::ByteSink {
 public:
  explicit OutputSink(GrowingText& out) : out_(out) {}
  void Append(const char* bytes, int32_t count) override { out_.append(bytes, static_cast<size_t>(count)); }

 private:
  GrowingText& out_;
};

// The state of one call. Between steps the output has room for the rest of the text, byte for byte, and kFoldSlack more.
class Pass {
 public:
  Pass(const UnicodeForm& form, const kernels::Kernels& kernels, std::string_view text, RawVector<char>& out, std::string& piece)
      : form_(form),
        kernels_(kernels),
        text_(text),
        bytes_(out),
        out_(out),
        piece_(piece),
        kernel_from_(kernels.fold_chinese == nullptr ? kNone : 0) {}

  void run() {
    make_room();
    while (at_ < text_.size()) {
      const auto byte = static_cast<uint8_t>(text_[at_]);
      if (byte < 0x80) {
        const bool white = is_ascii_white_space(byte);
        const bool by_blocks = white || starts_long_ascii(text_, at_);
        if (by_blocks || !chinese_run()) ascii_run(white, by_blocks);
      } else if (!chinese_run()) {
        copy_images();
        if (at_ < text_.size() && static_cast<uint8_t>(text_[at_]) >= 0x80) wide_step();
      }
    }
    out_.finish();
    if (sigma_) lower_sigmas();
  }

 private:
  void make_room() { out_.make_room(text_.size() - at_ + kFoldSlack); }

  [[nodiscard]] bool previous_is_cjk() const { return previous_in_ != kNone && is_cjk(decode_quickly(text_, previous_in_).code_point); }

  // `white`: it begins with white space.
  void ascii_run(bool white, bool by_blocks) {
    if (white && previous_is_cjk()) return white_run();
    at_ = by_blocks ? fold_ascii(kernels_, text_, at_, out_) : fold_short_ascii(text_, at_, out_);
    // The last byte may compose with what follows, unless it is a blank.
    previous_in_ = out_.ends_blank() ? kNone : at_ - 1;
    previous_out_ = out_.size() - 1;
  }

  // Where the white space at `at` ends.
  [[nodiscard]] size_t end_of_white(size_t at) const {
    while (at < text_.size()) {
      const Decoded decoded = decode_quickly(text_, at);
      if (!is_white_space(decoded.code_point)) break;
      at += decoded.length;
    }
    return at;
  }

  void white_run() {
    at_ = end_of_white(at_);
    if (at_ == text_.size()) return;
    if (previous_is_cjk() && is_cjk(decode_quickly(text_, at_).code_point)) return;
    if (!out_.ends_blank()) out_.append(" ", 1);
    previous_in_ = kNone;
  }

  // What the kernel for Chinese takes. False: nothing, or it is not tried, because it took little not far from here.
  bool chinese_run() {
    if (at_ < kernel_from_) return false;
    const kernels::Folded folded = kernels_.fold_chinese(text_.data() + at_, text_.size() - at_, out_.tail());
    apart_ = folded.read >= kernels::kTextBlock ? 1 : std::min(2 * apart_ + kApart, kFarApart);
    kernel_from_ = at_ + folded.read + apart_;
    if (folded.read == 0) return false;
    at_ += folded.read;
    out_.advance(folded.written);
    previous_in_ = at_ - 1;
    while ((static_cast<uint8_t>(text_[previous_in_]) & 0xC0) == 0x80) --previous_in_;
    const char32_t c = decode_quickly(text_, previous_in_).code_point;
    previous_out_ = out_.size() - (c < 0x80 ? 1 : form_.image(c) >> UnicodeForm::kLengthShift);
    return true;
  }

  // Three-byte sequences whose images have at most three bytes, which is nearly all Chinese: no branch depends on the character. With a
  // kernel for Chinese, up to where it is tried again.
  void copy_images() {
    const char* const in = text_.data();
    const size_t size = text_.size();
    const size_t end = std::min(kernel_from_, size);
    size_t at = at_;
    char* const begin = out_.tail();
    char* to = begin;
    char* previous = begin;
    for (; at < end && size - at >= 4; at += 3) {
      const uint32_t four = load_four(in + at);
      if (!looks_like_three(four)) break;
      const char32_t c = value_of_three(four);
      const UnicodeForm::Image image = form_.image(c);
      if (c < 0x800 || image == UnicodeForm::kNotPlain || image >= UnicodeForm::kFirstExpansion) break;
      previous = to;
      store_four(image, to);  // the next image overwrites the excess bytes
      to += image >> UnicodeForm::kLengthShift;
    }
    if (at == at_) return;
    at_ = at;
    previous_in_ = at - 3;
    previous_out_ = out_.size() + static_cast<size_t>(previous - begin);
    out_.advance(static_cast<size_t>(to - begin));
  }

  // One code point that copy_images does not take, or a run of them.
  void wide_step() {
    const Decoded decoded = decode_quickly(text_, at_);
    if (is_white_space(decoded.code_point)) {
      white_run();
    } else if (form_.is_plain(decoded.code_point)) {
      append_plain(decoded);
    } else {
      irregular_run(decoded);
    }
  }

  void append_plain(const Decoded& decoded) {
    previous_in_ = at_;
    previous_out_ = out_.size();
    at_ += decoded.length;
    if (decoded.code_point >= 0x10000) {
      out_.append(text_.data() + previous_in_, decoded.length);
    } else {
      const UnicodeForm::Image image = form_.image(decoded.code_point);
      if (image < UnicodeForm::kFirstExpansion) {
        store_four(image, out_.tail());
        out_.advance(image >> UnicodeForm::kLengthShift);
      } else {
        const UnicodeForm::Expansion& expansion = form_.expansion(image);
        std::memcpy(out_.tail(), expansion.bytes, sizeof(expansion.bytes));
        out_.advance(expansion.length);
      }
    }
    make_room();  // two bytes may have become three, or one malformed byte
  }

  // From a code point that is not plain up to the next plain one or kept white space.
  void irregular_run(Decoded decoded) {
    piece_.clear();
    if (previous_in_ != kNone && !form_.has_boundary_before(decoded.code_point)) {
      append_utf8(decode_utf8(text_, previous_in_).code_point, piece_);
      out_.cut_to(previous_out_);
    }
    while (true) {
      append_utf8(decoded.code_point, piece_);
      previous_in_ = at_;  // for the rule about white space; no mark can follow here, so previous_out_ is of no use
      at_ += decoded.length;
      const size_t next = end_of_white(at_);
      if (next == text_.size()) break;
      const char32_t before = decoded.code_point;
      decoded = decode_utf8(text_, next);
      if (next != at_ && !(is_cjk(before) && is_cjk(decoded.code_point))) break;
      at_ = next;
      if (form_.is_plain(decoded.code_point)) break;
    }
    append_formed_piece();
  }

  void append_formed_piece() {
    const size_t begin = out_.size();
    OutputSink sink(out_);
    form_.compose(piece_, sink);
    if (form_.lowers()) {
      piece_.clear();
      icu::StringByteSink<std::string> lowered(&piece_);
      sigma_ |= UnicodeForm::lower({out_.data() + begin, out_.size() - begin}, lowered);
      out_.cut_to(begin);
      out_.append(piece_.data(), piece_.size());
    }
    out_.collapse_blanks_from(begin);  // forms make only blanks as white space
    make_room();
  }

  void lower_sigmas() {
    for (size_t at = 0;; at += kCapitalSigmaUtf8.size()) {
      at = view_of(bytes_).find(kCapitalSigmaUtf8, at);
      if (at == std::string_view::npos) return;
      piece_.clear();
      append_utf8(lower_sigma(view_of(bytes_), at), piece_);
      std::copy(piece_.begin(), piece_.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  // How far apart the kernel for Chinese is tried after it took little: at least, and at most.
  static constexpr size_t kApart = 64;
  static constexpr size_t kFarApart = 4096;

  const UnicodeForm& form_;
  const kernels::Kernels& kernels_;
  const std::string_view text_;
  RawVector<char>& bytes_;  // what out_ fills
  GrowingText out_;
  std::string& piece_;
  size_t at_ = 0;               // in text_
  size_t previous_in_ = kNone;  // the code point before at_, white space that was removed aside; kNone: white space, or the start
  size_t previous_out_ = 0;     // where its image begins in the output
  size_t kernel_from_;          // where the kernel for Chinese is tried again; kNone: there is none
  size_t apart_ = 0;            // how many bytes that is after where it stopped
  bool sigma_ = false;          // the output has capital sigmas that must be lowered
};

class FormNormalizer final : public Normalizer {
 public:
  FormNormalizer(NormalizerKind kind, const kernels::Kernels& kernels) : form_(UnicodeForm::of(kind)), kernels_(kernels) {}

  void normalize(std::string_view text, RawVector<char>& out, std::string& piece) const override {
    Pass(form_, kernels_, text, out, piece).run();
  }

 private:
  const UnicodeForm& form_;
  const kernels::Kernels& kernels_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_normalizer(NormalizerKind kind, const kernels::Kernels& kernels) {
  if (kind == NormalizerKind::kNone) return make_none_normalizer();
  if (kind == NormalizerKind::kLowerCompact) return make_lower_compact_normalizer(kernels);
  return std::make_unique<FormNormalizer>(kind, kernels);
}

std::unique_ptr<const Normalizer> make_normalizer(NormalizerKind kind) {
  return make_normalizer(kind, kernels::kernels());
}

}  // namespace neardup
