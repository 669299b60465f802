// The native half of neardup.spark, as the submodule neardup._core.spark: neardup/tools/stages.h and frequency_stages.h over bytes and
// arrays, and neardup/tools/clue_scan.h over columns.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

/// Adds the submodule.
void bind_spark(nanobind::module_& module);

// One file each.
void bind_stages(nanobind::module_& part);
void bind_reduces(nanobind::module_& part);
void bind_frequencies(nanobind::module_& part);
void bind_deciders(nanobind::module_& part);
void bind_rank_filter(nanobind::module_& part);
void bind_lines(nanobind::module_& part);
void bind_clue_scan(nanobind::module_& part);

}  // namespace neardup::python
