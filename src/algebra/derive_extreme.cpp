// Maximum or minimum of g(r, c). If g = a0(r) + a(r) b(c) with a of known sign, under increasing outer functions, or if
// g is monotone in one c-only score b, then the extreme of g is g at the extreme of b: carry max b or min b, no mend.
// (B) is the monotonicity of the finalisation. An even power grows with the size of its base. Conditioning: the score
// must not be split from a function of the producers (exp(c - r) c into exp(c) c, (c / r)^2 into c^2), nor a factor be
// multiplied out of a difference: what is finished is the source's element at the extreme one.
#include "draft.h"
#include "separate.h"

namespace polymend::algebra {
namespace {

class ExtremeDeriver {
public:
  ExtremeDeriver(Problem &posed, Term element) : problem(posed), terms(posed.terms), forms(posed.forms), g(element) {}

  Outcome run() {
    if (auto draft = affine(g)) return {draft, ""};
    if (auto draft = monotoneScore()) return {draft, ""};
    return {std::nullopt, illConditioned.empty() ? reason : illConditioned};
  }

private:
  Problem &problem;
  Terms &terms;
  Forms &forms;
  Term g;
  std::string reason, illConditioned;

  void refuse(Term node, const std::string &what) {
    illConditioned = std::string("over the reals ") + (problem.monoid == Monoid::Max ? "the maximum" : "the minimum") +
                     " can be carried; in floating point " + polymend::show(exported(terms, node, problem.type)) + " " +
                     what;
  }

  /// The symbol that stands for the extreme of the score, which has the signs of the score.
  Term carriedSymbol(Term score) { return terms.declare({"#0", StateRole, forms.signs(score), problem.type}); }

  Draft carrying(Term score, int direction, Term final) {
    Draft draft;
    draft.conditioning = "finished as the source's own element";
    const bool largest = (problem.monoid == Monoid::Max) == (direction > 0);
    draft.carry = largest ? Monoid::Max : Monoid::Min;
    draft.state = {score};
    draft.mend = {{terms.number(1)}};
    draft.final = final;
    return draft;
  }

  /// Does the function that the term applies last grow with its first operand, or with the size of it?
  bool growsOuter(Term term) {
    if (term->kind == Kind::Apply) return term->op == Op::Exp || term->op == Op::Log || term->op == Op::Tanh;
    if (term->kind != Kind::Power || term->value <= 0 || !(term->roles & ProducerRole)) return false;
    return even(term->value) || !(forms.signs(term->args[0]) & Negative) || integral(term->value);
  }

  /// g = outer(a0(r) + a(r) b(c)) with outer increasing.
  std::optional<Draft> affine(Term whole) {
    std::vector<Term> outer;
    Term inner = whole;
    while (growsOuter(inner)) {
      outer.push_back(inner);
      const bool size = inner->kind == Kind::Power && even(inner->value);
      inner = inner->args[0];
      if (size && (forms.signs(inner) & Negative)) inner = forms.toTerm(forms.absolute(forms.of(inner)));
    }
    if (Term part = unsafePart(problem, inner)) {
      refuse(part, "leaves the range of its type");
      return std::nullopt;
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
    if (!offset.zero() && inner->kind == Kind::Product) {
      refuse(inner, "cancels when it is multiplied out");
      return std::nullopt;
    }
    const Term state = forms.toTerm(span.basis()[0]);
    const Term score = terms.product({forms.toTerm(slope), carriedSymbol(state)});
    Term final = terms.sum({forms.toTerm(offset), score});
    for (auto it = outer.rbegin(); it != outer.rend(); ++it)
      final = (*it)->kind == Kind::Power ? terms.power(final, (*it)->value) : terms.apply((*it)->op, {final});
    return carrying(state, (sign & Negative) ? -1 : 1, final);
  }

  /// The largest c-only subterms of g.
  static void scoresOf(Term term, TermSet &scores) {
    if (!(term->roles & ElementRole)) return;
    if (!(term->roles & ProducerRole))
      scores.insert(term);
    else
      for (Term a : term->args) scoresOf(a, scores);
  }

  std::optional<Draft> monotoneScore() {
    TermSet scores;
    scoresOf(g, scores);
    if (scores.size() != 1) return std::nullopt;
    const Term score = *scores.begin();
    const auto direction = monotone(problem, g, score);
    if (!direction || *direction == 0) {
      reason += "; the element is not monotone in " + polymend::show(exported(terms, score, problem.type));
      return std::nullopt;
    }
    return carrying(score, *direction, terms.replace(g, {{score, carriedSymbol(score)}}));
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
