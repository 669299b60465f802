#include "search/find/near_grams.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "text/clue/clue_form.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr size_t kMaxLetters = 48;
// The first half of the grams that come first, which has most anchors.
constexpr uint32_t kFirstOrders = uint32_t{1} << (kOrderHashBits - 1);
// Cells left of a gram keep their place whatever happens inside it.
constexpr uint16_t kLeftCells = (1u << (kContextCells / 2 * kContextCellBits)) - 1;

// The narrow characters that may stand where the clue has another one: those that the clue has elsewhere, which are the usual ones.
std::vector<char32_t> letters_of(const std::vector<char32_t>& points) {
  std::set<char32_t> letters;
  for (const char32_t c : points) {
    if (columns_of(c) == 1) letters.insert(c);
  }
  if (!letters.empty()) letters.insert(U' ');
  std::vector<char32_t> all(letters.begin(), letters.end());
  all.resize(std::min(all.size(), kMaxLetters));
  return all;
}

class NearGrams {
 public:
  explicit NearGrams(const Question& question)
      : points_(question.points()), shape_(question.maker().shape), letters_(letters_of(points_)) {}

  // All guesses for the gram that begins at code point `first`.
  void add(size_t first, const ClueAnchor& gram) {
    const size_t length = gram_length(first);
    const auto shifted = static_cast<uint16_t>(gram.known & kLeftCells);
    for (size_t at = 0; at < length; ++at) {
      if (at > 0) guess(first, at, 1, nullptr, gram, shifted);
      if (columns_of(points_[first + at]) > 1) continue;
      for (const char32_t letter : letters_) {
        if (letter != points_[first + at]) guess(first, at, 1, &letter, gram, gram.known);
        if (at > 0) guess(first, at, 0, &letter, gram, shifted);
      }
    }
  }

  std::vector<ClueAnchor> take(const std::vector<ClueAnchor>& clue) {
    const auto key = [](const ClueAnchor& anchor) { return std::tuple(anchor.hash, anchor.context, anchor.known); };
    std::ranges::sort(found_, {}, key);
    const auto same = std::ranges::unique(found_, {}, key);
    found_.erase(same.begin(), same.end());
    std::set<uint64_t> own;
    for (const ClueAnchor& gram : clue) own.insert(gram.hash);
    std::erase_if(found_, [&](const ClueAnchor& gram) { return own.contains(gram.hash); });
    return std::move(found_);
  }

 private:
  [[nodiscard]] size_t gram_length(size_t first) const noexcept {
    size_t end = first;
    for (uint32_t columns = 0; columns < shape_.gram && end < points_.size(); ++end) columns += columns_of(points_[end]);
    return end - first;
  }

  // The gram at `first` of the clue in which `skipped` characters at `first` + `at` are replaced by *letter, or by nothing.
  void guess(size_t first, size_t at, size_t skipped, const char32_t* letter, const ClueAnchor& gram, uint16_t known) {
    bytes_.clear();
    uint32_t columns = 0;
    const auto append = [&](char32_t c) {
      if (columns >= shape_.gram) return;
      append_utf8(c, bytes_);
      columns += columns_of(c);
    };
    for (size_t i = 0; i < at; ++i) append(points_[first + i]);
    if (letter != nullptr) append(*letter);
    for (size_t i = first + at + skipped; i < points_.size() && columns < shape_.gram; ++i) append(points_[i]);
    if (columns < shape_.gram) return;
    clue_grams(bytes_, shape_, scratch_, gram_);
    if (scratch_.orders[0] < kFirstOrders) found_.push_back({gram_.front().hash, gram.begin, gram.context, known});
  }

  const std::vector<char32_t>& points_;
  const AnchorShape shape_;
  const std::vector<char32_t> letters_;
  AnchorScratch scratch_;
  std::vector<ClueAnchor> gram_;
  std::string bytes_;
  std::vector<ClueAnchor> found_;
};

}  // namespace

std::vector<ClueAnchor> near_grams(const Question& question) {
  NearGrams near(question);
  // Gram i begins at code point i, unless the clue is shorter than a gram.
  if (question.columns() < question.maker().shape.gram) return {};
  for (size_t i = 0; i < question.grams().size(); ++i) near.add(i, question.grams()[i]);
  return near.take(question.grams());
}

}  // namespace neardup
