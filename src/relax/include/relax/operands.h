// Operands of an equation.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Adds an operand unless an equal one is there; returns its index.
int addOperand(Equation &to, const Operand &operand);

} // namespace polymend
