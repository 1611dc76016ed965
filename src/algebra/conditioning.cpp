// The conditioning obligation of a sum: every product into which the correction splits an element stays within a factor
// of a value that the source computes from it. What holds where:
//   pivot c - r, r the running extreme of c      u and its shift have one sign, so that no term of (u + d)^p cancels
//   pivot c - r, r the running (weighted) mean   |u| stays below the spread of c, twice the largest |c - r| at the end,
//                                                unless r takes in elements that the sum does not
//   pivot c / r                                  one factor: overflow is seen and the row computed again
//   pivot under exp                              u <= 0, or it only falls: nothing that counts in the end underflows
//   a difference left whole, linear              all its operands but one are rounded by the source at their own size;
//                                                about a pivot, no earlier value of an operand is larger than that
// Anything else cancels or leaves the range and is refused, with the term.
// The rules above are all in this file.
#include "draft.h"

#include <algorithm>
#include <cmath>

namespace polymend::algebra {
namespace {

enum Position : unsigned { Polynomial = 1, Exponent = 2, Angle = 4 };

bool holdsSign(SignSet signs, SignSet allowed) { return (signs & ~allowed) == 0; }

bool transparent(const TermNode &term) {
  switch (term.op) {
  case Op::Abs:
  case Op::Max:
  case Op::Min:
  case Op::FMax:
  case Op::FMin:
  case Op::Select: return true;
  default: return false;
  }
}

class Conditions {
public:
  Conditions(Problem &posed, Draft &judged, Term element, const std::vector<Pivot> &chosen)
      : problem(posed), terms(posed.terms), forms(posed.forms), draft(judged), pivots(chosen) {
    std::vector<Term> values;
    for (const Pivot &p : pivots) {
      values.push_back(terms.fresh(PivotRole, forms.signs(p.part)));
      shown[values.back()] = p.part;
    }
    whole = withPivots(problem, element, pivots, values);
    variables = values;
  }

  void run() {
    if (draft.unsafe >= 2 && draft.offending) return refuse(draft.offending, "leaves the range of its type");
    for (std::size_t k = 0; k < pivots.size() && draft.illConditioned.empty(); ++k)
      if (pivots[k].ratio)
        argue("scaled by the running " + namesIn(pivots[k].part));
      else
        pivot(pivots[k], variables[k]);
    if (draft.illConditioned.empty()) walk(whole, true);
    if (draft.conditioning.empty()) draft.conditioning = "bounded by the source's own terms";
  }

private:
  Problem &problem;
  Terms &terms;
  Forms &forms;
  Draft &draft;
  const std::vector<Pivot> &pivots;
  std::vector<Term> variables;
  Terms::Map shown;
  Term whole = nullptr;

  void argue(const std::string &argument) {
    if (draft.conditioning.find(argument) != std::string::npos) return;
    draft.conditioning += (draft.conditioning.empty() ? "" : "; ") + argument;
  }

  void refuse(Term node, const std::string &what) {
    draft.illConditioned = "over the reals the sum can be mended; in floating point " +
                           polymend::show(exported(terms, node, problem.type)) + " " + what;
  }

  std::string namesIn(Term term) const {
    std::string list;
    for (Term r : problem.producers)
      if (contains(term, r)) list += (list.empty() ? "" : ", ") + r->name;
    return list;
  }

  SignSet orderedSigns(const Form &form) {
    const OrderScope scope(problem);
    return forms.signs(form);
  }

  void pivot(const Pivot &p, Term variable) {
    const unsigned at = positions(whole, variable, Polynomial);
    const std::string names = namesIn(p.part);
    if (sameSign(p.part)) return argue("pivoted about the running " + names + ": no terms of opposite signs");
    const bool once = degree(whole, variable) <= 1;
    if (isMean(p.part, once) && !underMask(whole, variable)) return argue("pivoted about the running mean " + names);
    if ((at & Exponent) && !falls(p.part))
      return refuse(terms.apply(Op::Exp, {p.part}), "may vanish at an earlier " + names);
    if ((at & Polynomial) && !(exactOperands(p.part) <= 1 && once)) return refuse(p.part, "cancels");
    if ((at & Polynomial) && !isLinear(p.part)) return refuse(p.part, "may be far larger at an earlier " + names);
    argue("pivoted about the running " + names);
  }

  /// Does each term hold one producer at most, itself? Then no earlier value of a term is larger than what the source
  /// rounds to make that producer, as those of a quotient or an exponential of producers may be.
  bool isLinear(Term part) {
    for (const auto &[m, q] : forms.of(part).terms) {
      if (!(forms.roles(m) & ProducerRole)) continue;
      const auto one = std::find_if(problem.producers.begin(), problem.producers.end(), [&](Term r) {
        const auto found = m.powers.find(forms.symbolAtom(r));
        return found != m.powers.end() && found->second == 1;
      });
      if (one == problem.producers.end()) return false;
      Monomial rest = m;
      rest.powers.erase(forms.symbolAtom(*one));
      if (forms.roles(rest) & ProducerRole) return false;
    }
    return true;
  }

  /// Where the variable stands: among sums and products, under an exponential, under a sine or cosine.
  static unsigned positions(Term term, Term variable, unsigned here) {
    if (term == variable) return here;
    unsigned below = here;
    if (term->kind == Kind::Apply && term->op == Op::Exp) below = Exponent;
    if (term->kind == Kind::Apply && (term->op == Op::Sin || term->op == Op::Cos)) below = Angle;
    unsigned result = 0;
    for (Term a : term->args) result |= positions(a, variable, below);
    return result;
  }

  /// The largest power of the variable in the expanded polynomial; functions of it do not count.
  static double degree(Term term, Term variable) {
    if (term == variable) return 1;
    double result = 0;
    if (term->kind == Kind::Apply && !transparent(*term)) return 0;
    for (Term a : term->args) {
      const double d = degree(a, variable);
      result = term->kind == Kind::Product ? result + d : std::max(result, d);
    }
    return term->kind == Kind::Power ? result * term->value.convert_to<double>() : result;
  }

  /// The one extreme that a monomial is a multiple of, and the multiple; none: it holds something else of producers, or
  /// one that is mended itself, whose running value may go beyond what it ends at.
  struct Multiple {
    std::size_t producer = 0;
    Form factor;
  };
  std::optional<Multiple> ofExtreme(const Monomial &m, const Rational &q) {
    for (std::size_t i = 0; i < problem.producers.size(); ++i) {
      if (problem.reduction[i] != Monoid::Max && problem.reduction[i] != Monoid::Min) continue;
      if (problem.mended[i]) continue;
      const int atom = forms.symbolAtom(problem.producers[i]);
      const auto found = m.powers.find(atom);
      if (found == m.powers.end() || found->second != 1) continue;
      Monomial rest = m;
      rest.powers.erase(atom);
      if (forms.roles(rest) & ~ParameterRole) return std::nullopt;
      return Multiple{i, forms.ofMonomial(rest, q)};
    }
    return std::nullopt;
  }

  SignSet growth(const Multiple &multiple) const {
    return problem.reduction[multiple.producer] == Monoid::Max ? NonNegative : NonPositive;
  }

  /// Do the difference and every step of its producers have one sign, whatever the sign of a factor of both?
  bool sameSign(Term part) {
    const Form form = forms.of(part);
    std::vector<Multiple> extremes;
    for (const auto &[m, q] : form.terms) {
      if (!(forms.roles(m) & ProducerRole)) continue;
      const auto one = ofExtreme(m, q);
      if (!one) return false;
      extremes.push_back(*one);
    }
    if (extremes.empty()) return false;
    const Form scaled = extremes.size() == 1 ? forms.multiply(form, forms.power(extremes[0].factor, -1)) : form;
    SignSet step = extremes.size() == 1 ? growth(extremes[0]) : 0U;
    for (const Multiple &one : extremes)
      if (extremes.size() > 1) step |= productSigns(forms.signs(one.factor), growth(one));
    const SignSet own = orderedSigns(scaled);
    return (holdsSign(own, NonPositive) && holdsSign(step, NonPositive)) ||
           (holdsSign(own, NonNegative) && holdsSign(step, NonNegative));
  }

  /// Does the exponent only fall as its producers move? A logarithm of a producer scales as a quotient does.
  bool falls(Term part) {
    for (const auto &[m, q] : forms.of(part).terms) {
      if (!(forms.roles(m) & ProducerRole) || isLogarithm(m)) continue;
      const auto one = ofExtreme(m, q);
      if (!one || !holdsSign(productSigns(forms.signs(one->factor), growth(*one)), NonPositive)) return false;
    }
    return true;
  }

  bool isLogarithm(const Monomial &m) {
    return m.powers.size() == 1 && !m.exponent && forms.at(m.powers.begin()->first).op == Op::Log &&
           forms.at(m.powers.begin()->first).kind == Kind::Apply;
  }

  /// Is the variable left out for some elements? What is left out may decide where a mean is.
  static bool underMask(Term term, Term variable) {
    const auto holds = [variable](Term a) { return contains(a, variable); };
    if (term->kind == Kind::Apply && term->op == Op::Select)
      return std::any_of(term->args.begin(), term->args.end(), holds);
    return std::any_of(term->args.begin(), term->args.end(), [variable](Term a) { return underMask(a, variable); });
  }

  /// c - r where r is the mean, or a weighted mean, of the same c: r = sum of weights times c over sum of weights. Of a
  /// difference that is used once, c may be one operand of several: what is added to c - r moves with nothing. A number
  /// has no spread: what weighs it is a sum of weights, no mean.
  bool isMean(Term part, bool once) {
    Form elements, producers;
    for (const auto &[m, q] : forms.of(part).terms)
      accumulate((forms.roles(m) & ProducerRole) ? producers : elements, m, (forms.roles(m) & ProducerRole) ? -q : q);
    if (producers.terms.size() != 1 || !(forms.roles(elements) & ElementRole)) return false;
    std::vector<Form> means{elements};
    for (const auto &[m, q] : elements.terms)
      if (once && elements.terms.size() > 1 && (forms.roles(m) & ElementRole)) means.push_back(forms.ofMonomial(m, q));
    const auto &[m, q] = *producers.terms.begin();
    for (std::size_t i = 0; i < problem.producers.size(); ++i) {
      const auto found = m.powers.find(forms.symbolAtom(problem.producers[i]));
      if (problem.reduction[i] != Monoid::Sum || !problem.reduced[i] || found == m.powers.end() || found->second != 1)
        continue;
      if (problem.beyond[i]) continue;
      Monomial rest = m;
      rest.powers.erase(found->first);
      const Form summed = forms.multiply(forms.ofMonomial(rest, q), forms.of(problem.reduced[i]));
      if (std::any_of(means.begin(), means.end(), [&](const Form &c) { return isWeighted(summed, c, i); })) return true;
    }
    return false;
  }

  /// Is `summed` the element over the number of elements, or times one of weights that sum to one, or times a weight
  /// that is not negative over a parameter, which normalises it as the number of elements does a plain mean?
  bool isWeighted(const Form &summed, const Form &element, std::size_t producer) {
    const auto &[lead, k] = *element.terms.begin();
    const Form inverse = forms.ofMonomial(forms.power(lead, -1), 1 / k);
    for (const auto &[m, q] : summed.terms) {
      const Form weight = forms.multiply(forms.ofMonomial(m, q), inverse);
      if (!forms.isZero(forms.add(summed, forms.multiply(weight, element), -1))) continue;
      const bool isSame = !(forms.roles(weight) & (ElementRole | ProducerRole));
      if (isSame ? isShare(weight, problem.count[producer]) : sumsToOne(weight)) return true;
      if (isSame) continue;
      if (!(forms.roles(weight) & ProducerRole) && isNormalised(weight)) return true;
    }
    return false;
  }

  /// Is the weight about one over so many elements, or over a size where sizes decide?
  bool isShare(const Form &weight, double count) {
    constexpr double about = 2;
    if (weight.terms.size() != 1) return false;
    const auto &[m, q] = *weight.terms.begin();
    if (m.exponent || m.powers.size() > 1) return false;
    const double size = std::abs(q.convert_to<double>());
    if (m.powers.empty()) return count > 0 && 1 / about <= size * count && size * count <= about;
    const int atom = m.powers.begin()->first;
    const Rational &power = m.powers.begin()->second;
    const bool isSize = std::any_of(problem.natural.begin(), problem.natural.end(),
                                    [&](Term term) { return forms.symbolAtom(term) == atom; });
    return isSize && power == -1 && 1 / about <= size && size <= about;
  }

  /// Is it elements that are not negative, over parameters?
  bool isNormalised(const Form &weight) {
    if (weight.terms.size() != 1) return false;
    const Monomial &all = weight.terms.begin()->first;
    Monomial own = all;
    bool isOver = false;
    for (const auto &[atom, power] : all.powers) {
      if (forms.at(atom).roles & ElementRole) continue;
      if (power > 0) return false;
      isOver = true;
      own.powers.erase(atom);
    }
    return isOver && holdsSign(forms.signs(forms.ofMonomial(own)), NonNegative);
  }

  bool sumsToOne(const Form &weight) {
    for (std::size_t i = 0; i < problem.producers.size(); ++i) {
      if (problem.reduction[i] != Monoid::Sum || !problem.reduced[i]) continue;
      const Form share = forms.of(problem.reduced[i]);
      const Form scaled = forms.multiply(weight, forms.atom(forms.symbolAtom(problem.producers[i])));
      if (holdsSign(forms.signs(problem.reduced[i]), NonNegative) && forms.isZero(forms.add(scaled, share, -1)))
        return true;
    }
    return false;
  }

  /// Operands of a sum that reach it without a rounding of the source.
  std::size_t exactOperands(Term sum) const {
    if (sum->kind != Kind::Sum) return 1;
    return static_cast<std::size_t>(
        std::count_if(sum->args.begin(), sum->args.end(), [this](Term t) { return isExact(t); }));
  }

  bool isExact(Term term) const {
    if (term->kind == Kind::Product && term->args.size() == 2 && isNumber(term->args[0], -1)) term = term->args[1];
    if (term->kind != Kind::Symbol) return term->kind == Kind::Number;
    const auto at = std::find(problem.producers.begin(), problem.producers.end(), term);
    if (at == problem.producers.end()) return true;
    const auto i = static_cast<std::size_t>(at - problem.producers.begin());
    const bool extreme = problem.reduction[i] == Monoid::Max || problem.reduction[i] == Monoid::Min;
    return extreme && (!problem.reduced[i] || isExact(problem.reduced[i]) || transparent(*problem.reduced[i]));
  }

  /// Does it hold what moves with the producers, and elements? A quotient that is a pivot moves by a factor.
  bool mixed(Term term) const {
    if (!(term->roles & (ElementRole | PivotRole))) return false;
    if (term->roles & ProducerRole) return true;
    for (std::size_t k = 0; k < pivots.size(); ++k)
      if (pivots[k].ratio && term != variables[k] && contains(term, variables[k])) return true;
    return false;
  }

  /// Does a sum of producers and elements that is expanded stand in the term?
  bool expands(Term term) {
    if (!mixed(term)) return false;
    if (term->kind == Kind::Sum && !oneSigned(term)) return true;
    if (term->kind == Kind::Apply && !transparent(*term)) return false;
    return std::any_of(term->args.begin(), term->args.end(), [this](Term a) { return expands(a); });
  }

  /// Is the term, as it was resolved by the signs of its operands, still of producers and elements?
  bool splits(Term term) {
    const Roles roles = forms.roles(forms.of(term));
    return (roles & ProducerRole) && (roles & (ElementRole | PivotRole));
  }

  bool oneSigned(Term sum) {
    SignSet all = 0;
    for (Term t : sum->args) all |= forms.signs(t);
    return holdsSign(all, NonNegative) || holdsSign(all, NonPositive);
  }

  /// Every sum that is expanded although it mixes producers and elements.
  void walk(Term term, bool linear) {
    if (!mixed(term) || !draft.illConditioned.empty()) return;
    if (term->kind == Kind::Apply && (!transparent(*term) || !splits(term))) return;
    if (term->kind == Kind::Sum && !oneSigned(term)) {
      if (!linear || exactOperands(term) > 1) return refuse(terms.replace(term, shown), "cancels");
      argue("bounded by what the source rounds");
    }
    const bool several = term->kind == Kind::Product &&
                         std::count_if(term->args.begin(), term->args.end(), [this](Term a) { return expands(a); }) > 1;
    const bool below = linear && !several && (term->kind != Kind::Power || term->value == 1);
    for (Term a : term->args) walk(a, below);
  }
};

} // namespace

void condition(Problem &problem, Draft &draft, Term g, const std::vector<Pivot> &pivots) {
  try {
    Conditions(problem, draft, g, pivots).run();
  } catch (const Overgrown &grown) {
    draft.illConditioned = grown.what();
  }
}

} // namespace polymend::algebra
