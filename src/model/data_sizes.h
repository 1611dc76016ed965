// What one parameter for a data size hides: it has another value at each turn of the loops that it depends on.
#pragma once

#include "polymend/model.h"

namespace polymend {

/// Why the model would be wrong with one number in the place of each data size. It is right where statements whose
/// loops a data size bounds share no element with others at another turn of the loops that the data size depends on:
/// then every dependence lies within one turn, where the data size is one number.
std::optional<Refusal> beyondRows(const Scop &scop);

} // namespace polymend
