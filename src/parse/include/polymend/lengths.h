// How many elements containers have that a function takes arrays from: asked by who must know how far an index may
// lead.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// The function with the lengths of its containers' arrays; those that it does not take yet are parameters of its own.
Function withLengths(Function function);

} // namespace polymend
