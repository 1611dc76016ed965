// A candidate as terms: symbols with roles, signs and order facts, in arenas of its own.
#pragma once

#include "forms.h"
#include "polymend/algebra.h"

namespace polymend::algebra {

struct Problem {
  Terms terms;
  Forms forms{terms};
  Monoid monoid = Monoid::Sum;
  Term element = nullptr;
  Type type = Type::Float32;     // of the element, and of what is rebuilt
  std::vector<Term> producers;   // each with its moved partner below
  std::vector<Term> moved;       // r'
  std::vector<Monoid> reduction; // what makes each producer
  std::vector<Term> reduced;     // the producer's element, or null
  std::vector<bool> beyond;      // it may take in more than the consumer does
  std::vector<double> count;     // how many elements it takes in; 0: sizes decide
  std::vector<bool> mended;      // its running value moves with others
  std::set<Term> natural;        // sizes: positive integers
  bool ordered = false;          // order facts are assumed

  Problem() = default;
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  /// r becomes r' in the whole term.
  Term primed(Term term);
};

/// Poses the candidate; `ordered` assumes element <= producer for maxima and >= for minima. The reason tells what
/// cannot be expressed.
Result<std::unique_ptr<Problem>> pose(const Candidate &candidate, bool ordered);
/// Assumes the order of each element and the extreme that reduces it.
void assumeOrders(Problem &problem);
/// Order facts that hold in a scope only, for what needs no pivot freedom.
class OrderScope {
public:
  explicit OrderScope(Problem &problem) : forms(problem.forms), before(forms.assumed()) {
    if (!problem.ordered) assumeOrders(problem);
  }
  ~OrderScope() { forms.forget(before); }
  OrderScope(const OrderScope &) = delete;
  OrderScope &operator=(const OrderScope &) = delete;

private:
  Forms &forms;
  std::size_t before;
};
/// Is some expression of the candidate too large to work on?
bool oversized(const Candidate &candidate);
/// Does some producer have an order fact at all?
bool hasOrder(const Candidate &candidate);

/// An expression over declared symbols as a term over the reals; throws Overgrown with the reason where there is none.
class Importer {
public:
  explicit Importer(Terms &terms) : terms(terms) {}
  Term import(const Expr &e);

private:
  Term build(const Expr &e);
  Term arithmetic(const Expr &e);
  Term function(const Expr &e);
  Term call(const Expr &e);
  Term raise(const Expr &e);
  Term exact(double value);
  Term extreme(const Expr &e);
  Term condition(const Expr &e);
  Term masked(const Expr &e);
  Term opaque(const Expr &e);
  Terms &terms;
  std::map<const void *, Term> done;
};

/// A term as an expression of the given floating type, in forms that are safe to evaluate.
Expr exported(Terms &terms, Term term, Type type);

} // namespace polymend::algebra
