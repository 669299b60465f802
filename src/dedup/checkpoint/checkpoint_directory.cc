#include "dedup/checkpoint/checkpoint_directory.h"

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

// 1: decisions that name other keepers; 2: rejected records among the documents; 3: sizes whose K, M, G and T are powers of 1024
constexpr uint32_t kFormat = 4;
constexpr std::string_view kRunFile = "RUN";
constexpr std::string_view kKind = "run";

// Prefixes of the files that a run makes.
constexpr std::array<std::string_view, 9> kOwnFiles{"COMMAND.",  "RUN.",     "fitted-",   "sketch-", "grouped-",
                                                    "features-", "decided-", "verdicts.", "summary."};

// These change how a run works or when it fails, not its result; what clean changes is part of the recipes, which are compared.
constexpr std::array<std::string_view, 8> kFree{"clean",  "memory",      "threads",     "temp_dir",
                                                "strict", "max_rejects", "max_removed", "max_cluster"};

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

[[noreturn]] void refuse(const std::string& directory, const std::string& what) {
  throw Error(ErrorCode::kUsage, fmt::format("the run in '{}' cannot continue: {}", directory, what));
}

// An older program, which did not have the option, did what its default does; else the format would be another one.
void check_new_setting(const std::string& directory, const RunIdentity::Member& member) {
  const auto rows = option_table();
  const auto row = std::ranges::find(rows, member.name, &OptionRow::name);
  if (row != rows.end() && row->get(Options()) == member.value) return;
  refuse(directory, fmt::format("it was begun by a version without '{}', which is '{}' now", member.name, member.value));
}

// `auto` is the input order of measure 'jaccard', which older programs call by its own name.
std::string setting_of(const OptionRow& row, const Options& options) {
  if (row.name == "keep" && options.keep == "auto" && options.measure == Measure::kJaccard) return "first";
  return row.get(options);
}

void check_settings(const std::string& directory, const RunIdentity& before, const RunIdentity& now) {
  size_t missing = 0;
  for (const auto& member : now.settings) {
    const auto found = std::ranges::find(before.settings, member.name, &RunIdentity::Member::name);
    if (found == before.settings.end()) {
      check_new_setting(directory, member);
      ++missing;
      continue;
    }
    if (found->value != member.value)
      refuse(directory, fmt::format("{} was '{}' when it began and is '{}' now", member.name, found->value, member.value));
  }
  if (before.settings.size() + missing != now.settings.size()) refuse(directory, "it was begun by a version with other options");
}

void check_sources(const std::string& directory, const RunIdentity& before, const RunIdentity& now,
                   const std::vector<uint32_t>& extend_after) {
  for (size_t i = 0; i < before.sources.size(); ++i) {
    const auto& was = before.sources[i];
    if (i >= now.sources.size() || now.sources[i].name != was.name) {
      const std::string_view there = i < now.sources.size() ? std::string_view(now.sources[i].name) : std::string_view();
      refuse(directory, there.empty() ? fmt::format("input {}, '{}', is missing", i + 1, was.name)
                                      : fmt::format("input {} was '{}' and is '{}' now", i + 1, was.name, there));
    }
    if (now.sources[i].value != was.value) {
      refuse(directory, fmt::format("'{}' changed: it had {} and now has {}", was.name, was.value, now.sources[i].value));
    }
  }
  const bool extended = std::ranges::find(extend_after, before.sources.size()) != extend_after.end();
  if (now.sources.size() > before.sources.size() && !extended) {
    refuse(directory,
           fmt::format("'{}' was not an input of this run; remove it, or add it with --add", now.sources[before.sources.size()].name));
  }
}

}  // namespace

void require_extensible(const Recipe& recipe, const std::string& directory) {
  if (!recipe.needs_fitting()) return;
  throw Error(ErrorCode::kUsage, fmt::format("recipe '{}' weighs by the IDF of the corpus itself: with more documents every weight is "
                                             "another one, and nothing of the run in '{}' can be used",
                                             recipe.name, directory));
}

RunIdentity::RunIdentity(const Options& options, const std::vector<const Recipe*>& recipes, uint32_t reference_sources,
                         const DocumentSource& source) {
  for (size_t i = 0; i < recipes.size(); ++i) {
    settings.push_back({i == 0 ? "the recipe" : "the second recipe", fmt::format("{} ({:016x})", recipes[i]->name, recipes[i]->id())});
  }
  for (const OptionRow& row : option_table()) {
    if (std::ranges::find(kFree, row.name) == kFree.end()) settings.push_back({std::string(row.name), setting_of(row, options)});
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
  } catch (const std::exception& error) {  // of several types, depending on the fault in the JSON
    throw Error(ErrorCode::kInput, fmt::format("'{}' does not describe a run: {}", name, error.what()));
  }
}

std::unique_ptr<const FolderLock> lock_checkpoint_directory(const std::string& directory, bool shared) {
  return std::make_unique<const FolderLock>(directory, "the run in", shared);
}

CheckpointDirectory::CheckpointDirectory(std::string path, const RunIdentity& identity, const std::vector<uint32_t>& extend_after, Use use)
    : path_(std::move(path)),
      use_(use),
      lock_(use == Use::kHeld || use == Use::kRead ? nullptr : lock_checkpoint_directory(path_, use == Use::kShared)) {
  const bool owned = use == Use::kAlone || use == Use::kHeld;
  if (owned) {
    // Partial files of killed programs. Partial files of outputs in this directory are left alone.
    for (const std::string_view own : kOwnFiles) {
      for (const std::string& partial : files("." + std::string(own), ".partial")) remove(partial);
    }
  }
  if (!has(kRunFile)) {
    if (!owned) throw Error(ErrorCode::kUsage, fmt::format("there is no run in '{}'", path_));
    begin(identity);
    return;
  }
  const RunIdentity before = load();
  check_settings(path_, before, identity);
  check_sources(path_, before, identity, extend_after);
  if (identity.sources.size() == before.sources.size()) return;
  // The record of the old run first: nobody may take it for that of the new one.
  for (const std::string_view record : {"verdicts.seg", "summary.json"}) remove(record);
  // Then the last decision, which the new documents affect: if the program ends here, the old run is decided again. Full slices
  // keep their decisions.
  if (const auto decided = files("decided-", kPartSuffix); !decided.empty()) remove(decided.back());
  for (const std::string_view pass : {"grouped-", "features-"}) {
    for (const std::string& part : files(pass, kPartSuffix)) remove(part);
  }
  for (const std::string& table : files("fitted-", ".idf")) remove(table);
  begin(identity);
}

void CheckpointDirectory::begin(const RunIdentity& identity) const {
  SegmentWriter writer(file(kRunFile), {.kind = std::string(kKind)});
  writer.append(identity.to_json());
  writer.set_entries(identity.sources.size());
  writer.commit();
}

RunIdentity CheckpointDirectory::load() const {
  const auto file = SegmentFile::open(this->file(kRunFile), kKind, 0);
  file->verify_all(1);
  RunIdentity identity = RunIdentity::parse(file->payload(), file->name());
  file->check();
  return identity;
}

bool CheckpointDirectory::has(std::string_view name) const {
  return path_kind(file(name)) != PathKind::kMissing;
}

std::vector<std::string> CheckpointDirectory::files(std::string_view prefix, std::string_view suffix) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().native();
    if (name.starts_with(prefix) && name.ends_with(suffix)) names.push_back(std::move(name));
  }
  if (error) throw Error(ErrorCode::kInput, fmt::format("cannot read the checkpoint directory '{}': {}", path_, error.message()));
  std::ranges::sort(names);
  return names;
}

void CheckpointDirectory::discard(std::string_view name) const {
  if (use_ == Use::kAlone || use_ == Use::kHeld) remove(name);
}

void CheckpointDirectory::remove(std::string_view name) const {
  std::error_code error;
  fs::remove(file(name), error);
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot remove '{}': {}", file(name), error.message()));
}

std::string part_name(std::string_view pass, uint64_t first_batch) {
  return fmt::format("{}-{:010}{}", pass, first_batch, kPartSuffix);
}

std::unique_ptr<const SegmentFile> open_part(const CheckpointDirectory& directory, std::string_view pass, const std::string& name,
                                             uint64_t recipe_id) {
  auto file = SegmentFile::open(directory.file(name), pass, 0);
  file->verify_all(1);
  if (file->recipe_id() != recipe_id) throw Error(ErrorCode::kInput, fmt::format("'{}' is of another recipe", file->name()));
  if (name != part_name(pass, file->entries())) throw Error(ErrorCode::kInput, fmt::format("'{}' has another name", file->name()));
  return file;
}

}  // namespace neardup
