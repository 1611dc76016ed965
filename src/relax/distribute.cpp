// A sum is linear, so that what its elements share may be multiplied once, afterwards. Done where what stays is a
// product of 16-bit numbers, which is exact in a float: rounding moves to the factor alone. A wider element may need
// its factor to stay within range, and keeps it. An infinite factor makes a sum of both signs NaN, but not its product
// with their sum: a factor must be finite when what it reads is, and not zero where it divides. Where nothing is summed
// the result is where the sum begins, and no factor is read. A factor that waits for a reduction of an aligned loop is
// left to algebra.
#include "distribute.h"

#include "finite.h"
#include "import.h"
#include "pair.h"
#include "polymend/factors.h"
#include "relax/rounding.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace polymend {
namespace {

/// An element as sign * factors / divisors * moving, of which only `moving` depends on the summed dimensions.
struct Split {
  bool negative = false;
  std::vector<Expr> factors, divisors, moving;
  [[nodiscard]] bool shares() const { return negative || !factors.empty() || !divisors.empty(); }
};

/// Does a value depend on no data and no size?
bool isConstant(const Expr &value) {
  bool constant = true;
  visit(value, [&](const Expr &node) { constant = constant && node.op() != Op::Symbol && node.op() != Op::Read; });
  return constant;
}

/// A floating number as it is read.
bool isInput(const Expr &value) {
  if (value.op() == Op::Cast) return isFloating(value.type()) && isInput(value.arg(0));
  return isFloating(value.type()) && (value.op() == Op::Read || value.op() == Op::Symbol);
}

class Splitter {
public:
  Splitter(const Equation &sum, const std::set<int> &awaited, const std::set<std::string> &positive)
      : e(sum), waits(awaited), natural(positive) {}

  Split run() {
    take(e.value);
    return split;
  }

private:
  const Equation &e;
  const std::set<int> &waits;           // equations
  const std::set<std::string> &natural; // sizes
  Split split;

  /// Is the value the same for all elements, and known without a wait?
  [[nodiscard]] bool isShared(const Expr &value) const {
    bool shared = true;
    visit(value, [&](const Expr &node) {
      if (node.op() == Op::Symbol)
        shared = shared && std::find(e.dims.begin() + e.keys, e.dims.end(), node->name) == e.dims.end();
      if (node.op() != Op::Read) return;
      const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
      shared = shared && waits.count(operand.equation) == 0 &&
               (!operand.exact || !movesAlong(operand.map, e.keys, e.reduced()));
    });
    return shared;
  }

  [[nodiscard]] bool isFactor(const Expr &value) const { return isShared(value) && finiteBounds(value, natural); }

  /// An input is assumed not to be zero, as it is assumed to be finite.
  [[nodiscard]] bool isDivisor(const Expr &value) const {
    const auto bounds = isShared(value) ? finiteBounds(value, natural) : std::nullopt;
    return bounds && (bounds->low > 0 || bounds->high < 0 || isInput(value));
  }

  void take(const Expr &value) {
    const bool computed = isFloating(value.type()) && !isNarrow(value.type());
    if (isFactor(value)) {
      split.factors.push_back(value);
    } else if (computed && value.op() == Op::Mul) {
      take(value.arg(0));
      take(value.arg(1));
    } else if (computed && value.op() == Op::Neg) {
      split.negative = !split.negative;
      take(value.arg(0));
    } else if (computed && value.op() == Op::Div && isDivisor(value.arg(1))) {
      split.divisors.push_back(value.arg(1));
      take(value.arg(0));
    } else if (computed && value.op() == Op::Cast && isFloating(value.arg(0).type()) && !narrowOf(value) &&
               !isNarrowing(value)) {
      take(value.arg(0));
    } else {
      split.moving.push_back(value);
    }
  }
};

/// The product of 16-bit numbers in the sum's type; absent: something else moves.
Expr narrowProduct(const Split &split, Type type) {
  if (split.moving.size() < 2) return {};
  std::vector<Expr> factors;
  for (const Expr &factor : split.moving) {
    const Expr value = narrowOf(factor);
    if (!value) return {};
    factors.push_back(Expr::cast(type, value));
  }
  return productOf(factors);
}

/// Does a value keep any number it multiplies or divides well within a float?
bool isNear(const Expr &value, const std::set<std::string> &natural) {
  constexpr double near = 0x1p40;
  const auto bounds = finiteBounds(value, natural);
  return bounds && std::max(std::abs(bounds->low), std::abs(bounds->high)) <= near &&
         (bounds->low >= 1 / near || bounds->high <= -1 / near);
}

/// `sum` with the shared factors of a split.
Expr scaled(const Expr &sum, const Split &split) {
  Expr value = sum;
  if (const Expr factor = productOf(split.factors)) value = value * factor;
  if (const Expr divisor = productOf(split.divisors)) value = Expr::make(Op::Div, {value, divisor});
  return split.negative ? Expr::make(Op::Neg, {value}) : value;
}

/// The same, in double where several factors may be far from 1 that are not far from it together, as the source
/// multiplies them: a float might be lost on the way. There a divisor may as well be its inverse, which rows share.
Expr scaledInRange(const Expr &sum, const Split &split, const std::set<std::string> &natural) {
  const auto far = [&](const std::vector<Expr> &values) {
    return std::count_if(values.begin(), values.end(), [&](const Expr &value) { return !isNear(value, natural); });
  };
  if (sum.type() != Type::Float32 || far(split.factors) + far(split.divisors) < 2) return scaled(sum, split);
  const auto wide = [](const Expr &value) { return Expr::cast(Type::Float64, value); };
  std::vector<Expr> factors = {wide(sum)};
  for (const Expr &factor : split.factors) factors.push_back(wide(factor));
  for (const Expr &divisor : split.divisors)
    factors.push_back(Expr::make(Op::Div, {Expr::real(1, Type::Float64), wide(divisor)}));
  const Expr value = Expr::cast(sum.type(), productOf(factors));
  return split.negative ? Expr::make(Op::Neg, {value}) : value;
}

/// Reads as symbols.
class Naming {
public:
  Expr named(const Expr &value) {
    return rewrite(value, [&](const Expr &node) {
      if (node.op() != Op::Read) return node;
      auto at = std::find_if(reads.begin(), reads.end(), [&](const Expr &known) { return equal(known, node); });
      if (at == reads.end()) at = reads.insert(at, node);
      return Expr::symbol("#" + std::to_string(at - reads.begin()), node.type());
    });
  }

private:
  std::vector<Expr> reads;
};

/// Is the element what the split says, over the reals?
bool isProved(const Expr &element, const Expr &product, const Split &split) {
  Naming names;
  const Expr whole = names.named(element), parts = names.named(scaled(product, split));
  std::vector<AlgebraSymbol> all;
  for (const Expr &side : {whole, parts})
    for (const std::string &name : symbols(side))
      if (std::none_of(all.begin(), all.end(), [&](const AlgebraSymbol &symbol) { return symbol.name == name; }))
        all.push_back({name, AlgebraSymbol::Role::Element, {}, Monoid::Sum, {}, false});
  return identical(whole, parts, all);
}

bool isZero(const Expr &value) {
  if (value.op() == Op::Cast) return isZero(value.arg(0));
  return (value.op() == Op::Real && value->real == 0) || (value.op() == Op::Integer && value->integer == 0);
}

/// Equation e's value and shared factors over its keys alone.
Equation overKeys(const Equation &e) {
  Equation keys = e;
  keys.dims.resize(e.keys);
  for (Operand &operand : keys.operands)
    if (domainDimension(operand.map) == e.dims.size())
      operand.map = setDomainTuple(projectOutDomain(operand.map, e.keys, e.reduced()), e.name);
  return keys;
}

/// The sizes that are at least 1 where the equation has points.
std::set<std::string> naturalSizes(const Equation &e) {
  std::set<std::string> natural;
  const auto count = static_cast<unsigned>(isl_set_dim(e.domain.get(), isl_dim_param));
  for (unsigned p = 0; p < count; ++p)
    if (isl::manage(isl_set_upper_bound_si(e.domain.copy(), isl_dim_param, p, 0)).is_empty())
      natural.insert(isl_set_get_dim_name(e.domain.get(), isl_dim_param, p));
  return natural;
}

class Distributor {
public:
  Distributor(const Scop &source, const System &system) : scop(source), result{system, {}} {
    for (const Blocking &pair : blockingPairs(system)) waits[pair.consumer].insert(pair.producer);
  }

  Distributed run() {
    for (std::size_t k = all().size(); k-- > 0;)
      if (const Equation &e = all()[k]; e.monoid == Monoid::Sum && e.reduced() > 0 && !isNarrow(e.type)) distribute(k);
    return result;
  }

private:
  const Scop &scop;
  Distributed result;
  std::map<int, std::set<int>> waits; // per consumer, by the indices of the original system, which hold up to k

  std::vector<Equation> &all() { return result.system.equations; }

  void distribute(std::size_t k) {
    const Equation e = all()[k];
    const Split split = Splitter(e, waits[static_cast<int>(k)], naturalSizes(e)).run();
    const Expr product = narrowProduct(split, e.type);
    if (!product || equal(product, e.value) || !isProved(e.value, product, split)) return;
    Equation sum = e;
    sum.value = product;
    if (split.shares()) sum.initial = Expr::real(0, e.type);
    all()[k] = rebuild(sum, [&](const Expr &read, const Operand &operand, Equation &to) {
      return readOf(read, operand, to, result.system);
    });
    if (!split.shares()) return;
    assumeRegular(e, split);
    insertBehind(k, whole(e, static_cast<int>(k), split));
  }

  void assumeRegular(const Equation &e, const Split &split) {
    assume(e, split.factors, "finite");
    assume(e, split.divisors, "finite and not zero");
  }

  /// What the shared values of a sum read is as described.
  void assume(const Equation &e, const std::vector<Expr> &values, const std::string &what) {
    std::set<std::string> names;
    for (const Expr &value : values)
      visit(value, [&](const Expr &node) {
        if (!isFloating(node.type())) return;
        if (node.op() == Op::Symbol) names.insert(node->name);
        if (node.op() != Op::Read) return;
        const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
        names.insert(operand.equation < 0 ? operand.array : all()[static_cast<std::size_t>(operand.equation)].array);
      });
    if (names.empty()) return;
    const SourceRange &where = scop.statements[static_cast<std::size_t>(e.statement)].where;
    std::ostringstream text;
    for (const std::string &name : names) text << (name == *names.begin() ? "" : ", ") << name;
    text << (names.size() == 1 ? " is " : " are ") << what << " where the sum '" << e.array << "' shares it ("
         << where.file << ":" << where.line << ":" << where.column << ")";
    result.assumptions.push_back(text.str());
  }

  /// The map that is the original sum: where it begins, and the shared factors times the sum of the rest.
  static Equation whole(const Equation &e, int index, const Split &split) {
    Equation m = shell(e);
    m.name = e.name + "_whole";
    m.monoid.reset();
    m.comparison = false;
    m.twins.clear();
    m.dims.resize(e.keys);
    for (std::string &dim : m.dims) dim += "f";
    m.domain = m.keyDomain = setTuple(e.keyDomain, m.name);
    const isl::map same = setRangeTuple(isl::manage(isl_set_identity(m.domain.copy())), e.name);
    const std::vector<Expr> here = symbolsOf(m.dims);
    const Equation keys = overKeys(e);
    const auto moved = [&](const Expr &value) { return import(value, keys, here, same, m); };
    m.operands.push_back({index, "", same, true});
    Split shared = split;
    for (std::vector<Expr> *list : {&shared.factors, &shared.divisors})
      for (Expr &value : *list) value = moved(value);
    const Expr sum = scaledInRange(Expr::read(e.name, here, e.type, 0), shared, naturalSizes(e));
    const Expr begin = moved(e.initial);
    m.value = isZero(begin) ? sum : begin + sum;
    const isl::set summed = setTuple(projectOut(e.domain, e.keys, e.reduced()), m.name);
    if (!m.domain.is_subset(summed) && !areConstants(split))
      m.value = Expr::make(Op::Select, m.value.type(),
                           {toCondition(summed.gist(m.domain).coalesce(), here), m.value,
                            begin.type() == m.value.type() ? begin : Expr::cast(m.value.type(), begin)});
    return m;
  }

  static bool areConstants(const Split &split) {
    return std::all_of(split.factors.begin(), split.factors.end(), isConstant) &&
           std::all_of(split.divisors.begin(), split.divisors.end(), isConstant);
  }

  /// Puts a map of equation k behind it, which later equations read instead.
  void insertBehind(std::size_t k, const Equation &map) {
    all().insert(all().begin() + static_cast<std::ptrdiff_t>(k) + 1, map);
    for (std::size_t r = k + 2; r < all().size(); ++r) {
      for (Operand &operand : all()[r].operands) {
        if (operand.equation == static_cast<int>(k)) operand.map = setRangeTuple(operand.map, map.name);
        if (operand.equation >= static_cast<int>(k)) ++operand.equation;
      }
      all()[r] = rebuild(all()[r], [&](const Expr &read, const Operand &operand, Equation &to) {
        return readOf(read, operand, to, result.system);
      });
    }
  }
};

} // namespace

Distributed distributed(const Scop &scop, const System &system) { return Distributor(scop, system).run(); }

} // namespace polymend
