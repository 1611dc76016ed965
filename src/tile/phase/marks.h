// Which rows are exceptional: one test per row decides, of its producers, divisors and results.
#pragma once

#include "states.h"

namespace polymend {

/// Marks the rows that are exceptional: `rows` is how what is asked of a row meets the mark; `values`: whether the
/// elements of the result are looked at.
TileBlock markFallback(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                       const std::string &mark, Update rows, bool values);
/// Marks the rows in which a largest or least element has no regular image, before the image takes its place: no
/// element came, or the start would hide what it is. Empty: the state is no such element.
TileBlock markImages(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound,
                     const std::string &mark);
/// Marks the rows in which a sum, far smaller than the result that is made of it, lost what the source keeps, or is
/// itself so small that what the source loses is seen.
TileBlock markLost(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound,
                   const std::string &mark);
/// Boxed: marks the rows where an element of the result is not finite.
TileBlock markInfinite(const PhaseContext &context, const Seated &seated);

} // namespace polymend
