// algebra: can a reduction over g(r, c) be mended when its producer's value r moves to r'? If so, which state it must
// carry, the matrix that mends the state, and the finalisation that gives the result; each with a proof.
// No isl, no Clang. Theory: Neptune (arXiv 2510.08726), appendix D, extended to states of rank k.
#pragma once

#include "polymend/expr.h"

namespace polymend {

/// Possible signs of a value, as a set.
struct Signs {
  bool negative = true, zero = true, positive = true;
};

/// A symbol of the element expression g.
struct AlgebraSymbol {
  enum class Role { Parameter, Producer, Element };
  std::string name;
  Role role = Role::Element;
  Signs signs;
  Monoid monoid = Monoid::Sum; // Role::Producer: the reduction that makes it
  Expr element;         // Role::Producer: what it reduces, over symbols (absent: unknown); gives signs and order facts
  bool natural = false; // Role::Parameter: known to be a positive integer when any element exists
  bool beyond = false;  // Role::Producer: it may take in elements at points that the consumer leaves out
  double count = 0;     // Role::Producer: how many elements it takes in; 0: sizes decide
  bool mended = false;  // Role::Producer: it is mended itself, so that a running extreme need not go one way
};

/// X = reduce over c of `element`, a value over Op::Symbol leaves only (no reads).
struct Candidate {
  Monoid monoid = Monoid::Sum;
  Expr element;
  std::vector<AlgebraSymbol> symbols;
};

/// The outcome of one of three independent proofs: "proved", "agrees", "refuted", "unknown", "timeout"; and why the
/// correction is as good in floating point as over the reals.
struct Proof {
  std::string normalForm = "unknown", numeric = "unknown", z3 = "unknown", conditioning = "unknown";
};

/// How X is carried while the producers r move. Over symbols: r by name, the moved value r' as name + "'",
/// elements c by name, the carried state as "#0", "#1", ..., all in the names of the candidate.
struct Correction {
  Monoid carry = Monoid::Sum;          // how every state component accumulates
  std::vector<Expr> state;             // k element expressions e_i(r, c): state_i = carry over c of e_i
  std::vector<std::vector<Expr>> mend; // k x k matrix A(r, r'): state_i := sum_j A_ij * state_j when r becomes r'
  Expr final;                          // X over #0.., and r: applied once after the loop
  std::vector<std::string> pivots;     // producers that occur in the state (what must be watched); empty: no mend
  std::vector<Expr> pivotNodes;        // the mixed subexpressions chosen as pivots, e.g. c - r, for the report
  std::vector<Expr> regular;           // over r: r may become the pivot only if each is finite
  std::vector<Expr> nonzero;           // over r: ... and each of these is nonzero as well
  std::vector<Expr> singular; // over r: each must be finite and nonzero after the loop; else the row is replayed
  bool moves = false;         // the mend is not the identity
  bool freePivot = false; // e(r',c) = A(r,r') e(r,c) for all r, r' of the same signs: the pivot may be any such value
  bool counted = false;   // products: `final` or `mend` holds "#n", the number of elements taken in so far
  bool keepsZero = true;  // sums: `final` is +0, not -0, where every #k is +0
  bool asSource = true;   // extremes: `final` rounds as the source's element does
  Proof proof;
};

/// Every proved correction, best first; none: the reason names the blocking term.
Result<std::vector<Correction>> derive(const Candidate &candidate);

struct ProveOptions {
  bool z3 = true;
  unsigned z3Steps = 3000000; // for each equation
};
/// Proves the obligations of a correction again: e(r',c) = A e(r,c) and g = final(e).
Proof prove(const Candidate &candidate, const Correction &correction, const ProveOptions &options = {});

/// A reduction that is carried by a correction, by the name it has in other expressions.
struct Carried {
  std::string name;
  Correction correction;
};
/// Does the value `out`, over the names of the carried reductions (in the order they are computed) and of the
/// producers, stay the same whatever pivot the states use? (pivot freedom; for schedules that let a pivot lag)
bool pivotFree(const Expr &out, const std::vector<Carried> &carried, const std::vector<AlgebraSymbol> &symbols);

/// Is every element of a sum's state at the maximum (minimum) `producer` of what it reduces a number in (0, 1], and 1
/// where the element is that maximum? By normal form and order facts; the state has one component.
bool holdsItsLargest(const Candidate &candidate, const Correction &correction, const std::string &producer);

/// Does a value grow (1) or shrink (-1) with a symbol, or neither (0, where it does not occur)? Absent: unknown.
std::optional<int> direction(const Expr &value, const std::string &name, const std::vector<AlgebraSymbol> &symbols);

/// Is a = b over the reals, by normal form? Symbols are free.
bool identical(const Expr &a, const Expr &b, const std::vector<AlgebraSymbol> &symbols);

} // namespace polymend
