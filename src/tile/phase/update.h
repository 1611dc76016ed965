// What a member takes in in a chunk.
#pragma once

#include "hoist.h"

namespace polymend {

/// target := target (update) value at the member's points in the chunk.
Emitted update(const PhaseContext &context, Hoisting &hoisting, const Seated &seated, const Ref &target, Update update,
               const Expr &value);
} // namespace polymend
