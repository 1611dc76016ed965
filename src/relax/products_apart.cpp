// Terms are those of an element's additions in the sum's own type, which rounds as the sum does. A term is a product of
// two matrices where one of its factors follows a key that another does not, and the other way round, and several move
// along the loop. The equation of the last term keeps the sum's name and stores; those before it come in front of it.
#include "products_apart.h"

#include "import.h"
#include "pair.h"
#include "polymend/element_types.h"
#include "polymend/factors.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

constexpr std::size_t mostTerms = 8;

/// -(x y) as (-x) y, which is the same number.
Expr negated(const Expr &term) {
  if (term.op() == Op::Neg) return term.arg(0);
  if (term.op() != Op::Mul) return Expr::make(Op::Neg, term.type(), {term}, term->where);
  return Expr::make(Op::Mul, term.type(), {negated(term.arg(0)), term.arg(1)}, term->where);
}

void takeTerms(const Expr &value, bool negative, std::vector<Expr> &terms) {
  if (value.op() == Op::Add || value.op() == Op::Sub) {
    takeTerms(value.arg(0), negative, terms);
    takeTerms(value.arg(1), negative != (value.op() == Op::Sub), terms);
  } else if (value.op() == Op::Neg) {
    takeTerms(value.arg(0), !negative, terms);
  } else {
    terms.push_back(negative ? negated(value) : value);
  }
}

/// Does what the factor reads move along dimension d of the equation?
bool follows(const Equation &e, const Expr &factor, unsigned d) {
  bool found = false;
  visit(factor, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return;
    const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
    const bool moves = domainDimension(operand.map) == e.dims.size() && movesAlong(operand.map, d, 1);
    found = found || moves || (!operand.exact && symbols(node).contains(e.dims[d]));
  });
  return found;
}

std::set<std::size_t> following(const Equation &e, const std::vector<Expr> &factors, unsigned d) {
  std::set<std::size_t> found;
  for (std::size_t f = 0; f < factors.size(); ++f)
    if (follows(e, factors[f], d)) found.insert(f);
  return found;
}

bool isMatrixProduct(const Equation &e, const Expr &term) {
  const std::vector<Expr> factors = factorsOf(term);
  std::set<std::size_t> summed;
  for (unsigned d = e.keys; d < e.dims.size(); ++d) summed.merge(following(e, factors, d));
  if (summed.size() < 2) return false;
  std::vector<std::set<std::size_t>> along;
  for (unsigned d = 0; d < e.keys; ++d) along.push_back(following(e, factors, d));
  return std::ranges::any_of(along, [&](const std::set<std::size_t> &one) {
    return std::ranges::any_of(along, [&](const std::set<std::size_t> &other) {
      return !std::ranges::includes(one, other) && !std::ranges::includes(other, one);
    });
  });
}

class Parter {
public:
  explicit Parter(const System &system) : result(system) {
    for (const Blocking &pair : blockingPairs(system)) fused.insert({pair.producer, pair.consumer});
  }

  System run() {
    for (std::size_t k = result.equations.size(); k-- > 0;)
      if (!fused.contains(static_cast<int>(k))) part(k);
    return result;
  }

private:
  System result;
  std::set<int> fused; // by the indices of the original system, which hold up to the equation at hand

  void part(std::size_t k) {
    const Equation e = result.equations[k];
    if (e.monoid != Monoid::Sum || e.reduced() == 0 || !isFloating(e.type) || isNarrow(e.type)) return;
    std::vector<Expr> terms;
    takeTerms(e.value, false, terms);
    const bool areProducts =
        std::ranges::all_of(terms, [&](const Expr &term) { return term.type() == e.type && isMatrixProduct(e, term); });
    if (terms.size() < 2 || terms.size() > mostTerms || !areProducts) return;
    std::vector<Equation> parts;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      parts.push_back(t + 1 < terms.size() ? shellOf(e, t) : shell(e));
      takeTerm(e, terms[t], parts.back());
      if (t == 0)
        takeInitial(e, parts.back());
      else
        beginAt(parts[t - 1], k + t - 1, parts.back());
    }
    replace(k, parts);
  }

  /// What the equation of a term before the last is filled into.
  static Equation shellOf(const Equation &e, std::size_t number) {
    Equation part = shell(e);
    const std::string ending = "p" + std::to_string(number);
    part.name = e.name + "_" + ending;
    part.stores.clear();
    part.twins.clear();
    for (std::string &dim : part.dims) dim += ending;
    part.domain = setTuple(e.domain, part.name);
    part.keyDomain = setTuple(e.keyDomain, part.name);
    return part;
  }

  /// { from[x] -> to[x] }
  static isl::map same(const isl::set &from, const std::string &to) {
    return setRangeTuple(isl::manage(isl_set_identity(from.copy())), to);
  }

  static std::vector<Expr> keysOf(const Equation &e) { return symbolsOf({e.dims.begin(), e.dims.begin() + e.keys}); }

  static void takeTerm(const Equation &e, const Expr &term, Equation &to) {
    to.value = import(term, e, symbolsOf(to.dims), same(to.domain, e.name), to);
  }

  static void takeInitial(const Equation &e, Equation &to) {
    to.initial = import(e.initial, e, keysOf(to), same(to.keyDomain, e.name), to);
  }

  /// `to` goes on from the value of the equation of that index.
  static void beginAt(const Equation &before, std::size_t index, Equation &to) {
    const Operand operand{static_cast<int>(index), "", same(to.keyDomain, before.name), true};
    to.initial = Expr::read(before.name, keysOf(to), to.type, addOperand(to, operand));
  }

  /// Puts the equations in the place of number `k`, of which the last is what others read.
  void replace(std::size_t k, const std::vector<Equation> &parts) {
    const auto place = result.equations.begin() + static_cast<std::ptrdiff_t>(k);
    *place = parts.back();
    result.equations.insert(place, parts.begin(), parts.end() - 1);
    for (std::size_t r = k + parts.size(); r < result.equations.size(); ++r)
      for (Operand &operand : result.equations[r].operands)
        if (operand.equation >= static_cast<int>(k)) operand.equation += static_cast<int>(parts.size()) - 1;
  }
};

} // namespace

System withProductsApart(const System &system) { return Parter(system).run(); }

} // namespace polymend
