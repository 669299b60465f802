#include "text/jieba/dictionary/jieba_dictionary.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <mutex>
#include <system_error>

#include "base/open_file.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_sources.h"
#include "text/utf8/utf8.h"

// Where the dictionary is installed unless the prefix is changed later; cmake/Dictionary.cmake names the place.
#ifndef NEARDUP_DICT_INSTALLED
#define NEARDUP_DICT_INSTALLED ""
#endif

namespace neardup {

using jieba::Slot;

namespace {

constexpr const char* kNextToModule = "jieba.dict";
constexpr const char* kInPrefix = "share/neardup/jieba.dict";
// For programs elsewhere that use the library: of an installation without root, and of the Debian package.
constexpr const char* kInHome = ".local/share/neardup/jieba.dict";
constexpr const char* kOfPackage = "/usr/share/neardup/jieba.dict";

// True if a default place has it; an unreadable folder counts as one without it.
bool has_file(const std::filesystem::path& place) {
  std::error_code ignored;
  return !place.empty() && std::filesystem::is_regular_file(place, ignored);
}

// The folder of the shared object that this code is a part of; empty if it is a part of the program, which the loader gives no name.
std::filesystem::path folder_of_module() {
  Dl_info info{};
  link_map* loaded = nullptr;
  const int found = dladdr1(reinterpret_cast<const void*>(&has_file), &info, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP);
  if (found == 0 || loaded == nullptr || loaded->l_name == nullptr) return {};
  return std::filesystem::path(loaded->l_name).parent_path();
}

// Read, not mapped: its tables are trusted once they are checked, so the file must not change afterwards.
std::string read_dictionary(const std::string& path) {
  return read_file(path, Allow::kRegular, "read the dictionary", jieba::kMaxSourceBytes);
}

}  // namespace

// The owner of the tables: the bytes of a file, or the vectors of a view.
struct JiebaDictionary::Storage {
  std::string bytes;
  Changes changes;
};

JiebaDictionary::JiebaDictionary() = default;
JiebaDictionary::JiebaDictionary(JiebaDictionary&&) noexcept = default;
JiebaDictionary& JiebaDictionary::operator=(JiebaDictionary&&) noexcept = default;
JiebaDictionary::~JiebaDictionary() = default;

JiebaDictionary JiebaDictionary::open(const std::string& path) {
  return from_bytes(read_dictionary(path), path);
}

std::shared_ptr<const JiebaDictionary> JiebaDictionary::open_shared(const std::string& path) {
  static std::mutex mutex;
  static std::shared_ptr<const JiebaDictionary> latest;
  std::string bytes = read_dictionary(path);
  const std::lock_guard lock(mutex);
  if (!latest || latest->storage_->bytes != bytes) latest = std::make_shared<const JiebaDictionary>(from_bytes(std::move(bytes), path));
  return latest;
}

JiebaDictionary JiebaDictionary::from_bytes(std::string bytes, const std::string& name) {
  auto storage = std::make_unique<Storage>();
  storage->bytes = std::move(bytes);
  JiebaDictionary dictionary;
  dictionary.tables_ = jieba::parse(storage->bytes, name);
  dictionary.id_ = jieba::contents_id(storage->bytes);
  dictionary.storage_ = std::move(storage);
  dictionary.derive();
  return dictionary;
}

JiebaDictionary JiebaDictionary::changed(const JiebaDictionary& base, Changes changes) {
  auto storage = std::make_unique<Storage>();
  storage->changes = std::move(changes);
  Changes& own = storage->changes;
  JiebaDictionary dictionary;
  dictionary.tables_ = base.tables_;
  dictionary.tables_.slots = own.slots;
  dictionary.tables_.idf_ids = own.idf_ids;
  dictionary.tables_.counts = own.counts;
  dictionary.tables_.logs = own.logs;
  dictionary.tables_.weights = own.weights;
  dictionary.tables_.total = own.total;
  if (base.has_tags()) {
    dictionary.tables_.tags.names = own.tag_names;
    dictionary.tables_.tags.word_tags = own.word_tags;
  }
  dictionary.id_ = base.id_;
  dictionary.force_split_ = std::move(own.force_split);
  dictionary.storage_ = std::move(storage);
  dictionary.derive();
  return dictionary;
}

void JiebaDictionary::derive() {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  edge_weights_.assign(tables_.weights.begin(), tables_.weights.end());
  edge_weights_[jieba::kNotAKey] = edge_weights_[jieba::kPrefixOnly] = kNone;
  block_codes_.assign(kBlockCodes, 0);
  const size_t codes = tables_.alphabet.size();
  kinds_.assign(codes, Kind::kGap);
  first_bases_.assign(codes, jieba::kNoChildren);
  first_weights_.assign(codes, kNone);
  first_weights_[0] = 0;  // a gap: the route restarts
  for (size_t code = 1; code < codes; ++code) {
    const char32_t c = tables_.alphabet[code];
    if (is_block(c)) {
      block_codes_[c] = static_cast<uint16_t>(code);
      kinds_[code] = c >= kFirstHan ? Kind::kHan : ascii_kind(c);
    } else {
      others_.emplace_back(c, static_cast<uint16_t>(code));
    }
    const Slot slot = tables_.slots[jieba::kRootBase + code];
    if (jieba::label_of(slot) == code) {
      first_bases_[code] = jieba::base_of(slot);
      first_weights_[code] = edge_weights_[jieba::value_of(slot)];
    }
  }
  std::sort(others_.begin(), others_.end());
  labels_.resize(tables_.slots.size() + 1);
  std::transform(tables_.slots.begin(), tables_.slots.end(), labels_.begin(), jieba::label_of);
  trie_ = {.first_bases = first_bases_.data(),
           .first_weights = first_weights_.data(),
           .labels = labels_.data(),
           .slots = tables_.slots.data(),
           .weights = edge_weights_.data(),
           .none = kNone,
           .unknown = tables_.weights[jieba::kPrefixOnly],
           .no_children = jieba::kNoChildren};
}

std::vector<jieba::SectionInfo> JiebaDictionary::sections() const {
  return file_bytes() == 0 ? std::vector<jieba::SectionInfo>() : jieba::list_sections(storage_->bytes);
}

uint64_t JiebaDictionary::file_bytes() const noexcept {
  return storage_->bytes.size();
}

uint16_t JiebaDictionary::code_of(char32_t c) const noexcept {
  if (is_block(c)) return block_codes_[c];
  const auto found = std::lower_bound(others_.begin(), others_.end(), std::pair<char32_t, uint16_t>(c, 0));
  return found != others_.end() && found->first == c ? found->second : uint16_t{0};
}

uint32_t JiebaDictionary::find(std::string_view word) const noexcept {
  uint32_t base = jieba::kRootBase;
  uint32_t node = 0;
  for (size_t at = 0; at < word.size();) {
    const Decoded decoded = decode_utf8(word, at);
    at += decoded.length;
    const uint16_t code = code_of(decoded.code_point);
    node = base + code;
    if (code == 0 || jieba::label_of(tables_.slots[node]) != code) return 0;
    base = jieba::base_of(tables_.slots[node]);
  }
  return node;
}

std::optional<uint64_t> JiebaDictionary::frequency(std::string_view word) const noexcept {
  const uint32_t node = find(word);
  if (node == 0) return std::nullopt;
  const uint32_t value = jieba::value_of(tables_.slots[node]);
  if (value == jieba::kNotAKey) return std::nullopt;
  return tables_.counts[value];
}

std::string find_jieba_dictionary() {
  // A dictionary given by name is never replaced by another one.
  const char* named = std::getenv("NEARDUP_DICT");  // NOLINT(concurrency-mt-unsafe): the environment is never changed
  if (named != nullptr && *named != '\0') {
    if (path_kind(named) != PathKind::kFile) throw Error(ErrorCode::kInput, fmt::format("NEARDUP_DICT: there is no file '{}'", named));
    return named;
  }
  std::vector<std::filesystem::path> places;
  if (const std::filesystem::path module = folder_of_module(); module.is_absolute()) places.push_back(module / kNextToModule);
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) places.push_back(program.parent_path().parent_path() / kInPrefix);
  places.emplace_back(NEARDUP_DICT_INSTALLED);
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): as above
  if (home != nullptr && *home != '\0') places.push_back(std::filesystem::path(home) / kInHome);
  places.emplace_back(kOfPackage);
  for (const auto& place : places) {
    if (has_file(place)) return place.string();
  }
  throw Error(ErrorCode::kInput,
              "no dictionary of Chinese words: install the package python3-jieba, then configure and build neardup again (target "
              "neardup_product); or make one with 'neardup dict build' and name it in NEARDUP_DICT");
}

}  // namespace neardup
