// What a Sketcher's scratch holds of the stages before the sketch; and small helpers of the sketcher's files.
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "features/weighting.h"
#include "neardup/sketcher.h"
#include "sketch/python_simhash.h"
#include "sketch/text_chain.h"

namespace neardup {

struct Sketcher::Scratch::Stages {
  TextChain::Scratch text;
  std::string_view normalized;  // of the last text
  std::vector<Keyword> keywords;
  Weighter::Scratch weighter;
  std::vector<PythonToken> python_tokens;
};

/// Of well-formed UTF-8.
inline size_t count_code_points(std::string_view text) noexcept {
  size_t count = 0;
  for (const char byte : text) count += (static_cast<uint8_t>(byte) & 0xC0) != 0x80;
  return count;
}

}  // namespace neardup
