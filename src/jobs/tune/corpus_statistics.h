// describe_corpus(): what tune says about the documents, one by one: lengths, scripts, markup, code, repeated lines.
#pragma once

#include "jobs/tune/read_corpus.h"
#include "neardup/source.h"
#include "neardup/tools/tune.h"

namespace neardup {

TuneCorpus describe_corpus(const CorpusReading& reading, const DocumentSource& source);

/// A text with fewer characters (white space aside) is short; a Chinese or Japanese one with fewer than half.
inline constexpr uint64_t kShortText = 40;

}  // namespace neardup
