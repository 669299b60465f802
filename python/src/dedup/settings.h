// Settings: the options of a run, by the names and the texts of the option table, and the fields that it reads.
#pragma once

#include <string>
#include <vector>

#include "dedup/data.h"
#include "dedup/rows.h"
#include "neardup/options.h"
#include "neardup/source.h"
#include "neardup/tools/plan.h"
#include "options.h"

namespace neardup::python {

class Settings {
 public:
  using Given = GivenOptions;
  /// `command`: "dedup" or "pairs", whose options are allowed. `text`, `id`: names of fields. Throws Error{kUsage} for unknown names, with
  /// the nearest one, for values, and for options that contradict each other.
  Settings(std::string command, const Given& given, std::vector<std::string> text, std::string id);

  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] const RunPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] Fields fields() const;
  /// How files are read.
  [[nodiscard]] SourceOptions source_options() const;

  /// What these data make of them.
  struct Fitted {
    Options options;
    std::vector<std::string> notes;  ///< warnings
  };
  /// Throws Error{kUsage} that names an option without an effect on these data. Chooses Options::clean for pages of HTML, as the command
  /// line does, and notes that.
  [[nodiscard]] Fitted fit(const Data& data, const DocumentSource& source) const;

 private:
  [[nodiscard]] bool is_given(std::string_view name) const noexcept;
  bool clean_if_html(const DocumentSource& source, Options& options, RunPlan& plan) const;

  std::string command_;
  Given given_;
  Options options_;
  RunPlan plan_;
};

}  // namespace neardup::python
