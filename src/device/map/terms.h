// The terms of a reduction as functions of their number: what they read from memory.
#pragma once

#include "device/deal.h"

namespace polymend::device_room {

/// The elements of memory that can be read wherever `e` is computed, also where it would not read them; each once.
std::vector<Expr> readsInAnyCase(const Expr &e, const Memory &memory, const Scope &scope);
/// Notes what the term of the deal's one update reads before it computes anything, and whether that is all.
void noteEarly(DeviceDeal &deal, const Memory &memory, const Scope &scope);

} // namespace polymend::device_room
