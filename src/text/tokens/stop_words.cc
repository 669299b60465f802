#include "text/tokens/stop_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/hash.h"
#include "base/open_file.h"
#include "neardup/error.h"
#include "text/normalize/normalizer.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Requires valid UTF-8.
std::string_view trimmed(std::string_view text) {
  size_t begin = text.size();
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    const Decoded next = decode_utf8(text, at);
    if (!is_white_space(next.code_point)) {
      begin = std::min(begin, at);
      end = at + next.length;
    }
    at += next.length;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

std::vector<std::string> split_at_blanks(std::string_view words) {
  std::vector<std::string> all;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    all.emplace_back(words.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

}  // namespace

StopWords::StopWords(std::vector<std::string> words) : words_(std::move(words)) {
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  if (!words_.empty() && words_.front().empty()) words_.erase(words_.begin());
  const size_t capacity = std::bit_ceil(2 * words_.size() + 1);  // at most half full, so that a search ends
  mask_ = capacity - 1;
  hashes_.resize(capacity);
  slots_.resize(capacity);
  for (size_t i = 0; i < words_.size(); ++i) {
    const uint64_t hash = hash64(words_[i]);
    size_t slot = hash & mask_;
    while (slots_[slot] != 0) slot = (slot + 1) & mask_;
    hashes_[slot] = hash;
    slots_[slot] = static_cast<uint32_t>(i + 1);
    longest_ = std::max(longest_, words_[i].size());
  }
}

bool StopWords::contains(std::string_view word) const noexcept {
  if (word.empty() || word.size() > longest_) return false;
  const uint64_t hash = hash64(word);
  for (size_t slot = hash & mask_; slots_[slot] != 0; slot = (slot + 1) & mask_) {
    if (hashes_[slot] == hash && words_[slots_[slot] - 1] == word) return true;
  }
  return false;
}

StopWords StopWords::parse(std::string_view bytes, const std::string& name) {
  std::vector<std::string> words;
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  uint64_t line = 1;
  for (size_t at = 0; at < bytes.size(); ++line) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view text = bytes.substr(at, end - at);
    at = end + 1;
    if (!is_valid_utf8(text)) throw Error(ErrorCode::kInput, fmt::format("{}:{}: the stop word is not valid UTF-8", name, line));
    const std::string_view word = trimmed(text);
    if (word.size() > kMaxWordBytes) {
      throw Error(ErrorCode::kInput, fmt::format("{}:{}: the stop word has {} bytes, at most {} are allowed: one word a line", name, line,
                                                 word.size(), kMaxWordBytes));
    }
    if (!word.empty()) words.emplace_back(word);
  }
  return StopWords(std::move(words));
}

StopWords StopWords::load(const std::string& name_or_path) {
  for (const StopWordList& list : stop_word_lists()) {
    if (list.name == name_or_path) return StopWords(split_at_blanks(list.words));
  }
  if (path_kind(name_or_path) == PathKind::kMissing) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is not a list of stop words: it is none of {}, and as a file: {}", name_or_path,
                                               fmt::join(built_in_names(), ", "), std::strerror(ENOENT)));
  }
  return parse(read_file(name_or_path, Allow::kRegular, "read the stop words", kMaxFileBytes), name_or_path);
}

std::vector<std::string_view> StopWords::built_in_names() {
  std::vector<std::string_view> names;
  for (const StopWordList& list : stop_word_lists()) names.push_back(list.name);
  return names;
}

StopWords StopWords::images_of(const Normalizer& normalizer) const {
  std::vector<std::string> images;
  RawVector<char> image;
  std::string piece;
  for (const std::string& word : words_) {
    normalizer.normalize(word, image, piece);
    images.emplace_back(view_of(image));
  }
  return StopWords(std::move(images));
}

std::string StopWords::canonical_bytes() const {
  std::string bytes;
  for (const std::string& word : words_) bytes.append(word).push_back('\n');
  return bytes;
}

uint64_t StopWords::id() const {
  return hash64(canonical_bytes());
}

}  // namespace neardup
