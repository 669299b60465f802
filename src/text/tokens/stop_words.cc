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

// The lists that are built in. A list never changes: another choice of words is another list with another name.
//
// english_v1 and chinese_v1 are function words, chosen for this project: articles, pronouns, prepositions, conjunctions, auxiliaries,
// particles, plain adverbs of degree and time. Negations are among them as they are in most lists. Words are parted by blanks.
struct StopWordList {
  std::string_view name;
  std::string_view words;
};

constexpr std::string_view kEnglish =
    "a about above after again against all almost along already also although always am among an and another any are around as at "
    "away back be became because become becomes been before behind being below between both but by came can cannot could did do does "
    "doing done down during each either else enough etc even ever every few for from further get gets given go goes got had has have "
    "having he her here hers herself him himself his how however i if in indeed instead into is it its itself just least less like ll "
    "made make many may me might mine more most much must my myself neither never no nor not now of off often on once one only onto or "
    "other others otherwise our ours ourselves out over own per perhaps quite rather re s same shall she should since so some still "
    "such t than that the their theirs them themselves then there therefore these they this those though through thus to together too "
    "toward towards under unless until up upon us ve very via was we well were what whatever when whenever where whereas wherever "
    "whether which whichever while who whoever whole whom whose why will with within without would yet you your yours yourself "
    "yourselves";

constexpr std::string_view kChinese =
    "的 了 着 过 地 得 是 有 在 和 与 及 以及 或 或者 并 并且 而 而且 且 但 但是 然而 不过 却 虽 虽然 尽管 即使 如果 若 假如 要是 只要 "
    "只有 除非 "
    "因为 因此 由于 所以 因而 从而 于是 既然 既 又 也 还 还是 都 就 就是 才 再 更 最 很 太 非常 十分 比较 已 已经 曾 曾经 正在 将 将要 会 "
    "能 能够 "
    "可 可以 可能 应 应该 应当 必须 要 不 没 没有 无 非 别 未 我 你 您 他 她 它 我们 你们 他们 她们 它们 咱们 自己 大家 这 那 这个 那个 "
    "这些 那些 "
    "这样 那样 这里 那里 这么 那么 此 其 之 者 所 每 各 某 该 谁 什么 怎么 怎样 为什么 哪 哪里 哪些 哪个 多少 几 于 对 对于 关于 从 自 到 "
    "至 向 往 "
    "由 以 为 为了 按 按照 根据 通过 经过 随着 跟 同 比 被 把 让 使 给 用 当 除 除了 除外 之间 之后 之前 以后 以前 时 时候 的话 等 等等 们 "
    "个 些 一 "
    "一个 一些 一种 一样 一直 一般 上 下 中 里 内 外 前 后 吗 呢 吧 啊 呀 哦 嘛 啦 么 罢了 而已 例如 比如 即 也就是 只 只是 仅 仅仅 甚至 "
    "尤其 特别 "
    "其中 其他 其它 另 另外 此外 同时 然后 接着 最后 首先 其次 总之 如 如此 如何 便 则 乃 尚 亦 凡 皆 均 来 去 起来 出来 下去 上述 有关 "
    "有些 有的";

constexpr StopWordList kLists[] = {{"english_v1", kEnglish}, {"chinese_v1", kChinese}};

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
  for (const StopWordList& list : kLists) {
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
  for (const StopWordList& list : kLists) names.push_back(list.name);
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
