#include "features/document_frequency.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/json.hpp>
#include <cstring>
#include <map>

#include "base/hash.h"
#include "base/limits.h"
#include "features/frequency_words.h"
#include "features/idf.h"
#include "neardup/error.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

static_assert(std::endian::native == std::endian::little, "tables are mapped as they are");

constexpr uint32_t kSmallCounts = 1u << 16;
constexpr int kBucketBits = 3;  // about eight hashes a bucket

[[noreturn]] void fail(const std::string& name, std::string_view part, const std::string& problem) {
  throw Error(ErrorCode::kInput, fmt::format("'{}' is not a usable table of document frequencies: {}: {}", name, part, problem));
}

template <typename Number>
Number load(std::string_view bytes, size_t at) noexcept {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

constexpr uint64_t padded(uint64_t bytes) noexcept {
  return (bytes + 7) / 8 * 8;
}

}  // namespace

DocumentFrequencyTable DocumentFrequencyTable::open(const std::string& path) {
  DocumentFrequencyTable table;
  table.file_ = std::make_unique<const MappedFile>(path);
  table.check(table.file_->bytes(), path);
  table.make_index();
  table.check_file();
  return table;
}

DocumentFrequencyTable DocumentFrequencyTable::parse(std::string bytes, const std::string& name) {
  DocumentFrequencyTable table;
  bytes.reserve(kHeaderBytes);  // on the heap, where it is aligned and stays when the table moves
  table.memory_ = std::make_unique<const std::string>(std::move(bytes));
  table.check(*table.memory_, name);
  table.make_index();
  return table;
}

void DocumentFrequencyTable::check(std::string_view bytes, const std::string& name) {
  constexpr size_t kChecksumBytes = 8;
  if (!bytes.starts_with(kMagic)) {
    fail(name, "header", bytes.size() < kMagic.size() ? "the file is truncated" : "it does not begin with neardupF");
  }
  if (bytes.size() < kHeaderBytes + kChecksumBytes) fail(name, "header", fmt::format("the file is truncated: {} bytes", bytes.size()));
  if (const auto version = load<uint32_t>(bytes, 8); version != kVersion) {
    fail(name, "header", fmt::format("version {}, this program knows {}", version, kVersion));
  }
  const auto description_bytes = load<uint32_t>(bytes, 12);
  documents_ = load<uint64_t>(bytes, 16);
  const auto entries = load<uint64_t>(bytes, 24);
  min_frequency_ = load<uint32_t>(bytes, 32);
  if (description_bytes > kMaxDescriptionBytes) {
    fail(name, "header", fmt::format("a description of {} bytes, at most {} are allowed", description_bytes, kMaxDescriptionBytes));
  }
  if (documents_ > limits::kMaxDocuments) {
    fail(name, "header", fmt::format("{} documents, at most {} are allowed", documents_, limits::kMaxDocuments));
  }
  // Checked before multiplying: the number may be arbitrarily large.
  const uint64_t hashes_at = kHeaderBytes + padded(description_bytes);
  const uint64_t max_entries = bytes.size() / sizeof(uint64_t);
  const uint64_t expected =
      entries > max_entries ? ~uint64_t{0} : hashes_at + entries * sizeof(uint64_t) + padded(entries * sizeof(uint32_t)) + kChecksumBytes;
  if (expected > bytes.size()) {
    fail(name, "hashes and counts", fmt::format("the file is truncated: {} bytes do not hold {} entries", bytes.size(), entries));
  }
  words_section_ = bytes.substr(expected);
  static_cast<void>(read_frequency_words(words_section_, name));
  bytes = bytes.substr(0, expected);
  id_ = load<uint64_t>(bytes, bytes.size() - kChecksumBytes);
  const uint64_t sum = hash64(bytes.substr(0, bytes.size() - kChecksumBytes));
  if (sum != id_) fail(name, "checksum", fmt::format("{:016x} is written, {:016x} is what the bytes give: they are damaged", id_, sum));

  description_ = bytes.substr(kHeaderBytes, description_bytes);
  hashes_ = {reinterpret_cast<const uint64_t*>(bytes.data() + hashes_at), entries};
  counts_ = {reinterpret_cast<const uint32_t*>(bytes.data() + hashes_at + entries * sizeof(uint64_t)), entries};
  check_entries(name);
}

// The checksum detects accidents; these checks detect files of other programs.
void DocumentFrequencyTable::check_entries(const std::string& name) const {
  if (min_frequency_ == 0) fail(name, "header", "the minimum frequency is 0");
  if (!is_valid_utf8(description_)) fail(name, "description", "it is not valid UTF-8");
  for (size_t i = 0; i < hashes_.size(); ++i) {
    if (i > 0 && hashes_[i - 1] >= hashes_[i]) fail(name, "hashes", fmt::format("entry {} is not above the one before", i));
    if (counts_[i] < min_frequency_ || counts_[i] > documents_) {
      fail(name, "counts", fmt::format("entry {} is in {} documents, expected {} to {}", i, counts_[i], min_frequency_, documents_));
    }
  }
}

void DocumentFrequencyTable::make_index() {
  const int bits = std::clamp(static_cast<int>(std::bit_width(hashes_.size())) - kBucketBits, 1, 32);
  bucket_shift_ = 64 - bits;
  buckets_.assign((size_t{1} << bits) + 1, hashes_.size());
  small_idf_.assign(kSmallCounts, 0);
  small_idf_[0] = idf_fixed(documents_, 0);
  std::map<uint32_t, int32_t> large;
  for (size_t i = hashes_.size(); i-- > 0;) {
    buckets_[hashes_[i] >> bucket_shift_] = i;
    const uint32_t count = counts_[i];
    if (count < kSmallCounts ? small_idf_[count] != 0 : large.contains(count)) continue;
    (count < kSmallCounts ? small_idf_[count] : large[count]) = idf_fixed(documents_, count);
  }
  // A bucket without hashes begins where the next one does.
  for (size_t b = buckets_.size() - 1; b-- > 0;) buckets_[b] = std::min(buckets_[b], buckets_[b + 1]);
  large_idf_.assign(large.begin(), large.end());
}

uint32_t DocumentFrequencyTable::frequency(uint64_t hash) const noexcept {
  const size_t bucket = hash >> bucket_shift_;
  const auto begin = hashes_.begin() + static_cast<std::ptrdiff_t>(buckets_[bucket]);
  const auto end = hashes_.begin() + static_cast<std::ptrdiff_t>(buckets_[bucket + 1]);
  const auto found = std::lower_bound(begin, end, hash);
  return found != end && *found == hash ? counts_[static_cast<size_t>(found - hashes_.begin())] : 0;
}

int32_t DocumentFrequencyTable::idf_of_frequency(uint32_t frequency) const noexcept {
  if (frequency < kSmallCounts) return small_idf_[frequency];
  return std::lower_bound(large_idf_.begin(), large_idf_.end(), std::pair<uint32_t, int32_t>(frequency, 0))->second;
}

std::string frequency_description(std::string_view canonical_recipe) {
  const boost::json::object recipe = boost::json::parse({canonical_recipe.data(), canonical_recipe.size()}).as_object();
  std::map<std::string_view, std::string> members;
  for (const auto& [key, value] : recipe) members[key] = boost::json::serialize(value);
  for (const std::string_view name : {"shingle", "min_features", "feature_hash", "sketch", "weighting"}) members.erase(name);
  std::string text = "{";
  for (const auto& [key, value] : members) {
    if (text.size() > 1) text += ',';
    text += boost::json::serialize(boost::json::string(key)) + ":" + value;
  }
  return text + "}";
}

}  // namespace neardup
