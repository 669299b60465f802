#include "dedup/checkpoint/pass_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/byte_codec.h"
#include "neardup/error.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

// Only another process reads a part again, if ever: until then the page cache is better used for spilled data. A hint.
void release_pages(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  ::close(descriptor);
}

}  // namespace

PassJournal::PassJournal(const CheckpointDirectory& directory, std::string pass, uint64_t recipe_id, uint64_t thin_end)
    : directory_(directory), pass_(std::move(pass)), recipe_id_(recipe_id) {
  for (const std::string& name : directory_.files(pass_ + "-", kPartSuffix)) {
    read_or_discard(directory_, name, [&] {
      Part part = open(name);
      const uint64_t first = part.file->entries();
      if (part.thin && first + part.ends.size() > thin_end) {
        throw Error(ErrorCode::kInput, fmt::format("'{}' lacks sketches of undecided documents", part.file->name()));
      }
      if (!part.thin) thick_.push_back(first);
      stored_ += part.ends.size();
      parts_.emplace(first, std::move(part));
    });
  }
}

PassJournal::~PassJournal() {
  if (writing_.valid()) writing_.wait();
}

PassJournal::Part PassJournal::open(const std::string& name) const {
  Part part{.file = open_part(directory_, pass_, name, recipe_id_), .ends = {}};
  ByteReader reader(part.file->names(), part.file->name());
  reader.array(part.ends);
  part.thin = reader.value<uint8_t>() != 0;
  reader.end();
  const uint64_t bytes = part.file->payload().size();
  if (part.ends.empty() || !std::ranges::is_sorted(part.ends) || part.ends.back() != bytes) reader.fail();
  part.file->check();
  part.file->expect(MappedFile::Reading::kInOrder);
  part.file->release();
  return part;
}

std::map<uint64_t, PassJournal::Part>::const_iterator PassJournal::part_of(uint64_t batch) const noexcept {
  auto after = parts_.upper_bound(batch);
  if (after == parts_.begin()) return parts_.end();
  --after;
  return batch - after->first < after->second.ends.size() ? after : parts_.end();
}

bool PassJournal::has(uint64_t batch) const noexcept {
  return part_of(batch) != parts_.end();
}

std::string_view PassJournal::get(uint64_t batch) const noexcept {
  const auto& [first, part] = *part_of(batch);
  const uint64_t i = batch - first;
  const uint64_t begin = i == 0 ? 0 : part.ends[i - 1];
  return part.file->payload().substr(begin, part.ends[i] - begin);
}

void PassJournal::release(uint64_t batch) const {
  const auto part = part_of(batch);
  if (part != parts_.end()) part->second.file->check();
  if (part != parts_.end() && batch + 1 == part->first + part->second.ends.size()) part->second.file->release();
}

const std::string& PassJournal::name_of(uint64_t batch) const noexcept {
  return part_of(batch)->second.file->name();
}

void PassJournal::put(uint64_t batch, std::string_view made) {
  if (has(batch)) return release(batch);
  if (directory_.read_only()) return;
  if (!pending_.ends.empty() && batch != pending_.first + pending_.ends.size()) hand_over();  // the batches between are stored
  if (pending_.ends.empty()) pending_.first = batch;
  pending_.bytes += made;
  pending_.ends.push_back(pending_.bytes.size());
  if ((batch + 1) % kBatchesPerPart == 0) hand_over();
}

void PassJournal::finish() {
  hand_over();
  wait();
}

void PassJournal::hand_over() {
  if (pending_.ends.empty()) return;
  wait();
  thick_.push_back(pending_.first);
  writing_ = std::async(std::launch::async, [this, part = std::exchange(pending_, {})] { write(part, false); });
}

void PassJournal::write(const Pending& part, bool thin) const {
  const std::string path = directory_.file(part_name(pass_, part.first));
  SegmentWriter writer(path, {.kind = pass_, .recipe_id = recipe_id_, .entries = part.first});
  writer.append(part.bytes);
  writer.begin_names();
  std::string names;
  ByteWriter to(names);
  to.array(part.ends);
  to.value(static_cast<uint8_t>(thin));
  writer.append(names);
  writer.commit();
  release_pages(path);
}

void PassJournal::thin(uint64_t end, const MakeThin& make) {
  wait();
  std::vector<uint64_t> left;
  for (const uint64_t first : thick_) {
    const Part part = open(part_name(pass_, first));
    if (first + part.ends.size() > end) {
      left.push_back(first);
      continue;
    }
    Pending thinned{.first = first, .bytes = {}, .ends = {}};
    const std::string_view bytes = part.file->payload();
    for (size_t i = 0; i < part.ends.size(); ++i) {
      const uint64_t begin = i == 0 ? 0 : part.ends[i - 1];
      thinned.bytes += make(first + i, bytes.substr(begin, part.ends[i] - begin), part.file->name());
      thinned.ends.push_back(thinned.bytes.size());
    }
    part.file->check();
    parts_.erase(first);
    write(thinned, true);
  }
  thick_ = std::move(left);
}

void PassJournal::wait() {
  if (writing_.valid()) writing_.get();
}

}  // namespace neardup
