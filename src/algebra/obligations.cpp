// Obligations of a correction (X, e, A, final) of the reduction of g:
//   sum:     e_i(r', c) = sum_j A_ij(r, r') e_j(r, c);  g = final(e(r, c)), final linear and homogeneous in #i
//   product: the same with one component, A and final powers of the count, checked for one element and for none
//   extreme: e(r', c) = e(r, c), g = final(e(c)), final monotone in #0 in the direction that `carry` asks for
// Shape: A holds no elements, final no elements, the state nothing moved.
#include "obligations.h"

#include "draft.h"

#include <algorithm>

namespace polymend::algebra {
namespace {

class Reader {
public:
  Reader(Problem &posed, const Correction &read) : problem(posed), terms(posed.terms), correction(read) {}

  Result<Obligations> run() {
    const std::size_t k = correction.state.size();
    if (k == 0 || correction.mend.size() != k) return refuse("the mend has another size than the state");
    count = stateSymbol(problem, "n");
    Importer importer(terms);
    for (const Expr &e : correction.state) state.push_back(importer.import(e));
    for (std::size_t i = 0; i < k; ++i) carried.push_back(carriedSymbol(i));
    for (const auto &row : correction.mend) {
      if (row.size() != k) return refuse("the mend is not square");
      mend.emplace_back();
      for (const Expr &a : row) mend.back().push_back(importer.import(a));
    }
    final = importer.import(correction.final);
    if (!shaped()) return refuse("a part of the correction reads what it must not");
    switch (problem.monoid) {
    case Monoid::Sum: return sum();
    case Monoid::Product: return product();
    default: return extreme();
    }
  }

private:
  Problem &problem;
  Terms &terms;
  const Correction &correction;
  std::vector<Term> carried, state;
  std::vector<std::vector<Term>> mend;
  Term final = nullptr, count = nullptr;
  Obligations all;

  static Refusal refuse(const std::string &reason) { return {reason, {}}; }

  /// The extreme of some elements has one of their signs.
  Term carriedSymbol(std::size_t i) {
    const bool extreme = problem.monoid == Monoid::Max || problem.monoid == Monoid::Min;
    if (!extreme) return stateSymbol(problem, std::to_string(i));
    return terms.declare({"#" + std::to_string(i), StateRole, problem.forms.signs(state[i]), problem.type});
  }

  bool holdsMoved(Term term) const {
    return std::any_of(problem.moved.begin(), problem.moved.end(), [term](Term r) { return contains(term, r); });
  }

  bool shaped() const {
    auto clean = [](Term t) { return !(t->roles & StateRole); };
    return std::all_of(state.begin(), state.end(), [&](Term e) { return clean(e) && !holdsMoved(e); }) &&
           std::all_of(mend.begin(), mend.end(),
                       [&](const auto &row) {
                         return std::all_of(row.begin(), row.end(), [&](Term a) {
                           return !(a->roles & ElementRole) && (clean(a) || problem.monoid == Monoid::Product);
                         });
                       }) &&
           !(final->roles & ElementRole) && !holdsMoved(final);
  }

  Term withState(Term term) {
    Terms::Map map;
    for (std::size_t i = 0; i < state.size(); ++i) map[carried[i]] = state[i];
    return terms.replace(term, map);
  }

  void mendObligations() {
    for (std::size_t i = 0; i < state.size(); ++i) {
      std::vector<Term> row;
      row.reserve(state.size());
      for (std::size_t j = 0; j < state.size(); ++j) row.push_back(terms.product({mend[i][j], state[j]}));
      all.equations.push_back({problem.primed(state[i]), terms.sum(row), true});
    }
  }

  /// Every monomial of final holds exactly one #i, to the first power.
  bool linear() {
    for (const auto &[m, q] : problem.forms.of(final).terms) {
      Rational degree = 0;
      for (const auto &[id, p] : m.powers) {
        const Atom &atom = problem.forms.at(id);
        if (!(atom.roles & StateRole)) continue;
        if (atom.kind != Kind::Symbol || p != 1 || atom.symbol == count->symbol) return false;
        degree += p;
      }
      if (degree != 1 || (problem.forms.roles(problem.forms.form(m.exponent)) & StateRole)) return false;
    }
    return true;
  }

  Result<Obligations> sum() {
    if (correction.carry != Monoid::Sum) return refuse("a sum is carried by a sum");
    if (!linear()) return refuse("the finalisation is not linear in the state");
    mendObligations();
    all.equations.push_back({problem.element, withState(final)});
    return all;
  }

  /// Products of #0, of powers to the count, and of nothing else.
  bool powersOnly(Term term) const {
    if (term == carried[0] || isNumber(term, 1)) return true;
    if (term->kind == Kind::Product)
      return std::all_of(term->args.begin(), term->args.end(), [this](Term t) { return powersOnly(t); });
    return term->kind == Kind::Apply && term->op == Op::Pow && term->args[1] == count &&
           !(term->args[0]->roles & StateRole);
  }

  /// The term for n = 1, where x^n is x.
  Term once(Term term) {
    if (term->kind == Kind::Apply && term->op == Op::Pow && term->args[1] == count) return term->args[0];
    if (term->kind != Kind::Product) return term;
    std::vector<Term> args;
    args.reserve(term->args.size());
    for (Term a : term->args) args.push_back(once(a));
    return terms.product(args);
  }

  Result<Obligations> product() {
    const bool degreeOne = final == carried[0] || (final->kind == Kind::Product &&
                                                   std::count(final->args.begin(), final->args.end(), carried[0]) == 1);
    if (correction.carry != Monoid::Product || state.size() != 1 || !degreeOne || !powersOnly(final) ||
        !powersOnly(mend[0][0]) || contains(mend[0][0], carried[0]))
      return refuse("a product is carried by one product and powers of the count");
    mend[0][0] = once(mend[0][0]);
    mendObligations();
    all.equations.push_back({problem.element, withState(once(final))});
    return all;
  }

  Result<Obligations> extreme() {
    const bool extremes = correction.carry == Monoid::Max || correction.carry == Monoid::Min;
    if (!extremes || state.size() != 1 || !isNumber(mend[0][0], 1) || contains(final, count))
      return refuse("an extreme is carried by one extreme without a mend");
    mendObligations();
    all.equations.push_back({problem.element, withState(final)});
    all.growing = final;
    all.score = carried[0];
    all.increasing = correction.carry == problem.monoid;
    return all;
  }
};

} // namespace

Result<Obligations> obligations(Problem &problem, const Correction &correction) {
  try {
    return Reader(problem, correction).run();
  } catch (const std::exception &grown) {
    return Refusal{grown.what(), {}};
  }
}

Opinion byNormalForm(Problem &problem, const Obligations &all) {
  try {
    for (const Obligation &o : all.equations)
      if (o.left != o.right &&
          !problem.forms.isZero(problem.forms.add(problem.forms.of(o.left), problem.forms.of(o.right), -1)))
        return Opinion::Unknown;
    if (!all.growing) return Opinion::Agrees;
    const auto direction = monotone(problem, all.growing, all.score);
    return direction && *direction == (all.increasing ? 1 : -1) ? Opinion::Agrees : Opinion::Unknown;
  } catch (const std::exception &) {
    return Opinion::Unknown;
  }
}

} // namespace polymend::algebra
