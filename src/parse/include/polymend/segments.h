// Arrays that a function writes through another: at index[row] + place. What tells the elements of different rows apart
// is that index rises, on which all that is made of the function rests, and which its entries test.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// index[row] <= index[row + 1] for each row in [first, limit), both over sizes.
struct Rising {
  std::string index;
  Expr first, limit;
};

/// The index array through which all that the function does with `array` goes, where it writes it through one; empty:
/// none.
std::string indexOf(const Function &function, const std::string &array);
/// What rests on each index array that is so used; refused where its rows have no bounds over the sizes.
Result<std::vector<Rising>> risingOf(const Function &function);

/// Does the source declare so of the array?
bool isDeclared(const Function &function, IndexFact::Kind kind, const std::string &array);
/// The index arrays that arrays are written through of which the source declares what keeps elements apart, so that no
/// entry asks.
std::vector<std::string> declaredApart(const Function &function);

/// Is it a conversion between types of integers?
bool isWidening(const Expr &e);
/// An element of an array of integers, which casts may widen; else absent.
Expr indexElement(const Expr &e);

} // namespace polymend
