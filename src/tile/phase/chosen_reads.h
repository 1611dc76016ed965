// Reads that must stay below the choice that the source makes before them.
#pragma once

#include "context.h"

namespace polymend {

/// A read, as realized, and a condition under which it is within what is touched.
struct ChosenRead {
  Expr read, where;
};

/// The reads of a member's element that may lie outside what is touched of their arrays where the source's choice
/// leaves them out; none in rectangular kernels, which read whole tiles.
std::vector<ChosenRead> chosenReads(const PhaseContext &context, const Seated &seated);

/// An element of a state that a correction made of the member's, in which a choice for whole rows has become a factor
/// of the result: zero takes the place of such a read where the choice leaves it out, if nothing in the state does.
Expr whereChosen(const Expr &element, const std::vector<ChosenRead> &chosen);

} // namespace polymend
