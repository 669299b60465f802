// Skips for the reasons that scripts/count_tests.py can allow, by the tag in brackets. A skip without such a tag counts as a failure: what
// scripts/setup.sh installs must be there.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

/// For tests that compare with a file of the shared data sets.
#define NEARDUP_NEEDS_SHARED(path)    \
  if (!std::filesystem::exists(path)) \
  GTEST_SKIP() << "[shared] no " << (path) << "; NEARDUP_SHARED names the folder that has data/ and golden/"

/// For tests of missing permissions.
#define NEARDUP_NEEDS_ORDINARY_USER() \
  if (geteuid() == 0) GTEST_SKIP() << "[user] permissions do not stop root"
