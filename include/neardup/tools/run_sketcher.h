// RunSketcher: the sketcher that judged in a run, with the table of document frequencies that the run fitted to its corpus, if any.
//
// Immutable; shared by threads. Implemented in src/dedup/record/run_sketcher.cc.
#pragma once

#include <memory>
#include <string>

#include "neardup/recipe.h"
#include "neardup/sketcher.h"

namespace neardup {

class RunSketcher {
 public:
  enum class Which { kFirst, kAlso };  ///< Options::recipe, Options::also
  /// `recipe`: as run_recipe() or run_also() gives it. `directory`: the checkpoint directory; empty: there is none, as for a verdict file.
  /// Throws Error{kInput} when the recipe needs fitting and the directory has no table for it, and kUsage when there is no directory.
  RunSketcher(const std::string& directory, const Recipe& recipe, Which which = Which::kFirst);
  ~RunSketcher();

  [[nodiscard]] const Sketcher& get() const noexcept { return *sketcher_; }

 private:
  std::unique_ptr<const DocumentFrequencyTable> table_;
  std::unique_ptr<const Sketcher> sketcher_;
};

}  // namespace neardup
