// The texts of the primitives, by concept.
#pragma once

#include <string_view>

namespace polymend::print_room::texts {

extern const std::string_view unroll, floorDiv, floorMod, threads, buffer, overlap;
extern const std::string_view bits, scale, exp, exp2, log, tanh, sqrt;
extern const std::string_view reduce, sum, product, maximum, minimum, fmaximum, fminimum, vectors, transpose;
extern const std::string_view multiply, multiplyAdd;

} // namespace polymend::print_room::texts
