#include "io/files/referred_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/limits.h"
#include "io/bytes/buffer.h"
#include "io/bytes/compression.h"
#include "io/bytes/input_file.h"
#include "io/json/json_record.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

constexpr std::string_view kLines = "lines";
constexpr std::string_view kText = "text";
constexpr std::string_view kPage = "page";
constexpr size_t kMaxKeptBytes = size_t{4} << 20;  // of the buffer, after a longer record

// Empty: a word is not one.
std::string join_reference(std::string_view kind, const std::vector<std::string>& words, const std::string& path) {
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::canonical(path, error);
  if (error) return {};
  std::string reference(kind);
  for (const std::string& word : words) {
    if (word.find('\0') != std::string::npos) return {};
    reference += '\0';
    reference += word;
  }
  reference += '\0';
  return reference + canonical.native();
}

std::vector<std::string> words_of(std::string_view reference) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= reference.size();) {
    const size_t end = std::min(reference.find('\0', begin), reference.size());
    words.emplace_back(reference.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// The file of a reference, open, and what makes texts of its bytes.
class ReferredFile {
 public:
  // Throws Error{kInput}.
  explicit ReferredFile(std::string_view reference) : reference_(reference) {
    std::vector<std::string> words = words_of(reference);
    path_ = std::move(words.back());
    words.pop_back();
    const bool lines = words.size() >= 2 && words.front() == kLines;
    page_ = words.size() == 2 && words.front() == kPage;
    if (!lines && !page_ && (words.size() != 2 || words.front() != kText)) {
      refuse("the index refers to its texts in a way that this program does not know");
    }
    if (lines) {
      fields_.text.assign(words.begin() + 1, words.end());
      parser_.emplace(fields_);
    } else {
      decoder_.emplace(charset_of(words[1]));
    }
    try {
      file_ = std::make_unique<InputFile>(path_);
    } catch (const Error& error) {
      throw Error(ErrorCode::kInput, fmt::format("{}; the index refers to the texts of this file", error.what()));
    }
  }
  // The parser refers to the fields.
  ReferredFile(const ReferredFile&) = delete;
  ReferredFile& operator=(const ReferredFile&) = delete;

  [[nodiscard]] const std::string& reference() const noexcept { return reference_; }

  void read(const TextReference& place, Buffer& buffer, std::string& text) {
    const uint64_t size = file_->stamp().size;
    if (place.offset > size || place.length > size - place.offset) {
      refuse_file(place, fmt::format("it has {} bytes, but the text ends at {}", size, end_label(place)));
    }
    if (place.length > limits::kMaxTextBytes) {
      refuse(fmt::format("the index refers to a text in {} bytes; expected at most {}", place.length, limits::kMaxTextBytes));
    }
    const auto bytes = static_cast<size_t>(place.length);
    buffer.set_size(0);
    buffer.reserve(bytes);
    if (file_->read_at(place.offset, buffer.data(), bytes) != bytes) refuse_file(place, "it became shorter meanwhile");
    buffer.set_size(bytes);
    if (decoder_) {
      const TextDecoder::Text decoded = page_ ? decoder_->decode_declared(buffer.view(), {}, true) : decoder_->decode(buffer.view());
      text = decoded.text;
    } else {
      Record record;
      parser_->parse(buffer.view(), record);
      if (!record.problem.empty()) refuse_file(place, std::string(record.problem));
      text = record.text;
      if (parser_->is_large()) parser_.emplace(fields_);
    }
    if (hash64(text) != place.hash) refuse_file(place, "another text");
  }

 private:
  // An unknown name is a fault of the index, not of an option.
  [[nodiscard]] Charset charset_of(const std::string& name) const {
    try {
      return Charset::parse(name);
    } catch (const Error& error) {
      refuse(fmt::format("the index refers to its text: {}", error.what()));
    }
  }
  static std::string end_label(const TextReference& place) {
    return place.offset > UINT64_MAX - place.length ? "none that a file has" : std::to_string(place.offset + place.length);
  }
  [[noreturn]] void refuse(const std::string& why) const { throw Error(ErrorCode::kInput, fmt::format("'{}': {}", path_, why)); }
  [[noreturn]] void refuse_file(const TextReference& place, const std::string& why) const {
    throw Error(ErrorCode::kInput, fmt::format("'{}' changed after its texts were indexed: at byte {}: {}. Restore the file, or delete "
                                               "these texts from the index and add them again",
                                               path_, place.offset, why));
  }

  const std::string reference_;
  std::string path_;
  bool page_ = false;
  RecordFields fields_;
  std::optional<RecordParser> parser_;
  std::optional<TextDecoder> decoder_;
  std::unique_ptr<InputFile> file_;
};

// Keeps the last file open: texts that are read one after the other are mostly of the same.
class ReferredFiles final : public ReferredTexts {
 public:
  void read(const TextReference& reference, std::string& text) override {
    if (!file_ || file_->reference() != reference.source) {
      file_.reset();
      file_ = std::make_unique<ReferredFile>(reference.source);
    }
    file_->read(reference, buffer_, text);
    if (buffer_.capacity() > kMaxKeptBytes) buffer_ = Buffer();
  }

 private:
  std::unique_ptr<ReferredFile> file_;
  Buffer buffer_;
};

}  // namespace

std::string reference_to_lines(const std::string& path, const std::vector<std::string>& text_fields) {
  return join_reference(kLines, text_fields, path);
}

std::string reference_to_text(const InputEntry& entry, const Charset& charset) {
  try {
    char head[kSniffBytes];
    const InputFile file(entry.path);
    if (sniff_compression({head, file.read_at(0, head, sizeof head)}) != Compression::kNone) return {};
  } catch (const Error&) {
    // The run rejects it.
  }
  return join_reference(entry.html ? kPage : kText, {charset.name()}, entry.path);
}

std::unique_ptr<ReferredTexts> make_referred_texts() {
  return std::make_unique<ReferredFiles>();
}

}  // namespace neardup
