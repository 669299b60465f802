// A deterministic history of an online store, and what a store holds, for tests of crashes.
//
//   store_history create STORE RECIPE
//   store_history run STORE OPERATIONS SEED STATES MARKS
//       works on the store in groups of requests; before each group, the documents that the store has after it are appended to STATES as a
//       line, and afterwards a line "N" to MARKS: N groups are acknowledged. The first line of STATES is the state before.
//   store_history killed STORE OPERATIONS SEED STATES
//       the same without a sync or an acknowledgement; the process ends as a killed one
//   store_history check
//       reads paths of stores from standard input; for each, one line: the documents, as in STATES, or "error: ..."
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "neardup/online_store.h"
#include "support/corpus.h"

namespace neardup {
namespace {

const OnlineStoreRun kHow{.threads = 1, .rows_in_memory = 96};
constexpr uint64_t kNow = 1'000'000'000'000;

std::vector<std::string> make_texts() {
  return testing::make_corpus(11, {.originals = 400, .words = 40, .vocabulary = 3000, .max_copies = 2});
}

std::string state_of(const OnlineStore& store) {
  std::string line;
  store.for_each_document([&](const OnlineDocument& document) {
    line += std::to_string(document.sequence) + ":" + std::string(document.id) + " ";
    return true;
  });
  return line + "\n";
}

void append(const char* path, const std::string& line) {
  const int file = ::open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) throw std::runtime_error("cannot append");
  ::close(file);
}

// Without `marks`: nothing is synced or acknowledged.
void run(const std::string& folder, size_t operations, uint64_t seed, const char* states, const char* marks) {
  const std::vector<std::string> texts = make_texts();
  std::mt19937_64 random(seed);
  OnlineStoreRun how = kHow;
  if (marks == nullptr) how = {.threads = 1, .sync_interval_ms = 3'600'000};
  OnlineStore store = OnlineStore::open(folder, OnlineAccess::kWrite, how);
  append(states, state_of(store));
  size_t groups = 0;
  for (size_t done = 0; done < operations;) {
    if (marks != nullptr && random() % 60 == 0) {
      store.compact(kNow);
    } else if (random() % 8 == 0) {
      const std::string id = "d" + std::to_string(random() % 500);
      const std::string_view ids[] = {id};
      std::vector<bool> deleted;
      store.remove(ids, kNow, deleted);
      ++done;
    } else {
      std::vector<std::string> ids;
      std::vector<OnlineRequest> requests;
      const size_t count = 1 + random() % 12;
      for (size_t i = 0; i < count; ++i) ids.push_back("d" + std::to_string(random() % 500));
      for (size_t i = 0; i < count; ++i) {
        requests.push_back({.id = ids[i], .text = texts[random() % texts.size()], .replace = random() % 3 == 0});
      }
      std::vector<OnlineAnswer> answers;
      store.apply(requests, kNow, answers);
      done += count;
    }
    // The group is acknowledged only now; the state may be on the disk before.
    append(states, state_of(store));
    if (marks != nullptr) append(marks, std::to_string(++groups) + "\n");
  }
  if (marks == nullptr) ::_exit(0);
}

// Every document must also be found: as the copy of itself.
std::string check(const std::string& folder) {
  OnlineStore store = OnlineStore::open(folder, OnlineAccess::kWrite, kHow);
  store.verify();
  std::vector<std::string> ids;
  std::vector<std::string> texts;
  store.for_each_document([&](const OnlineDocument& document) {
    ids.emplace_back(document.id);
    texts.emplace_back(document.text.value_or(""));
    return true;
  });
  std::vector<OnlineRequest> questions;
  for (const std::string& text : texts) questions.push_back({.id = "", .text = text, .insert = false});
  std::vector<OnlineAnswer> answers;
  store.apply(questions, kNow, answers);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (answers[i].keeper_id != ids[i]) throw std::runtime_error("'" + ids[i] + "' finds '" + answers[i].keeper_id + "' and not itself");
  }
  return state_of(store);
}

int main_of(const std::vector<std::string>& words) {
  if (words.size() == 3 && words[0] == "create") {
    OnlineStore::create(words[1], {.recipe = words[2], .max_distance = 3}, kHow);
    return 0;
  }
  if (words.size() == 6 && words[0] == "run") {
    run(words[1], std::stoul(words[2]), std::stoull(words[3]), words[4].c_str(), words[5].c_str());
    return 0;
  }
  if (words.size() == 5 && words[0] == "killed") run(words[1], std::stoul(words[2]), std::stoull(words[3]), words[4].c_str(), nullptr);
  if (words.size() == 1 && words[0] == "check") {
    for (std::string folder; std::getline(std::cin, folder);) {
      std::string line;
      try {
        line = check(folder);
      } catch (const std::exception& error) {
        line = std::string("error: ") + error.what() + "\n";
      }
      std::cout << line << std::flush;
    }
    return 0;
  }
  std::cerr << "usage: store_history create|run|check ...\n";
  return 2;
}

}  // namespace
}  // namespace neardup

int main(int count, char** words) {
  try {
    return neardup::main_of(std::vector<std::string>(words + 1, words + count));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
