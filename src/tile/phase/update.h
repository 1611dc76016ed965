// What a member takes in in a chunk.
#pragma once

#include "chosen_reads.h"
#include "hoist.h"

namespace polymend {

/// target := target (update) value at the member's points in the chunk; `chosen` are the member's chosen reads.
Emitted update(const PhaseContext &context, Hoisting &hoisting, const Seated &seated, const Ref &target, Update update,
               const Expr &value, const std::vector<ChosenRead> &chosen);
} // namespace polymend
