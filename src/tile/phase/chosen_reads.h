// Reads that must stay below the choice that the source makes before them.
#pragma once

#include "context.h"

namespace polymend {

/// The reads of a member's element, as realized, that may lie outside what is touched of their arrays where the
/// source's choice leaves them out.
std::vector<Expr> chosenReads(const PhaseContext &context, const Seated &seated);

} // namespace polymend
