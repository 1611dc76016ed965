// What a member of a rectangular kernel takes in in a chunk.
#pragma once

#include "hoist.h"

namespace polymend {

/// target := target (update) value at the points of the member's box that count.
Emitted rectangularUpdate(const PhaseContext &context, Hoisting &hoisting, const Seated &seated, const Ref &target,
                          Update update, const Expr &value);

} // namespace polymend
