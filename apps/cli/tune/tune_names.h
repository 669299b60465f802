// Names of what tune counts, the same in its page and its JSON.
#pragma once

#include <array>
#include <string_view>

#include "neardup/tools/tune.h"

namespace neardup::cli {

/// In the order of TuneCorpus::Script.
inline constexpr std::array<std::string_view, TuneCorpus::kScripts> kScriptNames{"latin", "han", "kana", "hangul", "cyrillic", "other"};

}  // namespace neardup::cli
