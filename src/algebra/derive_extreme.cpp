// Maximum or minimum of g(r, c). If g = a0(r) + a(r) b(c) with a of known sign, under increasing outer functions, or if
// g is monotone in one c-only score b, then the extreme of g is g at the extreme of b: carry max b or min b, no mend.
// (B) is the monotonicity of the finalisation.
#include "algebra/draft.h"
#include "algebra/separate.h"

#include <set>

namespace polymend::algebra {
namespace {

class ExtremeDeriver {
public:
  ExtremeDeriver(Problem &posed, Term element) : problem(posed), terms(posed.terms), forms(posed.forms), g(element) {}

  Outcome run() {
    if (auto draft = affine()) return {draft, ""};
    if (auto draft = monotoneScore()) return {draft, ""};
    return {std::nullopt, reason};
  }

private:
  Problem &problem;
  Terms &terms;
  Forms &forms;
  Term g;
  std::string reason;

  Draft carrying(Term score, int direction, Term final) {
    Draft draft;
    const bool largest = (problem.monoid == Monoid::Max) == (direction > 0);
    draft.carry = largest ? Monoid::Max : Monoid::Min;
    draft.state = {score};
    draft.mend = {{terms.number(1)}};
    draft.final = final;
    return draft;
  }

  /// g = outer(a0(r) + a(r) b(c)) with outer increasing.
  std::optional<Draft> affine() {
    std::vector<Term> outer;
    Term inner = g;
    while (inner->kind == Kind::Apply && (inner->op == Op::Exp || inner->op == Op::Log || inner->op == Op::Tanh)) {
      outer.push_back(inner);
      inner = inner->args[0];
    }
    const Separation parts = separate(forms, forms.of(inner), ProducerRole, ElementRole);
    if (parts.blocking) {
      reason = mixing(problem, forms.toTerm(*parts.blocking));
      return std::nullopt;
    }
    Form offset, slope;
    std::map<Monomial, Form> scores;
    Span span(forms);
    for (const auto &[left, right] : parts.rows) {
      Form score = right;
      if (auto constant = score.terms.find(Monomial{}); constant != score.terms.end()) {
        accumulate(offset, left, constant->second);
        score.terms.erase(constant);
      }
      if (score.zero()) continue;
      span.insert(score);
      scores[left] = score;
    }
    if (span.basis().size() != 1) {
      reason = "the element is not a function of one score: it has " + std::to_string(span.basis().size());
      return std::nullopt;
    }
    for (const auto &[left, score] : scores) accumulate(slope, left, span.coordinates(score)[0]);
    const SignSet sign = forms.signs(slope);
    if ((sign & Negative) && (sign & Positive)) {
      reason = "the sign of the factor " + polymend::show(exported(terms, forms.toTerm(slope), problem.type)) +
               " is not known";
      return std::nullopt;
    }
    const Term score = terms.product({forms.toTerm(slope), stateSymbol(problem, "0")});
    Term final = terms.sum({forms.toTerm(offset), score});
    for (auto it = outer.rbegin(); it != outer.rend(); ++it) final = terms.apply((*it)->op, {final});
    return carrying(forms.toTerm(span.basis()[0]), (sign & Negative) ? -1 : 1, final);
  }

  /// The largest c-only subterms of g.
  static void scoresOf(Term term, std::set<Term> &scores) {
    if (!(term->roles & ElementRole)) return;
    if (!(term->roles & ProducerRole))
      scores.insert(term);
    else
      for (Term a : term->args) scoresOf(a, scores);
  }

  std::optional<Draft> monotoneScore() {
    std::set<Term> scores;
    scoresOf(g, scores);
    if (scores.size() != 1) return std::nullopt;
    const Term score = *scores.begin();
    const auto direction = monotone(problem, g, score);
    if (!direction || *direction == 0) {
      reason += "; the element is not monotone in " + polymend::show(exported(terms, score, problem.type));
      return std::nullopt;
    }
    return carrying(score, *direction, terms.replace(g, {{score, stateSymbol(problem, "0")}}));
  }
};

} // namespace

Outcome deriveExtreme(Problem &problem, Term g) {
  try {
    return ExtremeDeriver(problem, g).run();
  } catch (const Overgrown &grown) {
    return {std::nullopt, grown.what()};
  }
}

} // namespace polymend::algebra
