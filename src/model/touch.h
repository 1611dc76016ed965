// touch: one place in the source that reads or writes an array, with the iterations that reach it; and how the touches
// of a flat array become touches of an array with dimensions.
#pragma once

#include "affine.h"
#include "polymend/model.h"

#include <set>

namespace polymend {

struct Touch {
  std::string array;
  std::vector<Expr> subscripts;
  Frame frame; // domain: the iterations that can reach this touch
  bool write = false;
  std::size_t open = 0; // so many leading dimensions may hold any value: their subscripts cannot be bounded
  SourceRange where;
  Expr below = {}; // what an index array that the first subscript reads holds here is less; absent: nothing is declared
};

/// Splits the linear subscripts of each flat array into dimensions where every touch provably stays within them; fills
/// in the extents and rewrites the touches. A flat array that fits no shape keeps its one dimension. Returns the sizes
/// for which all shapes hold, of those given. `places`: rather than a proved shape in which an element's place is not
/// affine, one is taken in which it is, for the sizes that give it one.
isl::set delinearise(std::vector<Array> &arrays, std::vector<Touch *> &touches, const std::set<std::string> &parameters,
                     isl::set assumptions, bool places);

/// The relation { [iterators] -> array[subscripts] } of one touch; a write that is not affine is refused, unless data
/// choose it.
Result<Access> accessOf(const Touch &touch, const Array &array);
/// Why what is touched cannot be told; absent: it can.
std::optional<Refusal> unplaced(const Touch &touch);

} // namespace polymend
