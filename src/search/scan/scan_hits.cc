#include <algorithm>
#include <compare>
#include <optional>
#include <utility>

#include "neardup/tools/clue_scan.h"

namespace neardup {
namespace {

using Found = ScanHits::Found;

// The place of a hit among those of its clue.
struct HitPlace {
  int64_t order = 0;
  std::string_view id;
  friend auto operator<=>(const HitPlace&, const HitPlace&) = default;
};

HitPlace place_of(const Found& found) noexcept {
  return {found.order, found.id};
}
bool first_of_two(const Found& a, const Found& b) noexcept {
  return place_of(a) < place_of(b);
}

uint64_t bytes_of(const Found& found) noexcept {
  return sizeof(Found) + found.id.size() + found.hit.passage.size() + found.hit.differences.size();
}

// The first hits of one clue.
struct FirstHits {
  std::vector<Found> best;  // a heap, the last hit in front
  // Once `limit` hits were taken: the last of them. Later ones matter only before it.
  struct Bar {
    int64_t order = 0;
    std::string id;
  };
  std::optional<Bar> bar;
};

}  // namespace

struct ScanHits::Impl {
  explicit Impl(const ClueScanner& clues)
      : scanner(clues),
        scratch(clues),
        limit(clues.options().count_only ? 0 : clues.options().limit),
        counts(clues.size()),
        firsts(clues.size()) {}

  [[nodiscard]] bool wanted(const FirstHits* first, const HitPlace& place) const noexcept {
    if (limit == 0) return false;
    if (first == nullptr) return true;
    if (first->bar && !(place < HitPlace{first->bar->order, first->bar->id})) return false;
    return first->best.size() < limit || place < place_of(first->best.front());
  }

  void keep(FirstHits& first, Found found) {
    held_bytes += bytes_of(found);
    first.best.push_back(std::move(found));
    std::ranges::push_heap(first.best, first_of_two);
    if (first.best.size() <= limit) return;
    std::ranges::pop_heap(first.best, first_of_two);
    held_bytes -= bytes_of(first.best.back());
    first.best.pop_back();
  }

  const ClueScanner& scanner;
  ClueScanner::Scratch scratch;
  const uint64_t limit;  // 0: only counts
  std::vector<ScanMatch> matches;
  std::vector<uint64_t> counts;
  std::vector<std::unique_ptr<FirstHits>> firsts;  // null: no hit yet
  uint64_t held_bytes = 0;
};

ScanHits::ScanHits(const ClueScanner& scanner) : impl_(std::make_unique<Impl>(scanner)) {}
ScanHits::~ScanHits() = default;
ScanHits::ScanHits(ScanHits&&) noexcept = default;
ScanHits& ScanHits::operator=(ScanHits&&) noexcept = default;

void ScanHits::add(std::string_view id, std::string_view text) {
  impl_->scanner.scan(text, impl_->scratch, impl_->matches);
  for (const ScanMatch& match : impl_->matches) {
    ++impl_->counts[match.clue];
    std::unique_ptr<FirstHits>& first = impl_->firsts[match.clue];
    if (!impl_->wanted(first.get(), {match.order, id})) continue;
    if (first == nullptr) first = std::make_unique<FirstHits>();
    impl_->keep(*first, {match.clue, match.order, std::string(id), impl_->scanner.describe(text, match, impl_->scratch)});
  }
}

uint64_t ScanHits::held_bytes() const noexcept {
  return impl_->held_bytes;
}

void ScanHits::take(std::vector<Found>& out) {
  for (const std::unique_ptr<FirstHits>& first : impl_->firsts) {
    if (first == nullptr || first->best.empty()) continue;
    if (first->best.size() == impl_->limit) {
      const Found& last = first->best.front();
      first->bar = FirstHits::Bar{last.order, last.id};
    }
    std::ranges::move(first->best, std::back_inserter(out));
    first->best = {};
  }
  impl_->held_bytes = 0;
}

std::span<const uint64_t> ScanHits::counts() const noexcept {
  return impl_->counts;
}

}  // namespace neardup
