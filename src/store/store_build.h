// What users of stores of every kind give: the Hamming store, which is public, has the types.
#pragma once

#include "neardup/hamming_store.h"

namespace neardup {

using StoreBuild = HammingStoreBuild;
using StoreAccess = HammingAccess;

}  // namespace neardup
