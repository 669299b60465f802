#include "neardup/tools/clean_all.h"

#include <vector>

#include "base/parallel.h"
#include "io/json/field_text.h"
#include "neardup/tools/run_recipe.h"
#include "text/clean/cleaner.h"

namespace neardup {

Summary clean_all(const Options& options, const MapRun& run) {
  const Recipe recipe = run_recipe(options);
  const CleanChain cleaners = CleanChain::parse(recipe.clean, {.line_lists = recipe.line_lists});
  std::vector<Cleaner::Scratch> scratches(resolve_threads(options.threads));
  const auto map = [&](uint32_t worker, const Record& record, std::string& out) {
    out += "{\"id\":";
    if (record.has_id) {
      append_json_string(record.id, out);
    } else {
      out += "null";
    }
    out += ",\"text\":";
    append_json_string(cleaners.clean(record.text, scratches[worker]), out);
    out += "}\n";
    return false;
  };
  Summary summary = map_documents("clean", options.threads, map, run);
  summary.recipe_name = recipe.name;
  summary.recipe_id = recipe.id();
  return summary;
}

}  // namespace neardup
