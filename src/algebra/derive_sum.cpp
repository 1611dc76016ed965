// Sum of g(r, c): the smallest basis e over Q with e(r', c) = A(r, r') e(r, c) that spans g.
// Each chosen pivot becomes a variable u with u' = u + sum delta_t right_t(c) or u' = u rho. g separates into
// left(r) right(u, c); the right vectors, closed under u -> u', are the state; coordinates are the mend and the
// finalisation. (B) is linearity. r-only factors end in the finalisation by construction.
#include "draft.h"
#include "separate.h"

#include <algorithm>

namespace polymend::algebra {
namespace {

constexpr std::size_t largestRank = 12;

struct Moving {
  Term variable = nullptr; // u
  int atom = 0;
  std::vector<std::pair<int, Form>> shifts; // delta atom, its element factor
  int ratio = -1;                           // rho atom
};

class SumDeriver {
public:
  SumDeriver(Problem &posed, const std::vector<Pivot> &chosen)
      : problem(posed), terms(posed.terms), forms(posed.forms), pivots(chosen), span(posed.forms) {}

  Outcome run(Term g) {
    hideProducerSums(g);
    std::vector<Term> values;
    for (Pivot &p : pivots) {
      p = {hidden(p.node), hidden(p.part), hidden(p.rest), p.ratio};
      if (!(p.ratio ? moveByRatio(p) : moveByShift(p))) return {std::nullopt, reason};
      values.push_back(moving.back().variable);
    }
    parts = separate(forms, forms.of(withPivots(problem, hidden(g), pivots, values)), ProducerRole,
                     ElementRole | PivotRole);
    if (parts.blocking) return blocked(*parts.blocking);
    findSteps();
    for (const auto &[left, right] : parts.rows)
      for (const Form &one : movingAlike(right)) span.insert(one);
    if (parts.rows.empty()) span.insert(forms.number(1));
    if (!close()) return {std::nullopt, reason};
    return {assemble(), ""};
  }

private:
  Problem &problem;
  Terms &terms;
  Forms &forms;
  std::vector<Pivot> pivots;
  std::vector<Moving> moving;
  std::map<Monomial, int> deltas; // left monomial -> delta atom
  std::map<int, Form> step;       // the atom of u -> u'
  Terms::Map hide, show;          // producer-only sums <-> symbols; u, delta, rho -> what they stand for
  Separation parts;
  Span span;
  std::vector<Separation> shifted;
  Draft draft;
  std::string reason;

  Outcome blocked(const Form &blocking) {
    reason = mixing(problem, terms.replace(terms.replace(forms.toTerm(blocking), show), show));
    return {std::nullopt, reason};
  }

  Term hidden(Term term) { return terms.replace(term, hide); }
  Term shown(Term term) { return terms.replace(terms.replace(term, show), show); }

  /// A sum of producers and parameters under a root, a power or a function, or as a factor, is one symbol: its syntax
  /// survives. Multiplied out, what it is near zero would be a difference of large numbers.
  void hideProducerSums(Term term) {
    const bool opens = term->kind == Kind::Apply || term->kind == Kind::Power || term->kind == Kind::Product;
    for (Term a : term->args) {
      const bool only = (a->roles & ProducerRole) && !(a->roles & ElementRole);
      const bool exponent = term->kind == Kind::Apply && term->op == Op::Exp;
      if (opens && only && !exponent && a->kind == Kind::Sum && !hide.contains(a)) {
        const Term symbol = terms.fresh(ProducerRole, forms.signs(a));
        hide[a] = symbol;
        show[symbol] = a;
      }
      hideProducerSums(a);
    }
  }

  bool moveByShift(const Pivot &p) {
    const Separation s = separate(forms, forms.of(p.part), ProducerRole, ElementRole);
    if (s.blocking) {
      blocked(*s.blocking);
      return false;
    }
    Moving m = introduce(p);
    for (const auto &[left, right] : s.rows)
      if (forms.roles(left) & ProducerRole) m.shifts.emplace_back(deltaOf(left), right);
    moving.push_back(m);
    return true;
  }

  bool moveByRatio(const Pivot &p) {
    const Separation s = separate(forms, forms.of(p.part), ProducerRole, ElementRole);
    if (s.blocking || s.rows.size() != 1) {
      reason = "the quotient does not separate";
      return false;
    }
    Moving m = introduce(p);
    const Monomial &left = s.rows.begin()->first;
    const SignSet sign = forms.signs(left, 1);
    const bool fixed = !(sign & Negative) || !(sign & Positive);
    const Term rho = terms.fresh(ShiftRole, fixed ? Positive : NonZero);
    const Term factor = shown(forms.toTerm(left));
    const Form quotient = forms.multiply(forms.of(problem.primed(factor)), forms.power(forms.of(factor), -1));
    show[rho] = forms.toTerm(quotient);
    for (const auto &[id, power] : left.powers) {
      if (!(forms.at(id).roles & ProducerRole)) continue;
      draft.nonzero.push_back(shown(forms.atomTerm(id)));
      draft.regular.push_back(draft.nonzero.back());
    }
    if (left.exponent) draft.regular.push_back(shown(forms.toTerm(Form(forms.form(left.exponent)))));
    m.ratio = forms.symbolAtom(rho);
    moving.push_back(m);
    return true;
  }

  Moving introduce(const Pivot &p) {
    Moving m;
    m.variable = terms.fresh(PivotRole, forms.signs(p.part));
    m.atom = forms.symbolAtom(m.variable);
    show[m.variable] = p.part;
    draft.pivotNodes.push_back(shown(p.part));
    return m;
  }

  /// The atom of left(r') - left(r), each rounded as in the pivot, so that the step is the one between the two pivots.
  int deltaOf(const Monomial &left) {
    if (auto at = deltas.find(left); at != deltas.end()) return at->second;
    const Term delta = terms.fresh(ShiftRole, AnySign);
    const Term moved = shown(forms.toTerm(left));
    show[delta] = terms.subtract(problem.primed(moved), moved);
    draft.regular.push_back(moved);
    return deltas[left] = forms.symbolAtom(delta);
  }

  /// What u becomes, for each pivot u.
  void findSteps() {
    for (const Moving &m : moving) {
      Form next = forms.atom(m.atom);
      if (m.ratio >= 0) next = forms.multiply(next, forms.atom(m.ratio));
      for (const auto &[delta, factor] : m.shifts) next = forms.add(next, forms.multiply(forms.atom(delta), factor));
      step[m.atom] = next;
    }
  }

  /// The parts of a form that one factor each multiplies when the pivots move. In one sum, a factor that grows would
  /// lift the roundings of the larger part into the smaller.
  std::vector<Form> movingAlike(const Form &right) {
    std::vector<std::pair<Form, std::map<Term, Rational>>> factors; // what an exponent gains, and powers of ratios
    std::vector<Form> result;
    for (const auto &[m, q] : right.terms) {
      const Form &exponent = forms.form(m.exponent);
      std::map<Term, Rational> ratios;
      for (const Moving &pivot : moving)
        if (const auto power = m.powers.find(pivot.atom); pivot.ratio >= 0 && power != m.powers.end())
          ratios[show.at(forms.atomTerm(pivot.ratio))] += power->second;
      const std::pair factor(forms.add(forms.substitute(exponent, step), exponent, -1), ratios);
      const auto at = std::find(factors.begin(), factors.end(), factor);
      const auto place = static_cast<std::size_t>(at - factors.begin());
      if (at == factors.end()) {
        factors.push_back(factor);
        result.emplace_back();
      }
      accumulate(result[place], m, q);
    }
    return result;
  }

  /// Closes the span under u -> u'.
  bool close() {
    for (std::size_t done = 0; done < span.basis().size(); ++done) {
      if (span.basis().size() > largestRank) {
        reason = "the rank exceeds " + std::to_string(largestRank);
        return false;
      }
      const Form moved = forms.substitute(span.basis()[done], step);
      shifted.push_back(separate(forms, moved, ProducerRole | ShiftRole, ElementRole | PivotRole));
      if (shifted.back().blocking) {
        blocked(*shifted.back().blocking);
        return false;
      }
      for (const auto &[left, right] : shifted.back().rows) span.insert(right);
    }
    return true;
  }

  /// sum over rows of left * coordinates(right), one form per basis vector.
  std::vector<Form> weights(const Separation &s) {
    std::vector<Form> result(span.basis().size());
    for (const auto &[left, right] : s.rows) {
      const std::vector<Rational> coordinates = span.coordinates(right);
      for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = forms.add(result[i], forms.ofMonomial(left), coordinates[i]);
    }
    return result;
  }

  Draft assemble() {
    const std::vector<Form> last = weights(parts);
    std::vector<Term> sum;
    for (std::size_t i = 0; i < last.size(); ++i) {
      draft.state.push_back(shown(forms.toTerm(span.basis()[i])));
      sum.push_back(terms.product({shown(forms.toTerm(last[i])), stateSymbol(problem, std::to_string(i))}));
    }
    draft.final = terms.sum(sum);
    draft.keepsZero = std::any_of(last.begin(), last.end(), [&](const Form &weight) {
      return !weight.zero() && (forms.signs(weight) & ~NonNegative) == 0;
    });
    for (std::size_t i = 0; i < shifted.size(); ++i) {
      draft.mend.emplace_back();
      for (const Form &weight : weights(shifted[i])) {
        draft.mend[i].push_back(shown(forms.toTerm(weight)));
        draft.moves |= !isNumber(draft.mend[i].back(), draft.mend[i].size() == i + 1 ? 1 : 0);
      }
    }
    return draft;
  }
};

} // namespace

Outcome deriveSum(Problem &problem, Term g, const std::vector<Pivot> &pivots) {
  try {
    return SumDeriver(problem, pivots).run(g);
  } catch (const Overgrown &grown) {
    return {std::nullopt, grown.what()};
  }
}

Term stateSymbol(Problem &problem, const std::string &index) {
  return problem.terms.declare({"#" + index, StateRole, index == "n" ? NonNegative : AnySign, problem.type});
}

std::string mixing(Problem &problem, Term blocking) {
  std::vector<std::string> names;
  const Expr e = exported(problem.terms, blocking, problem.type);
  for (const Roles role : {ProducerRole, ElementRole})
    for (const std::string &name : symbols(e)) {
      const Term symbol = problem.terms.find(name);
      if (symbol && (symbol->roles & role)) names.push_back(name);
    }
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return "term " + polymend::show(e) + " mixes " + list + " and has no finite rank";
}

} // namespace polymend::algebra
