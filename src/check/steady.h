// What of a source's results means anything: the elements that roundings leave where they are.
#pragma once

#include "polymend/interpret.h"

namespace polymend {

/// Are two results alike to a fiftieth of their size, or of `scale` if that is larger? NaN is like NaN, an infinity
/// like itself.
bool isClose(double a, double b, double scale);

/// `got` where what the source makes of `start` stays when its inputs and what it stores move by roundings, and when
/// fmax and fmin choose the other of two zeros; `wanted` elsewhere: there, no digit of the source's own is right.
Memory whereSteady(const TileProgram &source, const Memory &start, const Memory &wanted, const Memory &got);

} // namespace polymend
