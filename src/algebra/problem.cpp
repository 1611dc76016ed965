// Poses a candidate. The signs of a producer follow from the monoid and the signs of what it reduces, over at least one
// element (an empty range is replayed, never mended); the caller's signs are met with them.
#include "problem.h"

#include <algorithm>
#include <set>

namespace polymend::algebra {
namespace {

SignSet setOf(const Signs &signs) {
  return (signs.negative ? Negative : 0U) | (signs.zero ? Zero : 0U) | (signs.positive ? Positive : 0U);
}

/// The signs of a reduction over at least one element of the given signs.
SignSet reducedSigns(Monoid monoid, SignSet element) {
  const bool mixed = (element & Negative) && (element & Positive);
  switch (monoid) {
  case Monoid::Sum: return mixed ? AnySign : element;
  case Monoid::Product: return (element & Negative) ? AnySign : element;
  default: return element;
  }
}

constexpr double largestTree = 5000;

/// Nodes of the tree, shared ones counted as often as they occur, in time linear in the distinct ones.
double treeSize(const Expr &e, std::map<const void *, double> &known) {
  if (!e) return 0;
  if (auto at = known.find(e.identity()); at != known.end()) return at->second;
  double size = 1;
  for (const Expr &a : e->args) size += treeSize(a, known);
  return known[e.identity()] = size;
}

class Poser {
public:
  Poser(const Candidate &posed, bool withOrder) : candidate(posed) { problem->ordered = withOrder; }

  Result<std::unique_ptr<Problem>> run() {
    collectTypes(candidate.element);
    for (const AlgebraSymbol &s : candidate.symbols) collectTypes(s.element);
    try {
      for (const AlgebraSymbol &s : candidate.symbols) declare(s.name);
      problem->monoid = candidate.monoid;
      problem->type = isFloating(candidate.element.type()) ? candidate.element.type() : Type::Float64;
      problem->element = Importer(problem->terms).import(candidate.element);
      if (problem->ordered) assumeOrders(*problem);
    } catch (const std::exception &grown) {
      return Refusal{std::string("no correction: ") + grown.what(), candidate.element->where};
    }
    return std::move(problem);
  }

private:
  const Candidate &candidate;
  std::unique_ptr<Problem> problem = std::make_unique<Problem>();
  std::map<std::string, Type> types;
  std::set<std::string> open;

  void collectTypes(const Expr &e) {
    if (!e) return;
    visit(e, [this](const Expr &node) {
      if (node.op() == Op::Symbol) types.try_emplace(node->name, node.type());
    });
  }

  [[nodiscard]] Type typeOf(const std::string &name) const {
    auto at = types.find(name);
    return at == types.end() ? Type::Float32 : at->second;
  }

  /// Declares a symbol after the symbols its facts depend on; one without a role may only help to know signs.
  void declare(const std::string &name) {
    if (problem->terms.find(name) || !open.insert(name).second) return;
    auto at = std::find_if(candidate.symbols.begin(), candidate.symbols.end(),
                           [&](const AlgebraSymbol &s) { return s.name == name; });
    if (at == candidate.symbols.end()) {
      if (!symbols(candidate.element).contains(name))
        problem->terms.declare({name, ElementRole, AnySign, typeOf(name)});
    } else if (at->role == AlgebraSymbol::Role::Producer) {
      declareProducer(*at);
    } else {
      const bool parameter = at->role == AlgebraSymbol::Role::Parameter;
      const SignSet signs = parameter && at->natural ? Positive : setOf(at->signs);
      const Term term = problem->terms.declare(
          {name, parameter ? ParameterRole : ElementRole, signs ? signs : AnySign, typeOf(name)});
      if (parameter && at->natural) problem->natural.insert(term);
    }
  }

  void declareProducer(const AlgebraSymbol &symbol) {
    SignSet signs = setOf(symbol.signs);
    Term reduced = nullptr;
    if (symbol.element) {
      for (const std::string &used : symbols(symbol.element)) declare(used);
      try {
        reduced = Importer(problem->terms).import(symbol.element);
        signs &= reducedSigns(symbol.monoid, problem->forms.signs(reduced));
      } catch (const std::exception &) {
        reduced = nullptr;
      }
    }
    if (!signs) signs = AnySign;
    problem->producers.push_back(problem->terms.declare({symbol.name, ProducerRole, signs, typeOf(symbol.name)}));
    problem->moved.push_back(problem->terms.declare({symbol.name + "'", ProducerRole, signs, typeOf(symbol.name)}));
    problem->reduction.push_back(symbol.monoid);
    problem->reduced.push_back(reduced);
    problem->beyond.push_back(symbol.beyond);
    problem->count.push_back(symbol.count);
    problem->mended.push_back(symbol.mended);
  }
};

} // namespace

bool oversized(const Candidate &candidate) {
  std::map<const void *, double> known;
  return treeSize(candidate.element, known) > largestTree ||
         std::any_of(candidate.symbols.begin(), candidate.symbols.end(),
                     [&](const AlgebraSymbol &s) { return treeSize(s.element, known) > largestTree; });
}

void assumeOrders(Problem &problem) {
  for (std::size_t i = 0; i < problem.producers.size(); ++i) {
    const Monoid monoid = problem.reduction[i];
    if (!problem.reduced[i] || (monoid != Monoid::Max && monoid != Monoid::Min)) continue;
    OrderFact fact;
    fact.element = problem.forms.of(problem.reduced[i]);
    fact.signs = monoid == Monoid::Max ? NonPositive : NonNegative;
    for (Term r : {problem.producers[i], problem.moved[i]}) {
      fact.producer = problem.forms.symbolAtom(r);
      problem.forms.assume(fact);
    }
  }
}

Term Problem::primed(Term term) {
  Terms::Map map;
  for (std::size_t i = 0; i < producers.size(); ++i) map[producers[i]] = moved[i];
  return terms.replace(term, map);
}

Result<std::unique_ptr<Problem>> pose(const Candidate &candidate, bool ordered) {
  if (!candidate.element) return Refusal{"no correction: the element expression is missing", {}};
  if (oversized(candidate)) return Refusal{"no correction: the expression is too large", candidate.element->where};
  return Poser(candidate, ordered).run();
}

bool hasOrder(const Candidate &candidate) {
  return std::any_of(candidate.symbols.begin(), candidate.symbols.end(), [](const AlgebraSymbol &s) {
    return s.role == AlgebraSymbol::Role::Producer && s.element && (s.monoid == Monoid::Max || s.monoid == Monoid::Min);
  });
}

} // namespace polymend::algebra
