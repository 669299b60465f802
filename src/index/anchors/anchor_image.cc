#include "index/anchors/anchor_image.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "base/mapped_file.h"
#include "neardup/error.h"

namespace neardup {

using namespace anchor_format;

void AnchorImage::refuse(const std::string& why) const {
  throw Error(ErrorCode::kInput, name_ + ": " + why);
}
void AnchorImage::refuse_bucket(uint64_t bucket) const {
  refuse("bucket " + std::to_string(bucket) + " of the anchors is corrupt");
}

AnchorImage::AnchorImage(const char* begin, size_t bytes, const BlockGuard* guard, std::string name)
    : begin_(begin), guard_(guard), name_(std::move(name)) {
  if (bytes < sizeof trailer_) refuse(std::to_string(bytes) + " bytes are not an index of anchors");
  check(bytes - sizeof trailer_, sizeof trailer_);
  std::memcpy(&trailer_, begin + bytes - sizeof trailer_, sizeof trailer_);
  if (trailer_.magic != kMagic) refuse("no index of anchors ends here");
  if (trailer_.version != kVersion) {
    refuse("index of anchors of version " + std::to_string(trailer_.version) + ", this program reads version " + std::to_string(kVersion));
  }
  if (trailer_.bytes != bytes) {
    refuse("the index of anchors states a size of " + std::to_string(trailer_.bytes) + " bytes, but has " + std::to_string(bytes));
  }
  if (trailer_.bucket_bits > kAnchorHashBits || trailer_.offset_bits > kMaxDirectoryBits ||
      trailer_.text_limit > uint64_t{kMaxPostingText} + 1 || trailer_.lists > trailer_.postings ||
      trailer_.postings / 8 > bytes) {  // each has at least a bit
    refuse("impossible sizes of the index of anchors");
  }
  const uint64_t directory = groups_for(trailer_.bucket_bits) * group_bytes(trailer_.offset_bits);  // < 2^31 * 2^9
  if (trailer_.directory > bytes || bytes - trailer_.directory != directory + sizeof trailer_) {
    refuse("the directory of " + std::to_string(directory) + " bytes does not lie at the end of the index of anchors");
  }
}

uint64_t AnchorImage::start_of(uint64_t bucket) const {
  const uint64_t group = trailer_.directory + bucket / kGroupOffsets * group_bytes(trailer_.offset_bits);
  const uint64_t bit = bucket % kGroupOffsets * trailer_.offset_bits;
  check(group, sizeof(uint64_t));
  check(group + sizeof(uint64_t) + bit / 8, (bit % 8 + trailer_.offset_bits + 7) / 8);
  return load<uint64_t>(group) + load_bits(begin_ + group + sizeof(uint64_t), bit, trailer_.offset_bits);
}

AnchorImage::Span AnchorImage::bucket_span(uint64_t bucket) const {
  const Span span{start_of(bucket), start_of(bucket + 1)};
  if (span.begin >= span.end || span.end > trailer_.directory) refuse_bucket(bucket);  // even an empty one has a byte
  return span;
}

AnchorImage::LongList AnchorImage::long_list(uint64_t count, uint64_t skips) const {
  LongList list{.count = count, .blocks = (count + kBlockPostings - 1) / kBlockPostings, .lasts = skips};
  if (skips > trailer_.directory || list.blocks > (trailer_.directory - skips) / (kLastBytes + kEndBytes)) {
    refuse("the list of " + std::to_string(count) + " texts at " + std::to_string(skips) + " does not lie in the index of anchors");
  }
  list.ends = skips + list.blocks * kLastBytes;
  const uint64_t bytes = block_end(list, list.blocks - 1);
  if (bytes > skips) refuse("the list of " + std::to_string(count) + " texts at " + std::to_string(skips) + " is corrupt");
  list.begin = skips - bytes;
  return list;
}

uint32_t AnchorImage::read_block(const LongList& list, uint64_t block, PostingRun& run) const {
  const uint64_t begin = block == 0 ? 0 : block_end(list, block - 1);
  const uint64_t end = block_end(list, block);
  const uint32_t before = block == 0 ? 0 : block_last(list, block - 1);
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(list.count - block * kBlockPostings, kBlockPostings));
  bool good = begin <= end && end <= list.lasts - list.begin;
  if (good) {
    check(list.begin + begin, end - begin);
    BitReader bits(begin_, (list.begin + begin) * 8, (list.begin + end) * 8);
    // A text may go on in the next block, with another context.
    good = get_block(bits, count, before, trailer_.text_limit, run) && run.texts[count - 1] == block_last(list, block) &&
           bits.end() - bits.at() < 8;
  }
  if (!good)
    refuse("block " + std::to_string(block) + " of the list at " + std::to_string(list.lasts) + " of the index of anchors is corrupt");
  return count;
}

// The heads are read first; then, for the postings, once more next to them.
class AnchorImage::BucketReader {
 public:
  BucketReader(const AnchorImage& image, uint64_t bucket)
      : image_(image),
        bucket_(bucket),
        span_(image.bucket_span(bucket)),
        bits_(image.begin_, span_.begin * 8, span_.end * 8),
        sound_(span_.begin * 8) {
    lists_ = bits_.get_gamma() - 1;
    if (lists_ > 0) scale_ = TextScale::of_bits(static_cast<uint32_t>(bits_.get(kTextScaleBits)));
    require(bits_);
    if (!scale_.is_valid() || lists_ > (span_.end - span_.begin) * 8) image_.refuse_bucket(bucket_);
    gap_parameter_ = gap_parameter(image.trailer_.bucket_bits, lists_);
    heads_ = bits_;
    first_hash_ = bucket << (kAnchorHashBits - image.trailer_.bucket_bits);
    hash_end_ = first_hash_ + (uint64_t{1} << (kAnchorHashBits - image.trailer_.bucket_bits));
    hash_ = first_hash_;
  }

  // Goes to the list with this hash, if there is one; then list() may be called. On a new reader only.
  bool find(uint64_t hash) {
    std::array<uint8_t, 256> counts;  // of the first lists; those of long ones are cut
    static_assert(kBlockPostings <= UINT8_MAX);
    uint64_t number = 0;
    for (; number < lists_; ++number) {
      read_head(bits_);
      if (hash_ - 1 >= hash) break;
      if (number < counts.size()) counts[number] = static_cast<uint8_t>(std::min<uint64_t>(count_, kBlockPostings));
    }
    if (number == lists_ || hash_ - 1 > hash) return false;
    const uint64_t count = count_;
    for (uint64_t i = number + 1; i < lists_; ++i) read_head(bits_);
    if (number > counts.size()) hash_ = first_hash_;  // an image that has too few buckets
    for (uint64_t i = 0; i < number; ++i) {
      if (number > counts.size()) {
        next();
        skip(count_);
      } else {
        skip(counts[i]);
      }
    }
    count_ = count;
    return true;
  }
  // Passes the heads; then next() goes to the first list.
  void begin_lists() {
    for (uint64_t i = 0; i < lists_; ++i) read_head(bits_);
    hash_ = first_hash_;
  }

  [[nodiscard]] bool done() const noexcept { return done_ == lists_; }
  // Goes to the next list; then skip_table() or run().
  void next() {
    ++done_;
    read_head(heads_);
  }
  [[nodiscard]] uint64_t hash() const noexcept { return hash_ - 1; }
  [[nodiscard]] uint64_t count() const noexcept { return count_; }
  [[nodiscard]] bool is_long() const noexcept { return count_ >= kBlockPostings; }

  // Of a long list.
  uint64_t skip_table() {
    const uint64_t offset = bits_.get(kOffsetBits);
    require(bits_);
    return offset;
  }
  void run(PostingRun& run) {
    const bool good = get_list(bits_, static_cast<uint32_t>(count_), scale_, image_.trailer_.text_limit, run);
    require(bits_);
    if (!good) image_.refuse_bucket(bucket_);
  }
  [[nodiscard]] List list() {
    if (is_long()) return {.count = count_, .place = skip_table(), .scale = {}};
    List found{.count = count_, .place = bits_.at(), .scale = scale_};
    skip(count_);
    require(bits_);
    found.end = bits_.at();
    return found;
  }
  // The bytes of the bucket, after all was read.
  [[nodiscard]] Span used() const noexcept { return {span_.begin, (bits_.at() + 7) / 8}; }

 private:
  // What is skipped is verified with what is read after it.
  void skip(uint64_t count) noexcept {
    if (count >= kBlockPostings) {
      bits_.skip(kOffsetBits);
    } else {
      skip_list(bits_, static_cast<uint32_t>(count), scale_);
    }
  }
  // hash_ is then the hash of the list plus 1.
  void read_head(BitReader& bits) {
    uint64_t gap = 0;
    bits.get_rice_and_gamma(gap_parameter_, gap, count_);
    require(bits);
    if (gap >= hash_end_ - hash_) image_.refuse_bucket(bucket_);
    hash_ += gap + 1;
  }
  // Verifies what was read, and a little ahead: values are read first and count afterwards. They were inside the image in any case.
  void require(const BitReader& bits) {
    if (!bits.ok()) {
      verify(span_.end * 8);
      image_.refuse_bucket(bucket_);
    }
    if (bits.at() > sound_) verify(std::min(bits.at() + kAheadBits, span_.end * 8));
  }
  void verify(uint64_t end) {
    image_.check(sound_ / 8, (end + 7) / 8 - sound_ / 8);
    sound_ = end;
  }

  static constexpr uint64_t kAheadBits = 2048;

  const AnchorImage& image_;
  uint64_t bucket_;
  Span span_;
  BitReader bits_;
  BitReader heads_;
  uint64_t sound_;  // bits verified so far
  uint64_t lists_ = 0;
  uint64_t done_ = 0;
  TextScale scale_;
  uint32_t gap_parameter_ = 0;
  uint64_t first_hash_ = 0;
  uint64_t hash_ = 0;  // the least that the next list can have
  uint64_t hash_end_ = 0;
  uint64_t count_ = 0;
};

AnchorImage::List AnchorImage::find(uint64_t hash) const {
  if (hash >> kAnchorHashBits != 0) return {};
  BucketReader reader(*this, hash >> (kAnchorHashBits - trailer_.bucket_bits));
  return reader.find(hash) ? reader.list() : List{};
}

void AnchorImage::fetch_directory(uint64_t hash) const noexcept {
  const uint64_t bucket = hash >> (kAnchorHashBits - trailer_.bucket_bits);
  if (bucket >= buckets()) return;
  const uint64_t bytes = group_bytes(trailer_.offset_bits);
  MappedFile::fetch({begin_ + trailer_.directory + bucket / kGroupOffsets * bytes, bytes});
}

void AnchorImage::fetch_bucket(uint64_t hash) const {
  constexpr uint64_t kUsualBytes = 512;  // what follows may be long lists
  const uint64_t bucket = hash >> (kAnchorHashBits - trailer_.bucket_bits);
  if (bucket >= buckets()) return;
  const Span span = bucket_span(bucket);
  MappedFile::fetch({begin_ + span.begin, std::min(span.end - span.begin, kUsualBytes)});
}

void AnchorImage::fetch_list(const List& list) const noexcept {
  constexpr uint64_t kMaxBytes = uint64_t{1} << 17;  // of the blocks
  if (list.count < kBlockPostings || list.place >= trailer_.directory) return;
  const uint64_t blocks = std::min(list.place, std::min(list.count * sizeof(uint32_t), kMaxBytes));
  const uint64_t skips = std::min(trailer_.directory - list.place, list.count / kBlockPostings * (kLastBytes + kEndBytes));
  MappedFile::fetch({begin_ + list.place - blocks, blocks + skips});
}

AnchorImage::Cursor::Cursor(const AnchorImage& image, const List& list) : image_(&image) {
  if (list.count >= kBlockPostings) {
    long_ = image.long_list(list.count, list.place);
    load_block(0);
    return;
  }
  if (list.count == 0) return;
  BitReader bits(image.begin_, list.place, list.end);
  size_ = static_cast<uint32_t>(list.count);
  if (!get_list(bits, size_, list.scale, image.trailer_.text_limit, run_)) {
    image.refuse("the list at bit " + std::to_string(list.place) + " of the index of anchors is corrupt");
  }
}

void AnchorImage::Cursor::load_block(uint64_t block) {
  size_ = at_ = 0;  // done, if it throws
  const uint32_t count = image_->read_block(long_, block, run_);
  size_ = count;
  block_ = block;
}

void AnchorImage::Cursor::seek(uint32_t text) {
  if (done()) return;
  if (run_.texts[size_ - 1] < text) {
    if (block_ + 1 >= long_.blocks) {
      at_ = size_;
      return;
    }
    // Most seeks are short: steps that double, then halves.
    uint64_t begin = block_ + 1;  // blocks before it end too early
    uint64_t end = long_.blocks;
    for (uint64_t step = 1; begin < end; step *= 2) {
      const uint64_t probe = std::min(begin + step - 1, end - 1);
      if (image_->block_last(long_, probe) >= text) {
        end = probe;
        break;
      }
      begin = probe + 1;
    }
    while (begin < end) {
      const uint64_t middle = begin + (end - begin) / 2;
      if (image_->block_last(long_, middle) >= text) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    if (begin == long_.blocks) {
      at_ = size_;
      block_ = long_.blocks;
      return;
    }
    load_block(begin);
  }
  at_ = static_cast<uint32_t>(std::lower_bound(run_.texts.data() + at_, run_.texts.data() + size_, text) - run_.texts.data());
}

struct AnchorImage::Walk::State {
  std::optional<BucketReader> reader;  // none at the end
  uint64_t bucket = 0;
  LongList list;       // the long list that is being read
  uint64_t block = 0;  // of it
  uint64_t list_hash = 0;
  uint64_t next = 0;  // offset after the parts of the image so far
  uint64_t lists = 0;
  uint64_t postings = 0;
  Posting last;  // once there are some
  PostingRun run;
};

AnchorImage::Walk::Walk(const AnchorImage& image) : image_(image), state_(std::make_unique<State>()) {
  buffer_.reserve(size_t{2} * kBlockPostings);
  open_bucket();
  refill();
}
AnchorImage::Walk::~Walk() = default;

void AnchorImage::Walk::append(uint64_t hash, uint32_t count) {
  const PostingRun& run = state_->run;
  // A run is in order by itself, and so are the lists of a bucket; blocks may not be.
  const Posting first{hash, run.texts[0], run.contexts[0]};
  if (state_->postings > 0 && first <= state_->last) image_.refuse_bucket(state_->bucket);
  state_->last = {hash, run.texts[count - 1], run.contexts[count - 1]};
  for (uint32_t i = 0; i < count; ++i) buffer_.push_back({hash, run.texts[i], run.contexts[i]});
  state_->postings += count;
}

void AnchorImage::Walk::open_bucket() {
  state_->reader.emplace(image_, state_->bucket);
  state_->reader->begin_lists();
}

void AnchorImage::Walk::end_bucket() {
  State& state = *state_;
  const Span used = state.reader->used();
  if (used.begin != state.next) image_.refuse_bucket(state.bucket);
  state.next = used.end;
  state.reader.reset();
  if (++state.bucket < image_.buckets()) {
    open_bucket();
    return;
  }
  if (state.next != image_.trailer_.directory || state.postings != image_.trailer_.postings || state.lists != image_.trailer_.lists) {
    image_.refuse("the index of anchors has " + std::to_string(state.postings) + " postings of " + std::to_string(state.lists) +
                  " grams, and states " + std::to_string(image_.trailer_.postings) + " of " + std::to_string(image_.trailer_.lists));
  }
}

void AnchorImage::Walk::refill() {
  State& state = *state_;
  buffer_.clear();
  at_ = 0;
  while (buffer_.size() < kBlockPostings && state.reader) {
    if (state.block < state.list.blocks) {
      append(state.list_hash, image_.read_block(state.list, state.block, state.run));
      ++state.block;
      continue;
    }
    if (state.reader->done()) {
      end_bucket();
      continue;
    }
    state.reader->next();
    ++state.lists;
    if (!state.reader->is_long()) {
      state.reader->run(state.run);
      append(state.reader->hash(), static_cast<uint32_t>(state.reader->count()));
      continue;
    }
    // Each part begins where the one before ends: so no bytes are read twice, and the work is bounded by the size of the image.
    state.list = image_.long_list(state.reader->count(), state.reader->skip_table());
    state.block = 0;
    state.list_hash = state.reader->hash();
    if (state.list.begin != state.next) image_.refuse_bucket(state.bucket);
    state.next = state.list.ends + state.list.blocks * kEndBytes;
  }
}

}  // namespace neardup
