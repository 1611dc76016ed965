// The terms of a reduction as functions of their number: what they read from memory.
#pragma once

#include "print/expression.h"

namespace polymend::print_room {

/// Whether `e` reads an element of memory.
bool readsMemory(const Expr &e, const Context &context);
/// The elements of memory that can be read wherever `e` is computed, also where it would not read them; each once.
std::vector<Expr> readsInAnyCase(const Expr &e, const Context &context);

} // namespace polymend::print_room
