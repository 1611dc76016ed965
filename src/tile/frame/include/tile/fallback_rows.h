// Rows that a kernel on matrix units computes, marks and leaves to the general kernel, their fallback.
#pragma once

#include "tile/frame.h"

namespace polymend {

/// Arrays that the plan's equations both read at entry and write.
std::set<std::string> inPlace(const System &system, const KernelPlan &plan);

/// The block with assignments to these arrays only where `condition` holds.
TileBlock storedWhere(const TileBlock &block, const std::set<std::string> &arrays, const Expr &condition);

/// The rows of a plan that have marks of their own: all but those that data bound, which share one mark.
std::vector<std::size_t> markedRows(const KernelPlan &plan, const Scop &scop);

/// The kernel that clears marks that rows share: nobody sets one where nothing is marked.
Kernel clearedMarks(const KernelFrame &frame, const TileArray &fallback, const std::string &name);

/// Extents of the box of a plan's rows.
std::vector<Expr> rowExtents(const KernelPlan &plan);

/// The kernel's row indices.
std::vector<Expr> rowIndices(const KernelFrame &frame);

/// That no mark of a row of the tile is set.
Expr isUnmarked(const KernelFrame &frame);

/// rows where a mark is set -> fallback.
TileBlock storeMarks(const KernelFrame &frame, const TileArray &fallback);

/// The first grid point clears the marks, one for each row of its box.
TileBlock clearMarks(const KernelFrame &frame, const std::vector<PointDim> &grid, const TileArray &fallback);

/// The general route's kernel, for the tiles that hold a row marked in `fallback`; `otherwise` for the others.
/// `marked`: the rows that have marks of their own; none: there is one for all.
void onlyWhereMarked(Kernel &kernel, const KernelPlan &plan, const TileArray &fallback,
                     const std::vector<std::size_t> &marked, const TileBlock &otherwise, std::set<std::string> names);

} // namespace polymend
