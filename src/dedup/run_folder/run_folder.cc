#include "dedup/run_folder/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "base/open_file.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr uint32_t kFormat = 3;  // 1: decisions that name other keepers; 2: rejected records among the documents
constexpr std::string_view kRunFile = "RUN";
constexpr std::string_view kKind = "run";

// How the names of the files begin that a run leaves there.
constexpr std::array<std::string_view, 7> kOwnFiles{"COMMAND.", "RUN.", "fitted-", "sketch-", "grouped-", "features-", "decided-"};

// These change how a run works or when it fails, not what it gives.
constexpr std::array<std::string_view, 5> kFree{"memory", "threads", "temp_dir", "strict", "max_rejects"};

json::array to_json(const std::vector<RunIdentity::Member>& members) {
  json::array array;
  for (const auto& member : members) array.push_back(json::object{{"name", member.name}, {"value", member.value}});
  return array;
}

std::vector<RunIdentity::Member> members_of(const json::value& array) {
  std::vector<RunIdentity::Member> members;
  for (const json::value& each : array.as_array()) {
    const json::object& object = each.as_object();
    members.push_back({json::value_to<std::string>(object.at("name")), json::value_to<std::string>(object.at("value"))});
  }
  return members;
}

[[noreturn]] void refuse(const std::string& folder, const std::string& what) {
  throw Error(ErrorCode::kUsage, fmt::format("the run in '{}' cannot continue: {}", folder, what));
}

void check_settings(const std::string& folder, const RunIdentity& before, const RunIdentity& now) {
  for (const auto& member : now.settings) {
    const auto found = std::ranges::find(before.settings, member.name, &RunIdentity::Member::name);
    if (found == before.settings.end()) refuse(folder, fmt::format("it was begun by a program that had no '{}'", member.name));
    if (found->value != member.value)
      refuse(folder, fmt::format("{} was '{}' when it began, and is '{}' now", member.name, found->value, member.value));
  }
  if (before.settings.size() != now.settings.size()) refuse(folder, "it was begun by a program that had other options");
}

void check_sources(const std::string& folder, const RunIdentity& before, const RunIdentity& now,
                   const std::vector<uint32_t>& extend_after) {
  for (size_t i = 0; i < before.sources.size(); ++i) {
    const auto& was = before.sources[i];
    if (i >= now.sources.size() || now.sources[i].name != was.name) {
      const std::string_view there = i < now.sources.size() ? std::string_view(now.sources[i].name) : std::string_view();
      refuse(folder, there.empty() ? fmt::format("input {}, '{}', is missing", i + 1, was.name)
                                   : fmt::format("input {} was '{}', and is '{}' now", i + 1, was.name, there));
    }
    if (now.sources[i].value != was.value) {
      refuse(folder, fmt::format("'{}' changed: it had {}, and has {} now", was.name, was.value, now.sources[i].value));
    }
  }
  const bool extended = std::ranges::find(extend_after, before.sources.size()) != extend_after.end();
  if (now.sources.size() > before.sources.size() && !extended) {
    refuse(folder, fmt::format("'{}' was not among its inputs; --add takes more", now.sources[before.sources.size()].name));
  }
}

}  // namespace

void require_extensible(const Recipe& recipe, const std::string& folder) {
  if (!recipe.needs_fitting()) return;
  throw Error(ErrorCode::kUsage, fmt::format("recipe '{}' weighs by the IDF of the corpus itself: with more documents every weight is "
                                             "another one, and nothing of the run in '{}' can be used",
                                             recipe.name, folder));
}

RunIdentity::RunIdentity(const Options& options, const std::vector<const Recipe*>& recipes, uint32_t reference_sources,
                         const DocumentSource& source) {
  for (size_t i = 0; i < recipes.size(); ++i) {
    settings.push_back({i == 0 ? "the recipe" : "the second recipe", fmt::format("{} ({:016x})", recipes[i]->name, recipes[i]->id())});
  }
  for (const OptionRow& row : option_table()) {
    if (std::ranges::find(kFree, row.name) == kFree.end()) settings.push_back({std::string(row.name), row.get(options)});
  }
  settings.push_back({"the number of inputs of --against", fmt::format("{}", reference_sources)});
  for (uint32_t i = 0; i < source.source_count(); ++i) sources.push_back({std::string(source.source_name(i)), source.state_of(i)});
}

std::string RunIdentity::to_json() const {
  return json::serialize(
      json::object{{"format", kFormat}, {"settings", neardup::to_json(settings)}, {"sources", neardup::to_json(sources)}});
}

RunIdentity RunIdentity::parse(std::string_view text, const std::string& name) {
  try {
    const json::value value = json::parse(text);
    const json::object& object = value.as_object();
    if (const auto format = json::value_to<uint32_t>(object.at("format")); format != kFormat) {
      throw Error(ErrorCode::kInput, fmt::format("'{}' has format {}; this program reads format {}", name, format, kFormat));
    }
    RunIdentity identity;
    identity.settings = members_of(object.at("settings"));
    identity.sources = members_of(object.at("sources"));
    return identity;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of several kinds, by what is wrong with the JSON
    throw Error(ErrorCode::kInput, fmt::format("'{}' does not describe a run: {}", name, error.what()));
  }
}

std::unique_ptr<const FolderLock> lock_run_folder(const std::string& folder, bool shared) {
  return std::make_unique<const FolderLock>(folder, "the run in", shared);
}

RunFolder::RunFolder(std::string path, const RunIdentity& identity, const std::vector<uint32_t>& extend_after, Use use)
    : path_(std::move(path)),
      shared_(use == Use::kShared),
      lock_(use == Use::kHeld ? nullptr : lock_run_folder(path_, use == Use::kShared)) {
  if (use != Use::kShared) {
    // Of programs that were killed. An output in this folder may have one too, which is not theirs.
    for (const std::string_view own : kOwnFiles) {
      for (const std::string& partial : files("." + std::string(own), ".partial")) remove(partial);
    }
  }
  if (!has(kRunFile)) {
    if (use == Use::kShared) throw Error(ErrorCode::kUsage, fmt::format("there is no run in '{}'", path_));
    begin(identity);
    return;
  }
  const RunIdentity before = load();
  check_settings(path_, before, identity);
  check_sources(path_, before, identity, extend_after);
  if (identity.sources.size() == before.sources.size()) return;
  // What was decided where the new documents come in goes first: if the program ends here, the old run is decided again. Slices that were
  // full stay as they are.
  if (const auto decided = files("decided-", kPartSuffix); !decided.empty()) remove(decided.back());
  for (const std::string_view pass : {"grouped-", "features-"}) {
    for (const std::string& part : files(pass, kPartSuffix)) remove(part);
  }
  for (const std::string& table : files("fitted-", ".idf")) remove(table);
  begin(identity);
}

void RunFolder::begin(const RunIdentity& identity) const {
  SegmentWriter writer(file(kRunFile), {.kind = std::string(kKind)});
  writer.append(identity.to_json());
  writer.set_entries(identity.sources.size());
  writer.commit();
}

RunIdentity RunFolder::load() const {
  const auto file = SegmentFile::open(this->file(kRunFile), kKind, 0);
  file->verify_all(1);
  RunIdentity identity = RunIdentity::parse(file->payload(), file->name());
  file->check();
  return identity;
}

bool RunFolder::has(std::string_view name) const {
  return path_kind(file(name)) != PathKind::kMissing;
}

std::vector<std::string> RunFolder::files(std::string_view prefix, std::string_view suffix) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().native();
    if (name.starts_with(prefix) && name.ends_with(suffix)) names.push_back(std::move(name));
  }
  if (error) throw Error(ErrorCode::kInput, fmt::format("cannot read the folder '{}': {}", path_, error.message()));
  std::ranges::sort(names);
  return names;
}

void RunFolder::discard(std::string_view name) const {
  if (!shared_) remove(name);
}

void RunFolder::remove(std::string_view name) const {
  std::error_code error;
  fs::remove(file(name), error);
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot remove '{}': {}", file(name), error.message()));
}

std::string part_name(std::string_view pass, uint64_t first_batch) {
  return fmt::format("{}-{:010}{}", pass, first_batch, kPartSuffix);
}

std::unique_ptr<const SegmentFile> open_part(const RunFolder& folder, std::string_view pass, const std::string& name, uint64_t recipe_id) {
  auto file = SegmentFile::open(folder.file(name), pass, 0);
  file->verify_all(1);
  if (file->recipe_id() != recipe_id) throw Error(ErrorCode::kInput, fmt::format("'{}' is of another recipe", file->name()));
  if (name != part_name(pass, file->entries())) throw Error(ErrorCode::kInput, fmt::format("'{}' has another name", file->name()));
  return file;
}

}  // namespace neardup
