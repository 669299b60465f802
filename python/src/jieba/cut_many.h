// cut_many(): the words of many texts, cut by several threads while the calling one makes strings of them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "neardup/jieba.h"

namespace neardup::python {

/// The list of the lists of words, in the order of the iterable `texts`. `threads` 0: all cores. See text_line.h for memory, errors and
/// signals. Use with the lock of the interpreter.
nanobind::object cut_many(const Jieba& jieba, nanobind::handle texts, Jieba::CutMode mode, bool hmm, uint32_t threads);

}  // namespace neardup::python
