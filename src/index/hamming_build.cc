#include "index/hamming_build.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "base/page_buffer.h"
#include "index/hamming_choice.h"
#include "index/hamming_image.h"
#include "index/side_bytes.h"
#include "index/sorted_keys.h"
#include "kernels/kernels.h"

namespace neardup {
namespace {

template <typename T>
std::string_view bytes_of(const T& value) noexcept {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <typename T>
std::string_view bytes_of(const std::vector<T>& values) noexcept {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename Code>
class Builder {
 public:
  using Word = CodeWord<Code>;

  Builder(std::span<const Code> codes, HammingIds kind, std::span<const uint64_t> ids, const HammingPlan& plan, const HammingBuildRun& run,
          ByteSink& sink, uint32_t depth)
      : codes_(codes),
        kind_(kind),
        ids_(ids),
        plan_(plan),
        order_(plan.order),
        run_(run),
        sink_(sink),
        depth_(depth),
        begin_(sink.size()),
        id_bytes_of_codes_(run.memory_bytes / 4, run.temp_directory) {}

  void build() {
    end_.id_bytes = id_bytes();
    if (plan_.blocks.empty()) {
      write_flat();
    } else {
      for (const HammingBlock& block : plan_.blocks) write_table(block);
    }
    write_ids();
    write_nested();
    write_end();
  }

 private:
  [[nodiscard]] uint32_t id_bytes() const {
    if (kind_ == HammingIds::kNone) return 0;
    uint64_t most = codes_.empty() ? 0 : codes_.size() - 1;
    if (kind_ == HammingIds::kGiven && !ids_.empty()) most = *std::ranges::max_element(ids_);
    return std::max(1u, (static_cast<uint32_t>(std::bit_width(most)) + 7) / 8);
  }
  [[nodiscard]] uint64_t id_of(size_t row) const noexcept { return kind_ == HammingIds::kGiven ? ids_[row] : row; }

  [[nodiscard]] uint64_t here() const noexcept { return sink_.size() - begin_; }
  uint64_t begin_section() {
    static constexpr char kZeros[kSectionBytes] = {};
    const uint64_t over = here() % kSectionBytes;
    if (over != 0) sink_.append({kZeros, kSectionBytes - over});
    return here();
  }
  void append_zeros(size_t bytes) { sink_.append(std::string(bytes, '\0')); }

  CountSection write_counts(const CountLinesWriter& counts) {
    CountSection section{.count_bytes = counts.count_bytes()};
    section.lines = begin_section();
    sink_.append(view_of(counts.lines()));
    section.spill = begin_section();
    section.spill_count = counts.spill().size();
    sink_.append(bytes_of(counts.spill()));
    return section;
  }

  // Notes the ids of the entries of one code, which are consecutive.
  void note_id(uint64_t id) { id_bytes_of_codes_.append(reinterpret_cast<const char*>(&id), end_.id_bytes); }

  // All entries in the order of a key; distinct(key) for the first one of each code.
  template <typename KeyOf, typename Distinct>
  void sweep_with_ids(const KeyOf& key_of_word, const Distinct& distinct) {
    using Entry = KeyAndId<Word>;
    uint64_t count = 0;
    Word last = 0;
    for_each_sorted<Code, Entry>(
        codes_, order_, {run_.threads, run_.memory_bytes},
        [&](Word word, size_t row) {
          return Entry{key_of_word(word), id_of(row)};
        },
        [](const Entry& entry) { return entry.key; },
        [&](std::span<const Entry> entries) {
          for (const Entry& entry : entries) {
            if (count == 0 || entry.key != last) {
              distinct(entry.key);
              last = entry.key;
              ++count;
            } else if (!id_counts_) {  // the first code with a second id
              id_counts_.emplace(1);
              for (uint64_t code = 0; code < count; ++code) id_counts_->add(code, 1);
            }
            note_id(entry.id);
            if (id_counts_) id_counts_->add(count - 1, 1);
          }
        });
    end_.rows = codes_.size();
    end_.distinct = count;
  }
  template <typename KeyOf, typename Distinct>
  void sweep_codes(const KeyOf& key_of_word, const Distinct& distinct) {
    uint64_t count = 0;
    Word last = 0;
    for_each_sorted<Code, Word>(
        codes_, order_, {run_.threads, run_.memory_bytes}, [&](Word word, size_t) { return key_of_word(word); },
        [](Word key) { return key; },
        [&](std::span<const Word> keys) {
          for (const Word key : keys) {
            if (count != 0 && key == last) continue;
            distinct(key);
            last = key;
            ++count;
          }
        });
    end_.distinct = count;
    if (kind_ == HammingIds::kNone) end_.rows = count;
  }

  void write_flat() {
    std::vector<uint64_t> low;
    std::vector<uint64_t> high;
    const auto same = [](Word word) { return word; };
    const auto note = [&](Word word) {
      const Code code = code_of(word);
      low.push_back(code.low);
      if constexpr (Code::kBits == 128) high.push_back(code.high);
    };
    if (kind_ == HammingIds::kNone) {
      sweep_codes(same, note);
    } else {
      sweep_with_ids(same, note);
    }
    const size_t padded = (low.size() + kernels::kCodeBlock - 1) / kernels::kCodeBlock * kernels::kCodeBlock;
    end_.flat = begin_section();
    low.resize(padded);
    sink_.append(bytes_of(low));
    if constexpr (Code::kBits == 128) {
      high.resize(padded);
      sink_.append(bytes_of(high));
    }
  }

  void write_table(const HammingBlock& block) {
    TableEntry entry{.begin = block.begin, .width = block.width, .flips = block.flips};
    entry.remainders = begin_section();
    const uint64_t groups = uint64_t{1} << block.width;
    CountLinesWriter directory(CountLines::suitable_count_bytes(groups, codes_.size()));
    const uint32_t stride = remainder_bytes<Word>(block);
    const uint32_t below = remainder_bits<Word>(block);
    RawVector<char> bytes;
    uint64_t bucket = 0;
    std::vector<Word> of_bucket;
    const auto close_bucket = [&] {
      if (of_bucket.empty()) return;
      directory.add(bucket, of_bucket.size());
      if (of_bucket.size() > kHotBucket) add_nested(block, bucket, of_bucket);
      of_bucket.clear();
    };
    const auto note = [&](Word key) {
      const auto prefix = static_cast<uint64_t>(shift_right(key, below));
      if (prefix != bucket) close_bucket();
      bucket = prefix;
      const Word remainder = key & low_mask<Word>(below);
      of_bucket.push_back(remainder);
      const auto* at = reinterpret_cast<const char*>(&remainder);
      bytes.insert(bytes.end(), at, at + stride);
      if (bytes.size() >= kBufferBytes) {
        sink_.append(view_of(bytes));
        bytes.clear();
      }
    };
    const auto key = [&](Word word) { return key_of(word, block); };
    if (tables_.empty() && kind_ != HammingIds::kNone) {
      sweep_with_ids(key, note);
    } else {
      sweep_codes(key, note);
    }
    close_bucket();
    sink_.append(view_of(bytes));
    append_zeros(kernels::kPackedSlack);
    directory.finish(groups);
    entry.directory = write_counts(directory);
    tables_.push_back(entry);
  }

  void add_nested(const HammingBlock& block, uint64_t prefix, std::span<const Word> remainders) {
    if (depth_ + 1 >= kMaxNesting) return;
    std::vector<Code> codes;
    codes.reserve(remainders.size());
    for (const Word remainder : remainders) codes.push_back(code_of(order_.restore(join_parts(prefix, remainder, block))));
    const HammingPlan plan = choose_hamming_plan<Code>(codes, plan_.radius);
    if (plan.blocks.empty()) return;  // nothing to win
    nested_list_.push_back({tables_.size(), prefix, nested_bytes_.size(), 0});
    const std::span<const Code> all(codes);
    Builder(all, HammingIds::kNone, {}, plan, {run_.threads, run_.memory_bytes, run_.temp_directory}, nested_bytes_, depth_ + 1).build();
    nested_list_.back().bytes = nested_bytes_.size() - nested_list_.back().image;
    static constexpr char kZeros[kSectionBytes] = {};
    nested_bytes_.append({kZeros, (kSectionBytes - nested_bytes_.size() % kSectionBytes) % kSectionBytes});
  }

  void write_ids() {
    if (end_.id_bytes == 0) return;
    end_.ids = begin_section();
    id_bytes_of_codes_.move_to(sink_);
    append_zeros(kIdSlack);
    if (!id_counts_) return;
    id_counts_->finish(end_.distinct);
    end_.id_counts = write_counts(*id_counts_);
  }

  void write_nested() {
    const uint64_t begin = begin_section();
    sink_.append({nested_bytes_.data(), nested_bytes_.size()});
    for (HotBucket& hot : nested_list_) hot.image += begin;
    end_.hot = begin_section();
    end_.hot_count = nested_list_.size();
    sink_.append(bytes_of(nested_list_));
  }

  void write_end() {
    begin_section();
    sink_.append({reinterpret_cast<const char*>(plan_.order.data()), plan_.order.size()});
    sink_.append(bytes_of(tables_));
    end_.bits = Code::kBits;
    end_.radius = plan_.radius;
    end_.tables = static_cast<uint32_t>(tables_.size());
    end_.ordered = plan_.order.empty() ? 0 : 1;
    end_.version = kImageVersion;
    end_.magic = kImageMagic;
    end_.bytes = here() + sizeof end_;
    sink_.append(bytes_of(end_));
  }

  static constexpr size_t kBufferBytes = 1 << 20;

  std::span<const Code> codes_;
  HammingIds kind_;
  std::span<const uint64_t> ids_;
  const HammingPlan& plan_;
  BitOrder<Word> order_;
  const HammingBuildRun& run_;
  ByteSink& sink_;
  uint32_t depth_;
  uint64_t begin_;  // of the image in the sink

  ImageEnd end_;
  std::vector<TableEntry> tables_;
  SideBytes id_bytes_of_codes_;
  std::optional<CountLinesWriter> id_counts_;  // once codes are equal
  PageBuffer nested_bytes_;
  std::vector<HotBucket> nested_list_;
};

}  // namespace

template <typename Code>
void build_hamming_image(std::span<const Code> codes, HammingIds kind, std::span<const uint64_t> ids, const HammingPlan& plan,
                         const HammingBuildRun& run, ByteSink& sink) {
  Builder<Code>(codes, kind, ids, plan, run, sink, 0).build();
}

template void build_hamming_image<Fingerprint64>(std::span<const Fingerprint64>, HammingIds, std::span<const uint64_t>, const HammingPlan&,
                                                 const HammingBuildRun&, ByteSink&);
template void build_hamming_image<Fingerprint128>(std::span<const Fingerprint128>, HammingIds, std::span<const uint64_t>,
                                                  const HammingPlan&, const HammingBuildRun&, ByteSink&);

}  // namespace neardup
