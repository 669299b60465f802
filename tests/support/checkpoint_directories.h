// CheckpointDirectories: a fixture for tests of what a run leaves in its folder.
#pragma once

#include <string>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "io/io_fixture.h"

namespace neardup::testing {

class CheckpointDirectories : public IoTest {
 protected:
  static RunIdentity identity() {
    RunIdentity made;
    made.settings = {{"threshold", "0.8"}, {"keep", "first"}};
    made.sources = {{"a", "3 bytes"}, {"b", "4 bytes"}};
    return made;
  }
  std::string refusal(const RunIdentity& now, const std::vector<uint32_t>& extend_after = {}) {
    return error_of([&] { const CheckpointDirectory directory(folder_, now, extend_after); });
  }
};

}  // namespace neardup::testing
