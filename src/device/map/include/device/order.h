// The order in which a region's dimensions are printed.
#pragma once

#include "device/scope.h"
#include "device/stride.h"

#include <array>

namespace polymend::device_room {

/// Indices of `points.dims`, outermost first: the order of the region, except that one dimension may have moved
/// innermost where the semantics of its kind allows it and memory is then walked in larger runs.
std::vector<std::size_t> chooseOrder(const TilePoints &points, bool strict);

/// Whether the innermost dimension can be summed aside: one update through a monoid of an element that stands still.
bool reducesAside(const TilePoints &points, const PointDim &innermost);

/// Recurrences that run beside one another: processors finish one turn of so many in the time of one.
inline constexpr std::int64_t recurrencesAtOnce = 8;

/// Is each point of `row` a recurrence of its own over `along`, whose bounds it does not move? A turn waits for the one
/// before it, and not for those of other rows. Sums of integers are none: compilers take their terms in vectors.
bool areRecurrences(const TilePoints &points, const PointDim &row, const PointDim &along);

/// The region as several, one after another, where its assignments have nothing to do with one another and do not all
/// walk memory in runs along one dimension; else the region itself.
std::vector<TilePoints> distribute(const TilePoints &points, bool strict);

/// Row and column dimension of a copy that is contiguous along the column where written, along the row where read.
std::optional<std::array<std::size_t, 2>> matchTransposition(const TilePoints &points, const TypeOf &typeOf);

} // namespace polymend::device_room
