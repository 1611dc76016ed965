// Loops that only a sum carries, within those that carry nothing.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// The order with each statement's loops that carry nothing around those that only a sum (or maximum) carries, where
/// the two kinds are next to one another: a point of a launch takes all its terms, in the order that they had. Whether
/// the dependences still run forwards is asked elsewhere.
isl::schedule withSumsInside(const isl::schedule &order, const Scop &scop, const Dependences &dependences);

} // namespace polymend
