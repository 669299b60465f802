// Connected components of edges: by one task, or by rounds of stars where there are too many documents with edges for one.
//
// A round sends each edge to both of its ends. In a large star, every neighbour above a document gets an edge to the least of its
// neighbours and itself instead; in a small star, every neighbour below it does. Rounds of both end with stars around the least rank of
// each component (Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii 2014, "Connected components in MapReduce and beyond").
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dedup/stages/stage_settings.h"

namespace neardup {

/// Takes all kEdges. next() throws Error{kResource} for more than 2^32 - 2 ranks.
std::unique_ptr<RootStage> make_components(const StageSettings& settings, const StageSpace& space);

/// kHalves of kEdges: each edge for both of its ends, by the part of the end.
std::vector<Blob> split_edges(const StageSettings& settings, uint32_t parts, std::span<const std::string_view> edges);
/// Takes all halves of its documents. Gives kHalves, one of each new edge, for its larger end.
std::unique_ptr<ReduceStage> make_large_star(const StageSettings& settings, uint32_t parts, const StageSpace& space);
/// Takes these. Gives both kHalves of each new edge, and one kTally of the edges.
std::unique_ptr<ReduceStage> make_small_star(const StageSettings& settings, uint32_t parts, const StageSpace& space);
/// Takes the halves that the last small star gave.
std::unique_ptr<RootStage> make_star_roots(const StageSettings& settings, const StageSpace& space);
Stages::Tally add_tallies(const StageSettings& settings, std::span<const std::string_view> blobs);

}  // namespace neardup
