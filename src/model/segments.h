// Arrays that are written through others: their elements by row and place, where each has one.
#pragma once

#include "touch.h"

#include "polymend/segments.h"

namespace polymend {

/// Of each array that the function writes at index[row] + place, makes (row, place) the subscripts, where all touches
/// are of this form and what an entry can test keeps an element from having two.
void intoSegments(Scop &scop, const std::vector<Touch *> &touches, const Function &function);
/// The row f of other[array[f]], which is declared to be that; absent: it is something else.
Expr diagonalRow(const Expr &e, const Function &function);
/// The expression with the row in the place of each element that is declared to be that.
Expr withDiagonals(const Expr &e, const Function &function);
/// What the source declares of index arrays, for touches that these choose.
void useFacts(const Scop &scop, const std::vector<Touch *> &touches, const Function &function);

} // namespace polymend
