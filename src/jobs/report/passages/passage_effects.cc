#include "jobs/report/passages/passage_effects.h"

#include <optional>

#include "neardup/stop.h"

namespace neardup {

std::vector<PassageEffect> passage_effects(std::span<const CommonPassage> passages, std::span<const RemovedTexts> pairs,
                                           const PairJudge& judge) {
  std::vector<PassageEffect> effects(passages.size());
  PassageUnitCutter cutter;
  PassageUnits removed;
  PassageUnits keeper;
  for (const RemovedTexts& pair : pairs) {
    cutter.cut(pair.removed, removed);
    cutter.cut(pair.keeper, keeper);
    check_stop();
    std::optional<bool> matches;  // as it is; computed for pairs with a passage only
    for (size_t i = 0; i < passages.size(); ++i) {
      bool has = false;
      find_units(removed.units, passages[i].units, [&](size_t) { has = true; });
      if (!has) continue;
      ++effects[i].removals;
      if (!matches) matches = judge.matches(pair.removed, pair.keeper, pair.block);
      if (!*matches) continue;
      const std::string removed_without = without_units(pair.removed, removed, passages[i].units);
      const std::string keeper_without = without_units(pair.keeper, keeper, passages[i].units);
      effects[i].without += !judge.matches(removed_without, keeper_without, pair.block);
    }
  }
  return effects;
}

}  // namespace neardup
