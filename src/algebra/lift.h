// Obligations as polynomial arithmetic over the reals, for a solver that knows nothing of exp: each exponential term
// becomes x > 0 with x y = 1, 1/S becomes i with i S = 1, a root s >= 0 with s^d = S, an angle (c, s) on the unit
// circle, a select under exp is hoisted out of it, an opaque function is one variable for equal arguments.
#pragma once

#include "obligations.h"

#include <z3++.h>

namespace polymend::algebra {

class Lifter {
public:
  Lifter(Problem &posed, z3::context &context) : problem(posed), c(context), axioms(context) {}

  /// Learns the common units of exponents and angles; must see every term before any is lifted.
  void scan(Term term);
  z3::expr lift(Term term);
  /// The order facts between producers and what they reduce.
  void assumeOrders();
  [[nodiscard]] const z3::expr_vector &assumptions() const { return axioms; }
  /// Did something have to be forgotten, so that a counter-example means nothing?
  [[nodiscard]] bool forgetful() const { return weak; }

private:
  Problem &problem;
  z3::context &c;
  z3::expr_vector axioms;
  TermMap<z3::expr> done;
  std::map<Monomial, Rational> units; // term of an exponent or angle -> greatest common divisor of its coefficients
  std::map<Monomial, std::pair<z3::expr, z3::expr>> exponentials, angles;
  std::map<int, z3::expr> opaque; // atom -> variable
  std::map<std::pair<Term, std::string>, z3::expr> roots;
  int count = 0;
  bool weak = false;

  z3::expr build(Term term);
  z3::expr symbol(Term term);
  z3::expr apply(Term term);
  z3::expr condition(Term term);
  z3::expr power(Term base, const Rational &p);
  z3::expr exponential(Term argument);
  std::pair<z3::expr, z3::expr> angle(const Form &argument);
  z3::expr other(Term term);
  z3::expr fresh(const char *prefix);
  z3::expr raised(const z3::expr &base, const Integer &n);
  z3::expr number(const Rational &q) { return c.real_val(q.str().c_str()); }
  Integer multiple(const Monomial &m, const Rational &q);
  void scanForm(const Form &form);
};

} // namespace polymend::algebra
