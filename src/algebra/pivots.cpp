// Which mixed subterms may become pivots: sums of an element part and a producer part (c - r), where also only some of
// the producer terms may move into the pivot, and quotients under a power or a logarithm ((c/r)^p, log(c/r)).
#include "draft.h"
#include "separate.h"

#include <algorithm>

namespace polymend::algebra {
namespace {

constexpr std::size_t mostPivots = 6;

class Finder {
public:
  Finder(Problem &posed) : problem(posed) {}

  std::vector<Pivot> run(Term g) {
    look(g, false);
    found.insert(found.end(), partial.begin(), partial.end());
    if (found.size() > mostPivots) found.resize(mostPivots);
    return found;
  }

private:
  Problem &problem;
  std::vector<Pivot> found, partial;
  std::vector<Term> seen;

  void look(Term term, bool powered) {
    const bool below = powered || (term->kind == Kind::Power && term->value != -1) ||
                       (term->kind == Kind::Apply && term->op == Op::Log);
    for (Term a : term->args) look(a, below);
    if (std::find(seen.begin(), seen.end(), term) != seen.end()) return;
    const bool mixed = (term->roles & ProducerRole) && (term->roles & ElementRole);
    if (!mixed) return;
    if (term->kind == Kind::Sum && isShift(term)) {
      found.push_back({term, term, problem.terms.number(0), false});
      offerParts(term);
      seen.push_back(term);
    }
    if (term->kind == Kind::Product && powered && isRatio(term)) {
      found.push_back({term, term, problem.terms.number(0), true});
      seen.push_back(term);
    }
  }

  bool isShift(Term term) {
    bool producer = false, element = false;
    for (const auto &[m, q] : problem.forms.of(term).terms) {
      const Roles roles = problem.forms.roles(m);
      producer |= (roles & ProducerRole) != 0;
      element |= (roles & ElementRole) && !(roles & ProducerRole);
    }
    return producer && element;
  }

  bool isRatio(Term term) {
    const Separation s = separate(problem.forms, problem.forms.of(term), ProducerRole, ElementRole);
    return !s.blocking && s.rows.size() == 1 && s.rows.begin()->second.terms.size() == 1 &&
           (problem.forms.roles(s.rows.begin()->first) & ProducerRole) &&
           (problem.forms.roles(s.rows.begin()->second) & ElementRole);
  }

  /// Pivots over some of several producer-only terms: in c - m - log l also c - m and c - log l.
  void offerParts(Term sum) {
    std::vector<Term> producers;
    for (Term t : sum->args)
      if ((t->roles & ProducerRole) && !(t->roles & ElementRole)) producers.push_back(t);
    if (producers.size() < 2 || producers.size() > 3) return;
    for (unsigned chosen = 1; chosen + 1 < (1U << producers.size()); ++chosen) {
      std::vector<Term> rest;
      for (std::size_t i = 0; i < producers.size(); ++i)
        if (!(chosen >> i & 1U)) rest.push_back(producers[i]);
      const Term left = problem.terms.sum(rest);
      std::vector<Term> part;
      for (Term t : sum->args)
        if (std::find(rest.begin(), rest.end(), t) == rest.end()) part.push_back(t);
      partial.push_back({sum, problem.terms.sum(part), left, false});
    }
  }
};

} // namespace

std::vector<Pivot> pivotsOf(Problem &problem, Term g) { return Finder(problem).run(g); }

Term withPivots(Problem &problem, Term g, const std::vector<Pivot> &pivots, const std::vector<Term> &values) {
  Terms::Map map;
  for (std::size_t i = 0; i < pivots.size(); ++i) map[pivots[i].node] = problem.terms.sum({values[i], pivots[i].rest});
  return problem.terms.replace(g, map);
}

} // namespace polymend::algebra
