// Factors of products, and what all rows of a sum share, that are computed, not read.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A value within an equation, as the source rounds it, and the equation's dimensions that it depends on, ascending.
struct ComputedFactor {
  Expr value;
  std::vector<unsigned> dims;
};

/// Factors of a wide product that are computed from other equations' values, are the same along a wide key and no more
/// than the elements of an array that they read.
std::vector<ComputedFactor> computedFactors(const Equation &product, const ScheduleOptions &options);

/// Is the factor cheaper stored once by a kernel that reads its row anyway than computed by each tile of columns?
///
/// Stored, an element is computed once and costs the bytes that it is written in; it is read in place of what it is
/// computed from. Otherwise it costs its operations once more for each tile of 256 columns but the first, between the
/// matrix units' instructions. A processor of a device computes about 7 operations in the time in which its share of
/// the memory takes a byte (128 operations and 19 bytes a clock); a division, a root or a function counts as 8, as
/// there are 16 results of these a clock. What is the same along the sum is computed once a row and counts nothing.
/// Keys of no constant extent count as 4096.
bool isCheaperStored(const Equation &product, const ComputedFactor &factor);

/// Factors of a sum of products in its own type that are computed from known elements, and are the same along a key of
/// the product, whose values would compute them once each.
std::vector<ComputedFactor> repeatedFactors(const Equation &product);

/// The parts of an equation's value that look like `value`: of its operation and size, of known elements alone.
std::vector<ComputedFactor> partsLike(const Equation &e, const Expr &value);

/// The largest parts of a sum's terms that are the same in all of its many rows, and hold a division, a root or a
/// function: to compute them once and to read them is cheaper than to compute them in each row.
std::vector<ComputedFactor> sharedTerms(const Equation &sum);

} // namespace polymend
