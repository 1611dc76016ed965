// Narrowing casts of the source, which are the identity over the reals, on the states that algebra derived.
#pragma once

#include "polymend/expr.h"

namespace polymend {

/// Does the expression have the other as a part, or as itself?
bool holds(const Expr &e, const Expr &part);

/// A conversion between floating types that rounds.
bool isNarrowing(const Expr &e);

/// The factors of `state` that withRounding rounds for one narrowing cast of the element; absent: none.
Expr roundedPart(const Expr &narrowing, const Expr &state);

/// `state` with the narrowing casts of `element` applied to the same values: the factors of a product that are made of
/// what stood under the cast are rounded together, also when another factor has moved past it.
Expr withRounding(const Expr &element, const Expr &state);

} // namespace polymend
