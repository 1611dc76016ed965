// Sums of several products of matrices.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// sum over k of (a b + c d) = sum over k of a b, taken on by sum over k of c d: where each term is a product of two
/// matrices, each is an equation of its own, which begins with the value of the one before. What units multiply
/// matrices with, or blocks of registers, takes each. Terms are added up in another order. A sum that may be fused
/// with another that it waits for, or that waits for it, stays whole.
System withProductsApart(const System &system);

} // namespace polymend
