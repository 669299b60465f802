// Any bytes as the log of an online store: the store opens and works, or is refused by an Error{kInput}. The first byte chooses what the
// others are: a whole file, batches after a good head, entries of a batch with sums that fit, or edits of a good log, a place and a byte
// each.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "fuzz_support.h"
#include "neardup/online_store.h"
#include "online/log/log_batch.h"
#include "online/log/log_format.h"

namespace {

using namespace neardup;
using fuzz::require;
using log_format::BatchHead;
namespace fs = std::filesystem;

constexpr uint8_t kForged = 2;  // of the first byte: entries whose sums fit
constexpr uint64_t kNow = 1'000'000'000'000;
constexpr std::string_view kNewText = "words that no other document of this store has ever had in its text before";
const OnlineStoreRun kHow{.threads = 1, .rows_in_memory = 8};

// A store with a few documents, whose log is replaced by each input. In memory where that is possible: inputs are files.
class StoreFolder {
 public:
  StoreFolder() {
    if (fs::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 0);
    folder_.emplace();
    {
      OnlineStore store = OnlineStore::create(path(), {.recipe = "words-5"}, kHow);
      std::vector<OnlineAnswer> answers;
      for (const char* id : {"a", "b", "c"}) {
        const std::string text = std::string(id) + " store keeps what no stored document matches and " + id + " forgets nothing";
        const OnlineRequest request{.id = id, .text = text};
        store.apply({&request, 1}, kNow, answers);
      }
      std::vector<bool> deleted;
      const std::string_view id = "b";
      store.remove({&id, 1}, kNow, deleted);
    }
    fs::copy(path(), folder_->file("good"), fs::copy_options::recursive);
    std::ifstream file(log_file(), std::ios::binary);
    good_log_ = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  [[nodiscard]] const std::string& good_log() const { return good_log_; }
  [[nodiscard]] std::string path() const { return folder_->file("store"); }
  void set_log(std::string_view bytes) const {
    fs::remove_all(path());
    fs::copy(folder_->file("good"), path(), fs::copy_options::recursive);
    std::ofstream(log_file(), std::ios::binary) << bytes;
  }

 private:
  [[nodiscard]] std::string log_file() const { return path() + "/records/log-000001.ndl"; }

  std::optional<fuzz::Folder> folder_;
  std::string good_log_;
};

// A batch of these entries at the end of `log`, with the sums that belong to it.
void append_batch(std::string_view entries, uint32_t count, uint64_t begin, uint64_t end, std::string& log) {
  BatchHead head{.magic = log_format::kBatchMagic,
                 .entries = count,
                 .bytes = entries.size(),
                 .begin = begin,
                 .end = end,
                 .durable = begin,
                 .body_sum = hash64(entries),
                 .head_sum = 0};
  const uint64_t before = hash64({reinterpret_cast<const char*>(&head), offsetof(BatchHead, head_sum)});
  head.head_sum = before ^ mix64(RecordPlace::at(1, log.size(), 0).place);
  log.append(reinterpret_cast<const char*>(&head), sizeof head);
  log += entries;
}

std::string log_of(uint8_t kind, std::string_view rest, const std::string& good) {
  switch (kind % 4) {
    case 0:
      return std::string(rest);
    case 1:
      return log_file_head(1, 0) + std::string(rest);
    case kForged: {
      // Each entry is a byte of its kind, one of its length, and its contents.
      std::string log = log_file_head(1, 0);
      fuzz::Fields fields(rest);
      const uint8_t sequences = fields.byte();
      std::string entries;
      uint32_t count = 0;
      for (std::string_view left = fields.rest(); left.size() >= 2; ++count) {
        const uint32_t bytes = std::min<uint32_t>(static_cast<uint8_t>(left[1]), static_cast<uint32_t>(left.size() - 2));
        entries += left[0];
        entries.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
        entries += left.substr(2, bytes);
        left.remove_prefix(2 + bytes);
      }
      append_batch(entries, count, 0, sequences, log);
      return log;
    }
    default: {
      std::string log = good;
      for (; rest.size() >= 3; rest.remove_prefix(3)) {
        const size_t at = static_cast<uint8_t>(rest[0]) << 8 | static_cast<uint8_t>(rest[1]);
        log[at % log.size()] = rest[2];
      }
      if (!rest.empty()) log.resize(log.size() * static_cast<uint8_t>(rest[0]) / 255);
      return log;
    }
  }
}

// Reads all of the store, and returns how many documents it has.
size_t read_all(const OnlineStore& store) {
  size_t documents = 0;
  uint64_t next = 0;
  store.for_each_document([&](const OnlineDocument& document) {
    require(document.sequence >= next);
    require(!document.id.empty() && document.text);
    next = document.sequence + 1;
    ++documents;
    return true;
  });
  store.find("a", [](const OnlineDocument& document) { require(document.id == "a"); });
  return documents;
}

template <typename Work>
bool guarded(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    fuzz::require_one_line(error);
    require(error.code() == ErrorCode::kInput);
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const StoreFolder folder;
  if (size == 0) return 0;
  folder.set_log(log_of(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1}, folder.good_log()));
  guarded([&] {
    const OnlineStore store = OnlineStore::open(folder.path(), OnlineAccess::kRead, kHow);
    read_all(store);
    store.verify();
  });
  bool kept = false;
  const bool works = guarded([&] {
    OnlineStore store = OnlineStore::open(folder.path(), OnlineAccess::kWrite, kHow);
    read_all(store);
    std::vector<OnlineAnswer> answers;
    const OnlineRequest request{.id = "new", .text = kNewText};
    store.apply({&request, 1}, kNow + 1, answers);
    kept = answers[0].outcome == OnlineOutcome::kDecided && answers[0].decision == Decision::kKeep;
  });
  // What opened for writing is whole again, and has what was answered; unless a forged state says that it expired before it came.
  if (!works || !kept || data[0] % 4 == kForged) return 0;
  require(guarded([&] {
    const OnlineStore store = OnlineStore::open(folder.path(), OnlineAccess::kRead, kHow);
    require(read_all(store) > 0);
    require(store.find("new", [](const OnlineDocument& document) { require(document.text == kNewText); }));
  }));
  return 0;
}
