// The extension module neardup._core. What users import is in python/neardup; each part of the library is bound in a file of its own.
#include <nanobind/nanobind.h>

#include "arrow/table.h"
#include "bind_plan.h"
#include "bind_versions.h"
#include "datasketch/bind_datasketch.h"
#include "dedup/bind_dedup.h"
#include "errors.h"
#include "index/bind_clue.h"
#include "index/bind_hamming.h"
#include "index/bind_hamming_store.h"
#include "jieba/bind_jieba.h"
#include "simhash/bind_simhash.h"
#include "sketch/bind_compare.h"
#include "sketch/bind_recipe.h"
#include "sketch/bind_sketch.h"
#include "spark/bind_spark.h"
#include "unlocked.h"

namespace nb = nanobind;

NB_MODULE(_core, module) {
#ifdef NDEBUG
  // Objects that a program holds to its end, such as those of a failed test, are nothing that its user could mend.
  nb::set_leak_warnings(false);
#endif
  neardup::python::wait_for_unlocked_at_exit();
  module.attr("__version__") = NEARDUP_VERSION;
  neardup::python::bind_errors(module);
  neardup::python::bind_recipe(module);
  neardup::python::bind_sketch(module);
  neardup::python::bind_compare(module);
  neardup::python::bind_hamming(module);
  neardup::python::bind_hamming_store(module);
  neardup::python::bind_clue(module);
  neardup::python::bind_plan(module);
  neardup::python::bind_versions(module);
  neardup::python::bind_table(module);
  neardup::python::bind_dedup(module);
  neardup::python::bind_datasketch(module);
  neardup::python::bind_jieba(module);
  neardup::python::bind_simhash(module);
  neardup::python::bind_spark(module);
}
