// derive: every way to choose pivots gives at most one draft; drafts that keep the source's domain are written as
// expressions, proved from those expressions alone by three opinions, and ranked. A draft is accepted iff the normal
// form proves it, neither the evaluation nor the solver refutes it, and it is well conditioned. Order facts are tried
// only where nothing else helps, because a correction that needs them has no free pivot.
// The search stands in one file: it is one loop over what may be tried.
#include "draft.h"
#include "obligations.h"

#include "polymend/classes.h"

#include <algorithm>
#include <array>
#include <set>

namespace polymend {
namespace algebra {
namespace {

constexpr std::size_t mostProofs = 4;
constexpr unsigned solverSteps = 1000000;

const char *nameOf(Monoid monoid) {
  switch (monoid) {
  case Monoid::Sum: return "a sum";
  case Monoid::Product: return "a product";
  case Monoid::Max: return "a maximum";
  case Monoid::Min: return "a minimum";
  }
  return "";
}

std::string wordOf(Opinion opinion, const char *agreement) {
  switch (opinion) {
  case Opinion::Agrees: return agreement;
  case Opinion::Refuted: return "refuted";
  case Opinion::Timeout: return "timeout";
  case Opinion::Unknown: break;
  }
  return "unknown";
}

/// The producers that the state or its mend reads.
std::vector<std::string> watched(const Problem &problem, const Draft &draft) {
  std::vector<std::string> names;
  for (Term r : problem.producers) {
    auto reads = [r](Term t) { return contains(t, r); };
    const bool inState = std::any_of(draft.state.begin(), draft.state.end(), reads);
    const bool inMend = std::any_of(draft.mend.begin(), draft.mend.end(),
                                    [&](const auto &row) { return std::any_of(row.begin(), row.end(), reads); });
    if (inState || inMend) names.push_back(r->name);
  }
  return names;
}

Correction written(Problem &problem, const Draft &draft) {
  auto expression = [&](Term t) { return exported(problem.terms, t, problem.type); };
  auto all = [&](const std::vector<Term> &terms) {
    std::vector<Expr> result;
    TermSet seen;
    for (Term t : terms)
      if (seen.insert(t).second) result.push_back(expression(t));
    return result;
  };
  Correction c;
  c.carry = draft.carry;
  for (Term e : draft.state) c.state.push_back(expression(e));
  for (const auto &row : draft.mend) {
    c.mend.emplace_back();
    for (Term a : row) c.mend.back().push_back(expression(a));
  }
  c.final = expression(draft.final);
  c.pivots = watched(problem, draft);
  c.pivotNodes = all(draft.pivotNodes);
  c.regular = all(draft.regular);
  c.nonzero = all(draft.nonzero);
  c.singular = all(draft.singular);
  c.moves = draft.moves;
  c.counted = draft.counted;
  c.keepsZero = draft.keepsZero;
  c.freePivot = (draft.carry == Monoid::Sum || draft.carry == Monoid::Product) && !problem.ordered;
  return c;
}

/// Lower is better: safety, centring, bounded exponents, producers to watch, rank, mends, size.
auto cost(const Problem &problem, const Draft &draft) {
  double size = draft.final ? draft.final->size : 0;
  for (Term e : draft.state) size += e->size;
  for (const auto &row : draft.mend)
    for (Term a : row) size += a->size;
  return std::tuple(draft.unsafe, draft.uncentred, draft.unordered, watched(problem, draft).size(), draft.state.size(),
                    draft.moves, size);
}

class Deriver {
public:
  Deriver(const Candidate &asked, Problem &posed) : candidate(asked), problem(posed) {}

  std::vector<Correction> run() {
    const Term g = problem.element;
    switch (problem.monoid) {
    case Monoid::Sum: sums(g); break;
    case Monoid::Product:
      take(deriveProduct(problem, g, false));
      take(deriveProduct(problem, g, true));
      break;
    default: take(deriveExtreme(problem, g)); break;
    }
    rank();
    return proved();
  }

  std::string reason;

private:
  const Candidate &candidate;
  Problem &problem;
  std::vector<Draft> drafts;

  void take(Outcome outcome) {
    if (outcome.draft)
      if (auto lost = keepDomain(problem, *outcome.draft, problem.element)) outcome = {std::nullopt, *lost};
    if (!outcome.draft) {
      if (reason.empty()) reason = outcome.reason;
      return;
    }
    const bool known = std::any_of(drafts.begin(), drafts.end(), [&](const Draft &d) {
      return d.state == outcome.draft->state && d.final == outcome.draft->final && d.mend == outcome.draft->mend;
    });
    if (!known) drafts.push_back(std::move(*outcome.draft));
  }

  void sums(Term g) {
    const std::vector<Pivot> offered = pivotsOf(problem, g);
    for (unsigned chosen = 0; chosen < (1U << offered.size()); ++chosen) {
      std::vector<Pivot> pivots;
      TermSet nodes;
      for (std::size_t i = 0; i < offered.size(); ++i)
        if (chosen >> i & 1U) {
          pivots.push_back(offered[i]);
          nodes.insert(offered[i].node);
        }
      if (nodes.size() != pivots.size()) continue;
      Outcome outcome = deriveSum(problem, g, pivots);
      if (outcome.draft) {
        judge(problem, *outcome.draft, g, pivots);
        condition(problem, *outcome.draft, g, pivots);
      }
      take(std::move(outcome));
    }
  }

  void rank() {
    std::multimap<decltype(cost(problem, Draft())), Draft> ordered;
    for (Draft &d : drafts) ordered.emplace(cost(problem, d), std::move(d));
    drafts.clear();
    for (auto &entry : ordered) drafts.push_back(std::move(entry.second));
    const std::string ill = drafts.empty() ? "" : drafts.front().illConditioned;
    std::erase_if(drafts, [](const Draft &d) { return !d.illConditioned.empty(); });
    if (drafts.empty() && !ill.empty()) reason = ill;
    if (drafts.size() > mostProofs) drafts.resize(mostProofs);
  }

  std::vector<Correction> proved() {
    std::vector<Correction> result;
    std::vector<Obligations> open;
    for (const Draft &draft : drafts) {
      Correction c = written(problem, draft);
      const auto all = obligations(problem, c);
      if (!all || byNormalForm(problem, *all) != Opinion::Agrees) {
        if (reason.empty()) reason = "a derived correction could not be proved";
        continue;
      }
      c.proof.normalForm = "proved";
      c.proof.conditioning = draft.conditioning;
      c.proof.numeric = wordOf(byEvaluation(problem, *all), "agrees");
      if (byTrial(candidate, c) == Opinion::Refuted) {
        reason = "over the reals it can be mended; in floating point the state " + show(c.state.front()) +
                 " loses digits on values far from zero or far apart";
        continue;
      }
      result.push_back(std::move(c));
      open.push_back(*all);
    }
    const std::vector<Opinion> solver = bySolver(problem, open, solverSteps);
    for (std::size_t i = 0; i < result.size(); ++i) result[i].proof.z3 = wordOf(solver[i], "proved");
    const std::size_t before = result.size();
    std::erase_if(result, [](const Correction &c) { return c.proof.numeric == "refuted" || c.proof.z3 == "refuted"; });
    if (result.empty() && before > 0) reason = "a derived correction was refuted by a second opinion";
    return result;
  }
};

} // namespace
} // namespace algebra

namespace {

bool isSum(const Expr &e) { return (e.op() == Op::Add || e.op() == Op::Sub) && isFloating(e.type()); }

/// The element with the extreme of the state in the state's place, if that is all of it that moves with elements: what
/// the source computes there, each rounding of it, as one that waits for the extreme computes it. A size or a negated
/// number stands for the number.
std::optional<Expr> elementAtTheExtreme(const Correction &correction, const Candidate &candidate) {
  const Expr &state = correction.state[0];
  const bool isNegated = state.op() == Op::Neg;
  for (const Expr &score : {state, isNegated || state.op() == Op::Abs ? state.arg(0) : state}) {
    const bool negates = isNegated && !equal(score, state);
    Expr final = rewrite(candidate.element, [&](const Expr &node) {
      if (!equal(node, score)) return node;
      const Expr extreme = Expr::symbol("#0", node.type());
      return negates ? Expr::make(Op::Neg, node.type(), {extreme}) : extreme;
    });
    const std::set<std::string> used = polymend::symbols(final);
    const bool moves = std::ranges::any_of(candidate.symbols, [&](const AlgebraSymbol &symbol) {
      return symbol.role == AlgebraSymbol::Role::Element && used.contains(symbol.name);
    });
    if (!moves && identical(final, correction.final, candidate.symbols)) return final;
  }
  return std::nullopt;
}

/// A state that is the element itself is written as the source writes it, and so is each sum in it that is one of the
/// source's: equal parts of other elements are then seen to be equal, and rounding is the source's. What cancels out of
/// the element is not in the state, which takes in elements while producers run.
void inSourceForm(Correction &correction, const Candidate &candidate) {
  const bool plain = correction.state.size() == 1 && correction.final.op() == Op::Symbol &&
                     polymend::symbols(correction.state[0]) == polymend::symbols(candidate.element);
  if (plain && identical(correction.state[0], candidate.element, candidate.symbols)) {
    correction.state[0] = candidate.element;
    return;
  }
  std::vector<Expr> sums;
  visit(candidate.element, [&](const Expr &node) {
    if (isSum(node)) sums.push_back(node);
  });
  for (Expr &state : correction.state)
    state = rewrite(state, [&](const Expr &node) {
      if (!isSum(node)) return node;
      const std::set<std::string> used = polymend::symbols(node);
      const auto source = std::find_if(sums.begin(), sums.end(), [&](const Expr &sum) {
        return sum.type() == node.type() && polymend::symbols(sum) == used && identical(sum, node, candidate.symbols);
      });
      return source == sums.end() ? node : *source;
    });
  if (correction.carry != Monoid::Max && correction.carry != Monoid::Min) return;
  const auto final = elementAtTheExtreme(correction, candidate);
  correction.asSource = final.has_value();
  if (final) correction.final = *final;
}

/// Extremes by comparison assume that there is no NaN: as those that pass over it.
Expr passingOverNaN(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (node.op() != Op::Max && node.op() != Op::Min) return node;
    return Expr::make(node.op() == Op::Max ? Op::FMax : Op::FMin, node.type(), {node.arg(0), node.arg(1)});
  });
}

/// Is an infinity or a NaN of the symbol seen in what a producer makes of it, unless the element passes over it, too?
bool isSeen(const std::string &name, const AlgebraSymbol &producer, const Expr &element) {
  const Expr passing = passingOverNaN(element);
  const std::array each{classes::NaN, classes::MinusInfinity, classes::PlusInfinity};
  return std::ranges::all_of(each, [&](Classes one) {
    const auto known = [&](const Expr &e) {
      return e.op() == Op::Symbol ? std::optional(e->name == name ? one : classes::Finite) : std::nullopt;
    };
    const Classes made = classesOf(producer.element, known);
    const bool shows = producer.monoid == Monoid::Max   ? made == classes::PlusInfinity
                       : producer.monoid == Monoid::Min ? made == classes::MinusInfinity
                                                        : (made & classes::Finite) == 0;
    return shows || (classesOf(passing, known) & ~classes::Finite) == 0;
  });
}

/// A number of the element that cancels out of the state: an infinity or a NaN in it would go unseen. Empty: none does.
/// Where it cancels because of what producers are, these may show it. A producer that cancels shows itself in sums and
/// products, which are not numbers where it makes none; an extreme passes over those.
std::string cancelled(const Candidate &candidate, const Correction &correction, bool ordered) {
  const bool isExtreme = correction.carry == Monoid::Max || correction.carry == Monoid::Min;
  std::set<std::string> kept;
  for (const Expr &state : correction.state) kept.merge(polymend::symbols(state));
  if (isExtreme) kept.merge(polymend::symbols(correction.final));
  for (const AlgebraSymbol &symbol : candidate.symbols)
    if (ordered && symbol.role == AlgebraSymbol::Role::Producer && symbol.element)
      for (const std::string &name : polymend::symbols(symbol.element))
        if (isSeen(name, symbol, candidate.element)) kept.insert(name);
  std::string lost;
  visit(candidate.element, [&](const Expr &node) {
    if (node.op() != Op::Symbol || !isFloating(node.type()) || kept.contains(node->name)) return;
    for (const AlgebraSymbol &symbol : candidate.symbols)
      if (symbol.name == node->name &&
          (symbol.role == AlgebraSymbol::Role::Element || (isExtreme && symbol.role == AlgebraSymbol::Role::Producer)))
        lost = symbol.name;
  });
  return lost;
}

/// The corrections whose states hold every number of the element; `reason` says what another loses.
std::vector<Correction> withoutCancelled(const std::vector<Correction> &all, const Candidate &candidate, bool ordered,
                                         std::string &reason) {
  std::vector<Correction> result;
  for (const Correction &correction : all)
    if (const std::string lost = cancelled(candidate, correction, ordered); lost.empty())
      result.push_back(correction);
    else
      reason = lost + " cancels, and an infinity or a NaN in it would with it";
  return result;
}

} // namespace

Result<std::vector<Correction>> derive(const Candidate &candidate) {
  using namespace algebra;
  std::string reason;
  for (const bool ordered : {false, true}) {
    if (ordered && !hasOrder(candidate)) break;
    auto problem = pose(candidate, ordered);
    if (!problem && ordered) break;
    if (!problem) return problem.refusal();
    Deriver deriver(candidate, **problem);
    try {
      std::vector<Correction> corrections = withoutCancelled(deriver.run(), candidate, ordered, deriver.reason);
      for (Correction &correction : corrections) inSourceForm(correction, candidate);
      if (!corrections.empty()) return corrections;
    } catch (const std::exception &grown) {
      deriver.reason = grown.what();
    }
    if (reason.empty()) reason = deriver.reason;
  }
  return Refusal{std::string("no correction for ") + nameOf(candidate.monoid) + ": " + reason,
                 candidate.element->where};
}

Proof prove(const Candidate &candidate, const Correction &correction, const ProveOptions &options) {
  using namespace algebra;
  Proof proof;
  for (const bool ordered : {false, true}) {
    if (ordered && !hasOrder(candidate)) break;
    const auto problem = pose(candidate, ordered);
    if (!problem) return proof;
    const auto all = obligations(**problem, correction);
    if (!all) return {"refuted", "refuted", "unknown"};
    proof.normalForm = wordOf(byNormalForm(**problem, *all), "proved");
    proof.numeric = wordOf(byEvaluation(**problem, *all), "agrees");
    if (options.z3) proof.z3 = wordOf(bySolver(**problem, {*all}, options.z3Steps)[0], "proved");
    if (proof.normalForm == "proved") break;
  }
  proof.conditioning = byTrial(candidate, correction) == Opinion::Refuted ? "refuted" : correction.proof.conditioning;
  return proof;
}

namespace {

/// A value as a candidate; symbols that are not described are free.
Candidate posedAlone(const Expr &value, const std::vector<AlgebraSymbol> &symbols) {
  Candidate alone{Monoid::Sum, value, symbols};
  for (const std::string &name : polymend::symbols(value)) {
    AlgebraSymbol free;
    free.name = name;
    alone.symbols.push_back(free);
  }
  return alone;
}

} // namespace

std::optional<int> direction(const Expr &value, const std::string &name, const std::vector<AlgebraSymbol> &symbols) {
  using namespace algebra;
  if (!polymend::symbols(value).contains(name)) return 0;
  const Candidate alone = posedAlone(value, symbols);
  if (oversized(alone)) return std::nullopt;
  const auto problem = pose(alone, false);
  if (!problem) return std::nullopt;
  try {
    return monotone(**problem, (*problem)->element, (*problem)->terms.find(name));
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

bool identical(const Expr &a, const Expr &b, const std::vector<AlgebraSymbol> &symbols) {
  using namespace algebra;
  if (!a || !b) return false;
  const Candidate both = posedAlone(Expr::make(Op::Sub, Type::Float64, {a, b}), symbols);
  if (oversized(both)) return false;
  const auto problem = pose(both, false);
  if (!problem) return false;
  try {
    return (*problem)->forms.isZero((*problem)->forms.of((*problem)->element));
  } catch (const std::exception &) {
    return false;
  }
}

} // namespace polymend
