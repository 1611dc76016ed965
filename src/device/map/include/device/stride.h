// How subscripts move with a loop variable: the facts that choose loop orders and vector dimensions.
#pragma once

#include "device/depends.h"

namespace polymend::device_room {

/// e(v + 1) - e(v) where that is one constant, else nothing.
std::optional<std::int64_t> stepOf(const Expr &e, const std::string &variable);

/// a - b where that is one constant whatever their symbols are, else nothing.
std::optional<std::int64_t> differenceOf(const Expr &a, const Expr &b);

/// e modulo `modulus`, where it follows from the constants in e and from `multiples`: sizes that are multiples of it.
std::optional<std::int64_t> residueOf(const Expr &e, std::int64_t modulus, const std::set<std::string> &multiples);

enum class Motion { Still, Unit, Other };
/// How the element moves in memory: not at all, to its neighbour, or elsewhere.
Motion motionOf(const std::vector<Expr> &subscripts, const std::string &variable);

} // namespace polymend::device_room
