#include "jobs/tune/near_sample.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace neardup {

void NearSample::add(uint64_t key, uint64_t exact, const DocumentId& where, std::string_view id, std::string_view text) {
  if (key_dropped_ && key >= bound()) return;
  Group& group = groups_[key];
  if (const auto found = group.find(exact); found != group.end()) {
    Document& document = found->second;
    ++document.copies;
    auto& others = document.others;
    // Copies of one source mostly follow each other.
    if (others.empty() || others.back().first != where.source) others.emplace_back(where.source, 0);
    ++others.back().second;
    return;
  }
  if (group.size() >= limits_.texts_per_key) {
    dropped_ = true;
    const auto largest = std::prev(group.end());
    if (exact > largest->first) return;
    bytes_ -= largest->second.text.size();
    --texts_;
    group.erase(largest);
  }
  group.emplace(
      exact,
      Document{.where = where, .key = key, .exact = exact, .id = std::string(id), .text = std::string(text), .copies = 1, .others = {}});
  ++texts_;
  bytes_ += text.size();
  evict();
}

// Drops the largest keys until the rest fits. A key that was dropped never returns, so what remains has all documents of its keys.
void NearSample::evict() {
  while ((texts_ > limits_.texts || bytes_ > limits_.bytes) && groups_.size() > 1) {
    const auto last = std::prev(groups_.end());
    for (const auto& [exact, document] : last->second) bytes_ -= document.text.size();
    texts_ -= last->second.size();
    bound_.store(last->first, std::memory_order_relaxed);
    key_dropped_ = dropped_ = true;
    groups_.erase(last);
  }
}

double NearSample::share() const noexcept {
  return key_dropped_ ? std::ldexp(static_cast<double>(bound()), -64) : 1.0;
}

std::vector<NearSample::Document> NearSample::take() {
  std::vector<Document> documents;
  documents.reserve(texts_);
  for (auto& [key, group] : groups_) {
    for (auto& [exact, document] : group) documents.push_back(std::move(document));
  }
  groups_.clear();
  std::ranges::sort(documents, {}, &Document::where);
  return documents;
}

}  // namespace neardup
