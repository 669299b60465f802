// What the tests of the jieba parts share: the dictionary of this build, and the golden outputs of the Python package.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "neardup/error.h"
#include "support/project_files.h"
#include "text/jieba/dictionary/jieba_dictionary.h"

namespace neardup::testing {

/// Null if this build has none; opened once.
inline const JiebaDictionary* real_dictionary() {
  static const std::unique_ptr<const JiebaDictionary> dictionary = []() -> std::unique_ptr<const JiebaDictionary> {
    try {
      return std::make_unique<const JiebaDictionary>(JiebaDictionary::open(find_jieba_dictionary()));
    } catch (const Error&) {
      return nullptr;
    }
  }();
  return dictionary.get();
}

inline std::filesystem::path golden_file(const std::string& name) {
  return shared_folder() / "golden" / name;
}

}  // namespace neardup::testing

#define NEARDUP_NEEDS_DICTIONARY()                          \
  ASSERT_NE(::neardup::testing::real_dictionary(), nullptr) \
      << "no dictionary of Chinese words: install python3-jieba (scripts/setup.sh build), then configure and build again"
