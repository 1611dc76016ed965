// What the elements of arrays are in C++: their numbers, and which may lie in one place.
#pragma once

#include "polymend/interval.h"

namespace polymend {

/// What the integers of a type are.
Interval limitsOf(Type type);
/// Are all of the inner ones in the outer one?
bool holds(const Interval &outer, const Interval &inner);
/// May lvalues of the types name one object (C++20 [basic.lval] 11)? Those of one type with and without a sign may.
/// Characters may lie anywhere.
bool mayBeOne(Type a, Type b);
/// Is it a type of characters?
bool isCharacter(Type type);
/// The number rounded to a floating type, to nearest even, as a store to an array of that type does.
double roundTo(Type type, double value);

} // namespace polymend
