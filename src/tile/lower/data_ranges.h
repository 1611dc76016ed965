// Data sizes in a tile program: what they read, where they are used.
#pragma once

#include "tile/frame.h"

namespace polymend {

/// The kernel with what is read in the place of data sizes, at the rows of its grid.
Kernel withDataRead(Kernel kernel, const KernelFrame &frame);

/// Subscripts of the model as the source's: (row, place) of an array that lies in segments are index[row] + place.
std::vector<Expr> inSource(const std::string &array, const std::vector<Expr> &subscripts, const Function &function,
                           const Scop &scop);
/// A block of a kernel with the source's subscripts.
TileBlock inSource(const TileBlock &block, const Function &function, const Scop &scop);
/// Puts the source's subscripts into the program's kernels.
void placeSegments(TileProgram &program, const Function &function, const Scop &scop);

/// The data sizes as names for the bodies of a kernel's roles, with what is read at its grid point; refused: one is not
/// the same for all rows of a grid point.
Result<std::vector<std::pair<std::string, Expr>>> dataLets(const KernelFrame &frame, const std::set<std::string> &used);

} // namespace polymend
