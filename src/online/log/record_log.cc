#include "online/log/record_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "neardup/error.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kLogKind = "log";
constexpr uint64_t kManifestVersion = 1;
constexpr size_t kCopyBatch = size_t{1} << 20;  // bytes

[[noreturn]] void fail_write(const std::string& path, int error) {
  throw Error(ErrorCode::kOutput, fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

void write_all(int file, std::string_view bytes, uint64_t at, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail_write(path, done == 0 ? ENOSPC : errno);
    bytes.remove_prefix(static_cast<size_t>(done));
    at += static_cast<uint64_t>(done);
  }
}

void sync_data(int file, const std::string& path) {
  if (::fdatasync(file) != 0) fail_write(path, errno);
}

// So that the names in it survive a power loss.
void sync_names(const std::string& folder) {
  if (const int error = sync_folder(folder); error != 0) fail_write(folder, error);
}

FileDescriptor create_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) fail_write(path, errno);
  return FileDescriptor(file);
}

std::string log_name(uint64_t number) {
  return fmt::format("log-{:06}.ndl", number);
}

// The head, and the batch with the state.
std::string first_bytes(uint64_t number, uint64_t begin, const LogState& state) {
  LogBatch batch;
  batch.put(state);
  std::string bytes = log_file_head(number, begin);
  bytes += batch.seal(begin, begin, begin, number, bytes.size());
  return bytes;
}

std::string to_json(const std::string& settings, const std::vector<uint64_t>& files, const std::vector<uint64_t>& replaced, uint64_t next) {
  return json::serialize(json::object{{"version", kManifestVersion},
                                      {"settings", settings},
                                      {"files", json::value_from(files)},
                                      {"replaced", json::value_from(replaced)},
                                      {"next", next}});
}

struct LogManifest {
  std::string settings;
  std::vector<uint64_t> files;
  std::vector<uint64_t> replaced;
  uint64_t next = 1;
};

LogManifest read_log_manifest(const std::string& path) {
  const auto file = SegmentFile::open(path, kLogKind, 0);
  file->verify_all(1);
  const auto refuse = [&](const std::string& what) { throw Error(ErrorCode::kInput, fmt::format("'{}': {}", path, what)); };
  boost::system::error_code error;
  const json::value value = json::parse(file->payload(), error);
  if (error || !value.is_object()) refuse("the list of files is not a JSON object");
  const json::object& object = value.as_object();
  const auto number_of = [&](const json::value* at) -> uint64_t {
    if (at == nullptr || !at->is_number()) refuse("a number is missing");
    boost::system::error_code problem;
    const auto number = at->to_number<uint64_t>(problem);
    if (problem) refuse("a number is out of bounds");
    return number;
  };
  if (const uint64_t version = number_of(object.if_contains("version")); version != kManifestVersion)
    refuse(fmt::format("version {}, this program reads version {}", version, kManifestVersion));
  LogManifest manifest;
  const json::value* const settings = object.if_contains("settings");
  if (settings == nullptr || !settings->is_string()) refuse("the settings are missing");
  manifest.settings = settings->as_string();
  manifest.next = number_of(object.if_contains("next"));
  for (const auto& [key, list] : {std::pair("files", &manifest.files), std::pair("replaced", &manifest.replaced)}) {
    const json::value* const numbers = object.if_contains(key);
    if (numbers == nullptr || !numbers->is_array()) refuse(fmt::format("'{}' is not a list", key));
    for (const json::value& number : numbers->as_array()) {
      list->push_back(number_of(&number));
      if (list->back() >= manifest.next) refuse(fmt::format("file {} of {}", list->back(), manifest.next));
    }
  }
  if (manifest.files.empty()) refuse("no file is listed");
  file->check();
  return manifest;
}

}  // namespace

void RecordLog::create(const std::string& folder, const std::string& settings) {
  std::error_code error;
  if (!fs::create_directory(folder, error)) throw Error(ErrorCode::kOutput, fmt::format("cannot create '{}': {}", folder, error.message()));
  const std::string path = folder + "/" + log_name(1);
  const FileDescriptor file = create_file(path);
  write_all(file.get(), first_bytes(1, 0, {}), 0, path);
  sync_data(file.get(), path);
  sync_names(folder);
  SegmentWriter manifest(folder + "/MANIFEST", {.kind = std::string(kLogKind)});
  manifest.append(to_json(settings, {1}, {}, 2));
  manifest.commit();
}

RecordLog::RecordLog(std::string folder, Access access) : folder_(std::move(folder)), access_(access) {
  const std::string path = folder_ + "/MANIFEST";
  constexpr int kAttempts = 20;
  for (int attempt = 0;; ++attempt) {
    LogManifest manifest = read_log_manifest(path);
    files_.clear();
    replaced_.clear();
    by_number_.clear();
    try {
      for (const uint64_t number : manifest.files) files_.push_back(open_listed(number));
      for (const uint64_t number : manifest.replaced) replaced_.push_back(open_listed(number));
    } catch (const Error&) {
      // The writer may have dropped files since the manifest was read: then there is a new one.
      if (access == Access::kWrite || attempt == kAttempts || read_log_manifest(path).files == manifest.files) throw;
      continue;
    }
    settings_ = std::move(manifest.settings);
    next_number_ = manifest.next;
    break;
  }
  for (const auto* const list : {&files_, &replaced_}) {
    for (const LogFilePointer& file : *list) by_number_[file->number] = file;
  }
  active_ = files_.back();
  if (access_ == Access::kWrite) sweep();
}

std::string RecordLog::path_of(uint64_t number) const {
  return folder_ + "/" + log_name(number);
}

RecordLog::LogFilePointer RecordLog::open_listed(uint64_t number) const {
  auto file = std::make_shared<LogFile>();
  file->number = number;
  file->path = path_of(number);
  const int descriptor = ::open(file->path.c_str(), (access_ == Access::kWrite ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (descriptor < 0) throw Error(ErrorCode::kInput, fmt::format("cannot read '{}': {}", file->path, std::strerror(errno)));
  file->file = FileDescriptor(descriptor);
  file->begin = LogScan(file->path, number).begin();
  return file;
}

// Files that no manifest lists are left of a writer that was killed.
void RecordLog::sweep() const {
  std::error_code error;
  std::vector<fs::path> unlisted;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool partial = name.starts_with(".MANIFEST.") && name.ends_with(".partial");
    uint64_t number = 0;
    if (name.starts_with("log-")) std::from_chars(name.data() + 4, name.data() + name.size(), number);
    if (partial || (number != 0 && log_name(number) == name && !by_number_.contains(number))) unlisted.push_back(at->path());
  }
  for (const fs::path& path : unlisted) fs::remove(path, error);
}

void RecordLog::replay(uint64_t from, const LogVisitor& visitor) {
  auto first = std::ranges::upper_bound(files_, from, {}, [](const LogFilePointer& file) { return file->begin; });
  if (first != files_.begin()) --first;
  const LogEnd last = scan({first, files_.end()}, (*first)->begin, visitor);
  // Another process may be writing at this moment.
  if (access_ == Access::kWrite) {
    at_ = last.good_bytes;
    if (at_ != last.file_bytes && ::ftruncate(active_->file.get(), static_cast<off_t>(at_)) != 0) fail_write(active_->path, errno);
    // What a killed writer wrote may have reached the system and not the disk.
    sync_data(active_->file.get(), active_->path);
  }
  if (last.sequence < from)
    throw Error(ErrorCode::kInput, fmt::format("'{}' ends at {}, and the tables of the store go to {}; restore a copy of the store",
                                               folder_, last.sequence, from));
  end_ = last.sequence;
}

// Files that follow one another from `begin` on; the last one may have a torn end.
RecordLog::LogEnd RecordLog::scan(std::span<const LogFilePointer> files, uint64_t begin, const LogVisitor& visitor) {
  for (size_t i = 0;; ++i) {
    LogScan scan(files[i]->path, files[i]->number);
    if (scan.begin() != begin)
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}' begins at {}, and the file before it ends at {}", files[i]->path, scan.begin(), begin));
    scan.visit(visitor);
    begin = scan.good_end();
    if (i + 1 == files.size()) {
      scan.require_torn();
      return {begin, scan.good_bytes(), scan.file_bytes()};
    }
    scan.require_whole();
  }
}

void RecordLog::require_sound() const {
  if (failed_) throw Error(ErrorCode::kOutput, fmt::format("cannot write in '{}': a write failed before", folder_));
}

void RecordLog::write(LogBatch& batch, uint64_t end, uint64_t durable) {
  require_sound();
  const std::string_view bytes = batch.seal(end_, end, durable, active_->number, at_);
  try {
    write_all(active_->file.get(), bytes, at_, active_->path);
  } catch (const Error&) {
    failed_ = true;
    throw;
  }
  batch_at_ = at_;
  at_ += bytes.size();
  end_ = end;
}

void RecordLog::sync() {
  require_sound();
  const LogFilePointer file = [&] {
    const std::shared_lock lock(mutex_);
    return active_;
  }();
  if (::fdatasync(file->file.get()) == 0) return;
  const int error = errno;
  failed_ = true;  // what the system dropped is not written by another try
  fail_write(file->path, error);
}

void RecordLog::rotate(const LogState& state) {
  require_sound();
  const std::lock_guard changing(changing_);
  const uint64_t number = next_number_;
  auto next = std::make_shared<LogFile>();
  next->number = number;
  next->begin = end_;
  next->path = path_of(number);
  ::unlink(next->path.c_str());  // of a rotation that failed
  next->file = create_file(next->path);
  const std::string bytes = first_bytes(number, end_, state);
  write_all(next->file.get(), bytes, 0, next->path);
  sync_data(next->file.get(), next->path);
  sync_names(folder_);
  std::vector<LogFilePointer> files = files_;
  files.push_back(next);
  next_number_ = number + 1;
  write_own_manifest(files, replaced_);
  const std::unique_lock lock(mutex_);
  files_ = std::move(files);
  by_number_[number] = next;
  active_ = next;
  at_ = bytes.size();
  constexpr auto kLongEnough = std::chrono::minutes(1);
  if (!retired_.empty() && std::chrono::steady_clock::now() - retired_at_ > kLongEnough) retire_locked({});
}

// Which of two lists the disk has is unknown after a failure.
void RecordLog::write_own_manifest(const std::vector<LogFilePointer>& files, const std::vector<LogFilePointer>& replaced) {
  try {
    write_manifest(folder_, files, replaced);
    sync_names(folder_);
  } catch (const Error&) {
    failed_ = true;
    throw;
  }
}

void RecordLog::write_manifest(const std::string& folder, const std::vector<LogFilePointer>& files,
                               const std::vector<LogFilePointer>& replaced) const {
  const auto numbers = [](const std::vector<LogFilePointer>& list) {
    std::vector<uint64_t> all;
    all.reserve(list.size());
    for (const LogFilePointer& file : list) all.push_back(file->number);
    return all;
  };
  SegmentWriter writer(folder + "/MANIFEST", {.kind = std::string(kLogKind)});
  writer.append(to_json(settings_, numbers(files), numbers(replaced), next_number_));
  writer.commit();
}

RecordLog::LogFilePointer RecordLog::file_of(uint64_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end())
    throw Error(ErrorCode::kInput,
                fmt::format("'{}' has no file {}, which the tables name; 'neardup store repair' makes them again", folder_, number));
  return found->second;
}

std::string RecordLog::name_of(const RecordPlace& place) const {
  return fmt::format("'{}', byte {}", path_of(place.file()), place.offset());
}

StoredDocument RecordLog::read(const RecordPlace& place, Space& space) const {
  const LogFilePointer file = file_of(place.file());
  space.bytes.resize(place.bytes);
  for (size_t done = 0; done < space.bytes.size();) {
    const ssize_t got =
        ::pread(file->file.get(), space.bytes.data() + done, space.bytes.size() - done, static_cast<off_t>(place.offset() + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(ErrorCode::kInput, fmt::format("cannot read {}: {}", name_of(place), std::strerror(errno)));
    if (got == 0) throw Error(ErrorCode::kInput, fmt::format("{}: the file ends in a record", name_of(place)));
    done += static_cast<size_t>(got);
  }
  return read_document(space.bytes, name_of(place));
}

RecordLog::Copy::Copy(RecordLog& log, uint64_t number) : log_(log), number_(number), path_(log.path_of(number)) {
  ::unlink(path_.c_str());
  file_ = create_file(path_);
  const std::string head = log_file_head(number, 0);
  write_all(file_.get(), head, 0, path_);
  at_ = head.size();
}

RecordLog::Copy::~Copy() {
  if (!installed_) ::unlink(path_.c_str());
}

RecordPlace RecordLog::Copy::add(const StoredDocument& document) {
  if (batch_.bytes() > kCopyBatch) flush(last_ + 1);
  last_ = document.sequence;
  return batch_.place(batch_.put(document), number_, at_);
}

void RecordLog::Copy::flush(uint64_t end) {
  const std::string_view bytes = batch_.seal(end_, end, end_, number_, at_);
  write_all(file_.get(), bytes, at_, path_);
  at_ += bytes.size();
  end_ = end;
  batch_.clear();
}

std::unique_ptr<RecordLog::Copy> RecordLog::copy() {
  require_sound();
  const std::lock_guard changing(changing_);
  return std::make_unique<Copy>(*this, next_number_++);
}

void RecordLog::install(Copy& copy, uint64_t end) {
  copy.flush(end);
  sync_data(copy.file_.get(), copy.path_);
  sync_names(folder_);
  auto made = std::make_shared<LogFile>();
  made->number = copy.number_;
  made->begin = 0;
  made->path = copy.path_;
  made->file = std::move(copy.file_);
  const std::lock_guard changing(changing_);
  std::vector<LogFilePointer> files{made};
  std::vector<LogFilePointer> replaced = replaced_;
  for (const LogFilePointer& file : files_) (file->begin < end ? replaced : files).push_back(file);
  copy.installed_ = true;  // also if the list may be on the disk
  write_own_manifest(files, replaced);
  const std::unique_lock lock(mutex_);
  files_ = std::move(files);
  replaced_ = std::move(replaced);
  by_number_[made->number] = made;
}

void RecordLog::drop_replaced() {
  const std::lock_guard changing(changing_);
  write_own_manifest(files_, {});
  const std::unique_lock lock(mutex_);
  for (const LogFilePointer& file : replaced_) ::unlink(file->path.c_str());
  retire_locked(std::exchange(replaced_, {}));
}

void RecordLog::retire_locked(std::vector<LogFilePointer> files) {
  for (const LogFilePointer& file : retired_) by_number_.erase(file->number);
  retired_ = std::move(files);
  retired_at_ = std::chrono::steady_clock::now();
}

void RecordLog::verify(const LogVisitor& visitor) const {
  std::vector<LogFilePointer> files;
  {
    const std::shared_lock lock(mutex_);
    files = files_;
  }
  scan(files, 0, visitor);
}

void RecordLog::copy_to(const std::string& folder) const {
  const std::lock_guard changing(changing_);
  std::error_code error;
  if (!fs::create_directory(folder, error)) throw Error(ErrorCode::kOutput, fmt::format("cannot create '{}': {}", folder, error.message()));
  std::vector<LogFilePointer> all = files_;
  all.insert(all.end(), replaced_.begin(), replaced_.end());
  for (const LogFilePointer& file : all) {
    const std::string to = folder + "/" + log_name(file->number);
    // Only the last one changes.
    if (file != active_) fs::create_hard_link(file->path, to, error);
    if (file == active_ || error) {
      fs::copy_file(file->path, to, error);
      if (!error) sync_data(open_file(to).get(), to);
    }
    if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot copy '{}' to '{}': {}", file->path, to, error.message()));
  }
  write_manifest(folder, files_, replaced_);
  sync_names(folder);
}

uint64_t RecordLog::disk_bytes() const {
  const std::shared_lock lock(mutex_);
  uint64_t bytes = 0;
  for (const auto* const list : {&files_, &replaced_}) {
    for (const LogFilePointer& file : *list) {
      struct stat found {};
      if (::fstat(file->file.get(), &found) == 0) bytes += static_cast<uint64_t>(found.st_size);
    }
  }
  return bytes;
}

}  // namespace neardup
