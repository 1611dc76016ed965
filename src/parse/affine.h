// What can be said about integer expressions over parameters and loop variables: coefficients, and signs that follow
// from the loops and conditions around a place.
#pragma once

#include "polymend/interval.h"

#include <map>
#include <optional>

namespace polymend {

/// The constant factor of `symbol` in e; nothing where e is not linear in it.
std::optional<std::int64_t> coefficient(const Expr &e, const std::string &symbol);
/// Whether e is built from integer constants, symbols and operations on them only: no reads, no floating-point numbers.
bool isOverSymbols(const Expr &e);

/// A quotient or a remainder of either kind.
bool isDivision(Op op);
/// Is it a division of integers whose divisor may be 0?
bool mayTrap(const Expr &division);
/// With 0 where the source's divisor is 0: it divides where it gets there alone.
Expr withoutTraps(const Expr &e);

/// lower <= variable <= upper, over parameters and outer variables; an absent bound is unknown.
struct LoopRange {
  std::string variable;
  Type type = Type::Int64;
  Expr lower, upper;
};

/// Whether e may bound a loop: integer constants, symbols, sums, products, quotients, Min, Max and choices.
bool isBound(const Expr &e);

/// What is known at a place of the source.
struct Knowledge {
  std::vector<LoopRange> loops;               // outermost first
  std::vector<Expr> facts;                    // expressions known to be >= 0
  std::set<std::string> nonNegative;          // parameters of unsigned type
  std::map<std::string, Interval> parameters; // integer ones: what their types hold
  std::vector<Expr> given;                    // expressions over parameters that entries ask to be >= 0
};

/// Is e affine in the variables of the loops around? What is of parameters alone is a size, whatever it is made of; a
/// variable that counts through a product, modulo one of its factors, will be two variables.
bool isAffine(const Expr &e, const Knowledge &knowledge);
/// Whether e >= 0 follows from the loops' bounds and one fact; `false` means "not shown".
bool isNonNegative(const Expr &e, const Knowledge &knowledge);
/// The conjuncts of `condition` that say that an integer expression is >= 0, as these expressions.
std::vector<Expr> factsOf(const Expr &condition);
/// As factsOf, also with what follows from e != 0 where e >= 0 is known.
std::vector<Expr> factsOf(const Expr &condition, const Knowledge &knowledge);

} // namespace polymend
