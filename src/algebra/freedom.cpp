// Pivot freedom: does out(X, r) keep its value when every carried state is mended from the pivot r to any other r' and
// the pivot is read for the producer itself? Then the pivot may lag behind, or be rounded, without a final mend.
// Decided by the normal form of out(final(A s, r'), r') - out(final(s, r), r) over free states s of known signs.
#include "draft.h"

namespace polymend {
namespace algebra {
namespace {

/// The two values of one carried reduction: about the pivot r and, mended, about r'.
struct Values {
  Term before = nullptr, after = nullptr;
};

Values valuesOf(Problem &problem, const Carried &carried, std::size_t number) {
  Terms &terms = problem.terms;
  const Correction &c = carried.correction;
  const std::size_t k = c.state.size();
  if (c.carry != Monoid::Sum || k == 0 || c.mend.size() != k) throw Overgrown("only sums are mended linearly");
  Importer importer(terms);
  Terms::Map own, mended;
  std::vector<Term> state;
  state.reserve(k);
  for (std::size_t i = 0; i < k; ++i) {
    const SignSet signs = problem.forms.signs(importer.import(c.state[i]));
    const bool fixed = !(signs & Negative) || !(signs & Positive);
    const std::string name = "#" + std::to_string(number) + "." + std::to_string(i);
    state.push_back(terms.declare({name, StateRole, fixed ? signs : AnySign, problem.type}));
    own[stateSymbol(problem, std::to_string(i))] = state.back();
  }
  for (std::size_t i = 0; i < k; ++i) {
    std::vector<Term> row;
    row.reserve(k);
    for (std::size_t j = 0; j < k; ++j) row.push_back(terms.product({importer.import(c.mend[i].at(j)), state[j]}));
    mended[stateSymbol(problem, std::to_string(i))] = terms.sum(row);
  }
  const Term final = importer.import(c.final);
  return {terms.replace(final, own), terms.replace(problem.primed(final), mended)};
}

bool unchanged(Problem &problem, const Expr &out, const std::vector<Carried> &carried) {
  Terms &terms = problem.terms;
  std::vector<Values> values;
  values.reserve(carried.size());
  for (std::size_t i = 0; i < carried.size(); ++i) values.push_back(valuesOf(problem, carried[i], i));
  Term before = Importer(terms).import(out), after = problem.primed(before);
  for (std::size_t i = carried.size(); i-- > 0;) {
    before = terms.replace(before, {{terms.find(carried[i].name), values[i].before}});
    for (const char *prime : {"", "'"})
      if (const Term name = terms.find(carried[i].name + prime))
        after = terms.replace(after, {{name, values[i].after}});
  }
  return problem.forms.isZero(problem.forms.add(problem.forms.of(after), problem.forms.of(before), -1));
}

} // namespace
} // namespace algebra

bool pivotFree(const Expr &out, const std::vector<Carried> &carried, const std::vector<AlgebraSymbol> &symbols) {
  using namespace algebra;
  if (!out || oversized({Monoid::Sum, out, symbols})) return false;
  Candidate asked{Monoid::Sum, Expr::real(0), symbols};
  for (const Carried &c : carried) {
    AlgebraSymbol reduction;
    reduction.name = c.name;
    asked.symbols.push_back(reduction);
  }
  const auto problem = pose(asked, false);
  if (!problem) return false;
  try {
    return unchanged(**problem, out, carried);
  } catch (const std::exception &) {
    return false;
  }
}

} // namespace polymend
