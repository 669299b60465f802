// The umbrella header. One call turns texts into verdicts:
//
//   neardup::Options options;
//   options.threshold = 0.8;
//   for (const neardup::TextVerdict& verdict : neardup::dedup_texts(texts, options)) { ... }
//
// Further headers:
//   texts.h            texts that the program holds already
//   io.h, dedup.h      files, archives and databases in, files out: open_source(), make_document_sink(), dedup(); pairs.h: pairs()
//   source.h, sink.h   your own inputs and outputs
//   options.h          every knob of a run; recipe.h: what a text is compared by
//   sketcher.h         features, signatures and fingerprints of single texts; compare.h: two texts measured
//   hamming_index.h    fingerprints in memory, all within a distance; hamming_store.h: the same in a folder, with additions and removals
//   clue_index.h       texts that contain a passage, or something close to it, in a folder
//   jieba.h            Chinese words, their places and parts of speech, keywords; user words
//   error.h, stop.h    exceptions, and stopping a run
// docs/library.md has a page of examples. Headers in tools/ serve single commands of the program, and may change with them.
//
// io.h is implemented by the library neardup::neardup, all others by neardup::core as well.
#pragma once

#include "neardup/clue_index.h"
#include "neardup/compare.h"
#include "neardup/dedup.h"
#include "neardup/document.h"
#include "neardup/error.h"
#include "neardup/fingerprint.h"
#include "neardup/hamming_index.h"
#include "neardup/hamming_store.h"
#include "neardup/io.h"
#include "neardup/jieba.h"
#include "neardup/options.h"
#include "neardup/pairs.h"
#include "neardup/recipe.h"
#include "neardup/sink.h"
#include "neardup/sketcher.h"
#include "neardup/source.h"
#include "neardup/stop.h"
#include "neardup/texts.h"
