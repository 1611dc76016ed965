// The points over which a member's assignments run: of its domain in a chunk, of its keys, of the tile's rows.
#pragma once

#include "context.h"

namespace polymend {

/// Points of the member's domain in the current chunk.
TileBlock points(const PhaseContext &context, const Seated &seated, const std::vector<unsigned> &order,
                 std::size_t parallel, const std::vector<TileAssign> &body);
/// Points of the member's keys: every element of its result in this tile, whether or not its range is empty.
/// `perRow`: the body updates one element per row, so that the other keys are reduced.
TileBlock keyPoints(const PhaseContext &context, const Seated &seated, const std::vector<TileAssign> &body,
                    bool perRow = false);
/// Points of the tile's rows alone.
TileBlock rowPoints(const PhaseContext &context, const Seated &seated, const std::vector<TileAssign> &body);
/// Own loops around a block, with bounds from the member's domain.
TileBlock wrapOwn(const Seated &seated, bool keysOnly, TileBlock body);
/// The two blocks; a region that ends the first and one over the same points that begins the second are one where tiles
/// lie in registers, of which each thread has whole rows.
TileBlock joined(const PhaseContext &context, TileBlock first, const TileBlock &second);

/// Boxed: the condition that a point of the box of keys, or of its rows alone, is one of the tile's; absent: all are.
Expr stored(const PhaseContext &context, const Seated &seated, bool rowsAlone = false);
/// The points of the member's box, for keys it has, that are outside its domain (for maps: all that are outside).
isl::set missing(const PhaseContext &context, const Seated &seated);
/// The condition that a point of the member's box counts; absent: all do.
Expr maskOf(const PhaseContext &context, const Seated &seated);

} // namespace polymend
