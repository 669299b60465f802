#include "jobs/generate/original_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <unordered_set>

#include "base/hash.h"
#include "text/utf8/utf8.h"

namespace neardup::generate_detail {

// A piece is the hash and the length of the id in 8 bytes each, the id, and the text.
void OriginalSample::piece(const Record& record, std::string& out) const {
  const uint64_t hash = mix64(hash64(record.text) ^ mix64(seed_));
  if (hash > bound_.load(std::memory_order_relaxed)) return;
  const std::string_view id = record.has_id ? record.id : std::string_view();
  const uint64_t numbers[2] = {hash, id.size()};
  out.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  out += id;
  std::string text;
  repair_utf8(record.text, text);
  out += text;
}

void OriginalSample::append(const DocumentId& where, std::string_view piece) {
  if (piece.empty()) return;
  uint64_t numbers[2];
  std::memcpy(numbers, piece.data(), sizeof numbers);
  if (numbers[0] > bound_.load(std::memory_order_relaxed)) return;
  const auto [at, added] = chosen_.try_emplace(numbers[0]);
  if (!added) {
    ++same_;
    return;
  }
  piece.remove_prefix(sizeof numbers);
  at->second.where = where;
  at->second.id =
      numbers[1] > 0 ? std::string(piece.substr(0, numbers[1])) : fmt::format("{}:{}", source_.source_name(where.source), where.row);
  at->second.text = piece.substr(numbers[1]);
  if (chosen_.size() > max_documents_) chosen_.erase(std::prev(chosen_.end()));
  if (chosen_.size() == max_documents_) bound_.store(chosen_.rbegin()->first, std::memory_order_relaxed);
}

std::vector<Original> OriginalSample::take() {
  std::vector<Original> taken;
  taken.reserve(chosen_.size());
  for (auto& [hash, original] : chosen_) taken.push_back(std::move(original));
  chosen_.clear();
  std::sort(taken.begin(), taken.end(), [](const Original& a, const Original& b) { return a.where < b.where; });
  std::unordered_set<std::string> ids;
  const size_t drawn = taken.size();
  std::erase_if(taken, [&](const Original& original) { return !ids.insert(original.id).second; });
  same_ += drawn - taken.size();
  return taken;
}

}  // namespace neardup::generate_detail
