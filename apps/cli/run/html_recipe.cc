#include "cli/run/html_recipe.h"

#include <fmt/format.h>

#include "cli/terminal/reporter.h"
#include "neardup/error.h"

namespace neardup::cli {

bool clean_if_html(Invocation& invocation, const DocumentSource& source, uint32_t first, RunPlan& plan, Reporter& reporter) {
  if (invocation.has("recipe") || invocation.has("also") || invocation.has("clean") || first >= source.source_count()) return false;
  for (uint32_t i = first; i < source.source_count(); ++i) {
    if (!source.holds_html(i)) return false;
  }
  Options options = invocation.options;
  options.clean = "html";
  try {
    plan = plan_run(options);
  } catch (const Error&) {
    return false;  // this build has no html_v1; the run warns of the markup
  }
  reporter.note(fmt::format("input is HTML: using {}, which strips markup; --clean none keeps it", plan.recipe.name));
  invocation.options = options;
  return true;
}

}  // namespace neardup::cli
