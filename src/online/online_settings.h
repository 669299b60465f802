// OnlineSettings: what decides the verdicts of a store, ready to be used, and as the record of truth keeps it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "index/lsh/lsh_plan.h"
#include "index/lsh/signature_filter.h"
#include "neardup/online_store.h"
#include "neardup/recipe.h"
#include "neardup/sketcher.h"
#include "sketch/signature_hasher.h"
#include "store/store_manifest.h"

namespace neardup {

/// Immutable; shared by threads.
class OnlineSettings {
 public:
  /// Of a new store: plans the bands. Throws Error{kUsage} that names the member, the bound and the value.
  explicit OnlineSettings(const OnlineStoreSpec& spec);
  /// From to_json(). `recipe`: see OnlineStore::open(). Throws Error{kInput} that begins with `name` when it is not valid, Error{kUsage}
  /// when the recipe is another one.
  static std::unique_ptr<const OnlineSettings> from_json(std::string_view json, const std::string& name, const std::string& recipe);
  [[nodiscard]] std::string to_json() const;

  [[nodiscard]] const OnlineStoreSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Recipe& recipe() const noexcept { return recipe_; }
  [[nodiscard]] const Sketcher& sketcher() const noexcept { return *sketcher_; }
  /// For stored features. Requires a MinHash.
  [[nodiscard]] const SignatureHasher& signature_hasher() const noexcept { return signature_hasher_; }
  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] const SignatureFilter& filter() const noexcept { return filter_; }
  [[nodiscard]] const RowLayout& layout() const noexcept { return layout_; }
  [[nodiscard]] TableStoreSpec tables() const;
  /// Bits of a fingerprint; 0: a MinHash.
  [[nodiscard]] uint32_t bits() const noexcept { return recipe_.fingerprints() ? recipe_.bits : 0; }

 private:
  OnlineSettings(const OnlineStoreSpec& spec, LshPlan plan, Recipe recipe);

  OnlineStoreSpec spec_;
  Recipe recipe_;
  std::unique_ptr<const Sketcher> sketcher_;
  SignatureHasher signature_hasher_;
  LshPlan plan_;
  SignatureFilter filter_;
  RowLayout layout_;
};

}  // namespace neardup
