// What `neardup tune` prints for people.
#pragma once

#include <cstddef>
#include <string>

#include "neardup/tools/tune.h"

namespace neardup::cli {

/// Several paragraphs; every byte of the corpus in it is printable(). At most `sources` of the sources are listed, the largest.
std::string tune_page(const TuneResult& result, size_t sources);

}  // namespace neardup::cli
