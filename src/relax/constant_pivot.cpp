// A running maximum keeps exponentials in range, and costs a reduction, a watch and mends in the loop. Where the bounds
// of its elements follow from their expression alone, a constant near their middle does as much. All that reads the
// maximum is mended sums with one state that moves with it; their own readers are outputs that algebra proves free of
// the pivot; with the constant in its place every factor that held the maximum stays between bounds that leave room for
// sums and products on both sides. One of the sums is of the factors alone (note [scale]).
//
// note [scale]: an output is the same at every pivot over the reals, in floating point only where no sum left the
// range of its type. ConstantPivot says how the factors' sum tells at the end how far the pivot is off; a row where it
// is too far for one of its sums is computed again as in the source, as is a row without elements, whose factors' sum
// is 0.
// One file: all conditions are about the same group of reductions.
#include "constant_pivot.h"

#include "polymend/factors.h"

#include "pair.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

/// Least and largest factor, as powers of 2: they leave what the type has beyond for sums and the other factors.
double roomOf(Type type) { return type == Type::Float64 ? 0x1p900 : 0x1p100; }

bool contains(const std::vector<int> &list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// "@3": equation 3 in expressions of several corrections.
std::string nameOf(int equation) { return "@" + std::to_string(equation); }

bool isReal(const Expr &e, double value) { return e && e.op() == Op::Real && e->real == value; }

/// The symbol that stands for an equation in a correction; empty: none does.
std::string symbolOf(const System &system, const Mended &mended, int equation) {
  const Equation &consumer = system.equations[static_cast<std::size_t>(mended.consumer)];
  for (const auto &[symbol, operand] : mended.names)
    if (consumer.operands[static_cast<std::size_t>(operand)].equation == equation) return symbol;
  return {};
}

/// The expression with a number for a symbol; subtracting or adding zero changes nothing.
Expr withNumber(const Expr &e, const std::string &symbol, double value) {
  const Expr placed = rewrite(e, [&](const Expr &node) {
    return node.op() == Op::Symbol && node->name == symbol ? Expr::real(value, node.type()) : node;
  });
  return rewrite(placed, [](const Expr &node) {
    const bool difference = node.op() == Op::Sub || node.op() == Op::Add;
    return difference && isReal(node.arg(1), 0) && node.type() == node.arg(0).type() ? node.arg(0) : node;
  });
}

/// What a maximum reduces without a start that no element lies below (above, for a minimum).
Expr withoutStart(const Expr &element, Monoid monoid) {
  const bool largest = monoid == Monoid::Max;
  if (element.op() != (largest ? Op::Max : Op::Min) || element.arg(1).op() != Op::Real) return element;
  const ValueRange range = rangeOf(element.arg(0));
  const double start = element.arg(1)->real;
  return (largest ? start <= range.low : start >= range.high) ? element.arg(0) : element;
}

class Finder {
public:
  explicit Finder(const Relaxed &source) : relaxed(source), system(*source.system) {}

  std::vector<ConstantPivot> run() {
    std::vector<ConstantPivot> result;
    for (std::size_t e = 0; e < system.equations.size(); ++e)
      if (auto found = constantFor(static_cast<int>(e))) result.push_back(*found);
    return result;
  }

private:
  const Relaxed &relaxed;
  const System &system;

  [[nodiscard]] const Equation &at(int equation) const { return system.equations[static_cast<std::size_t>(equation)]; }
  [[nodiscard]] const Mended &mendedAt(int k) const { return relaxed.mended[static_cast<std::size_t>(k)]; }

  [[nodiscard]] std::vector<int> readersOf(int equation) const {
    std::vector<int> result;
    for (std::size_t r = 0; r < system.equations.size(); ++r)
      for (const Operand &operand : system.equations[r].operands)
        if (operand.equation == equation && !contains(result, static_cast<int>(r)))
          result.push_back(static_cast<int>(r));
    return result;
  }

  std::optional<ConstantPivot> constantFor(int producer) {
    const Equation &p = at(producer);
    if (!p.monoid || (*p.monoid != Monoid::Max && *p.monoid != Monoid::Min) || !isFloating(p.type)) return std::nullopt;
    ConstantPivot pivot;
    pivot.producer = producer;
    const auto all = consumersOf(producer);
    if (!all) return std::nullopt;
    pivot.mended = *all;
    const auto scale = scaleOf(pivot);
    if (!scale || !sameMends(pivot, *scale) || !outputsStay(pivot)) return std::nullopt;
    pivot.scale = mendedAt(*scale).consumer;
    return withPivot(pivot, *scale) ? std::optional(pivot) : std::nullopt;
  }

  /// The corrections of all that read the producer; absent where something else does, or where one is not a single
  /// state that moves with this pivot alone.
  [[nodiscard]] std::optional<std::vector<int>> consumersOf(int producer) const {
    std::vector<int> all;
    for (const int reader : readersOf(producer)) {
      const auto mended = std::find_if(relaxed.mended.begin(), relaxed.mended.end(),
                                       [&](const Mended &m) { return m.consumer == reader; });
      if (mended == relaxed.mended.end()) return std::nullopt;
      const Correction &c = mended->correction;
      const bool follows = c.moves && c.freePivot && c.carry == Monoid::Sum && c.state.size() == 1 &&
                           c.pivots == std::vector{symbolOf(system, *mended, producer)};
      const Equation &consumer = at(reader);
      if (!follows || consumer.type != at(producer).type || !startsAtZero(consumer)) return std::nullopt;
      all.push_back(static_cast<int>(mended - relaxed.mended.begin()));
    }
    return all.empty() ? std::nullopt : std::optional(all);
  }

  static bool startsAtZero(const Equation &e) {
    return isReal(e.initial, 0) || (e.initial && e.initial.op() == Op::Integer && e.initial->integer == 0);
  }

  /// The candidate with the producer's element as it is without a start.
  [[nodiscard]] Candidate candidateOf(const Mended &mended, int producer) const {
    Candidate candidate = mended.candidate;
    const std::string name = symbolOf(system, mended, producer);
    for (AlgebraSymbol &symbol : candidate.symbols)
      if (symbol.name == name && symbol.element) symbol.element = withoutStart(symbol.element, symbol.monoid);
    return candidate;
  }

  /// The consumer that sums the factors alone, over the elements that the producer reduces.
  [[nodiscard]] std::optional<int> scaleOf(const ConstantPivot &pivot) const {
    for (const int k : pivot.mended) {
      const Mended &mended = mendedAt(k);
      const std::string name = symbolOf(system, mended, pivot.producer);
      if (at(mended.consumer).keys != at(pivot.producer).keys || mended.correction.final.op() != Op::Symbol) continue;
      if (mended.correction.final->name == "#0" &&
          holdsItsLargest(candidateOf(mended, pivot.producer), mended.correction, name) && sameElements(mended, pivot))
        return k;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool sameElements(const Mended &mended, const ConstantPivot &pivot) const {
    const auto pair = std::find_if(relaxed.fused.begin(), relaxed.fused.end(), [&](const Blocking &b) {
      return b.consumer == mended.consumer && b.producer == pivot.producer;
    });
    if (pair == relaxed.fused.end()) return false;
    const isl::map together = alignedInstances(system, *pair);
    return at(mended.consumer).domain.apply(together).is_equal(at(pivot.producer).domain) &&
           at(pivot.producer).domain.apply(together.reverse()).is_equal(at(mended.consumer).domain);
  }

  /// An expression of a correction with equations under names that all corrections share.
  [[nodiscard]] Expr renamed(const Expr &e, const Mended &mended) const {
    const Equation &consumer = at(mended.consumer);
    return substitute(e, [&](const std::string &name) {
      const bool moved = name.ends_with("'");
      const std::string plain = moved ? name.substr(0, name.size() - 1) : name;
      for (const auto &[symbol, operand] : mended.names) {
        const int equation = consumer.operands[static_cast<std::size_t>(operand)].equation;
        if (symbol == plain && isProducer(mended, symbol))
          return Expr::symbol(nameOf(equation) + (moved ? "'" : ""), at(equation).type);
      }
      return Expr();
    });
  }

  static bool isProducer(const Mended &mended, const std::string &symbol) {
    return std::any_of(mended.candidate.symbols.begin(), mended.candidate.symbols.end(), [&](const AlgebraSymbol &s) {
      return s.name == symbol && s.role == AlgebraSymbol::Role::Producer;
    });
  }

  /// The producer, and what the corrections are about besides their own consumers.
  [[nodiscard]] std::vector<AlgebraSymbol> symbolsOf(const ConstantPivot &pivot) const {
    std::vector<AlgebraSymbol> result;
    AlgebraSymbol producer;
    producer.name = nameOf(pivot.producer);
    producer.role = AlgebraSymbol::Role::Producer;
    producer.monoid = *at(pivot.producer).monoid;
    result.push_back(producer);
    for (const int k : pivot.mended)
      for (const AlgebraSymbol &symbol : mendedAt(k).candidate.symbols)
        if (symbol.role != AlgebraSymbol::Role::Producer) result.push_back(symbol);
    return result;
  }

  [[nodiscard]] bool sameMends(const ConstantPivot &pivot, int scale) const {
    const auto mendOf = [&](int k) { return renamed(mendedAt(k).correction.mend[0][0], mendedAt(k)); };
    return std::all_of(pivot.mended.begin(), pivot.mended.end(),
                       [&](int k) { return k == scale || identical(mendOf(k), mendOf(scale), movedSymbols(pivot)); });
  }

  [[nodiscard]] std::vector<AlgebraSymbol> movedSymbols(const ConstantPivot &pivot) const {
    std::vector<AlgebraSymbol> result = symbolsOf(pivot);
    for (AlgebraSymbol &symbol : result) symbol.role = AlgebraSymbol::Role::Parameter;
    result.push_back(result.front());
    result.back().name += "'";
    return result;
  }

  /// Everything that reads a consumer is a consumer itself, or an element-wise value that no pivot changes.
  [[nodiscard]] bool outputsStay(const ConstantPivot &pivot) const {
    std::vector<int> consumers;
    std::vector<Carried> carried;
    for (const int k : pivot.mended) {
      const Mended &mended = mendedAt(k);
      Correction c = mended.correction;
      for (Expr &state : c.state) state = renamed(state, mended);
      for (auto &row : c.mend)
        for (Expr &entry : row) entry = renamed(entry, mended);
      c.final = renamed(c.final, mended);
      consumers.push_back(mended.consumer);
      carried.push_back({nameOf(mended.consumer), c});
    }
    for (const int consumer : consumers)
      for (const int reader : readersOf(consumer)) {
        if (contains(consumers, reader)) continue;
        if (at(reader).monoid || !isFree(at(reader), consumers, carried, symbolsOf(pivot))) return false;
      }
    return true;
  }

  static bool isFree(const Equation &output, const std::vector<int> &consumers, const std::vector<Carried> &carried,
                     std::vector<AlgebraSymbol> symbols) {
    const auto declare = [&](const std::string &name) {
      const bool known = std::any_of(symbols.begin(), symbols.end(), [&](const auto &s) { return s.name == name; });
      AlgebraSymbol symbol;
      symbol.name = name;
      if (!known) symbols.push_back(symbol);
    };
    const Expr value = rewrite(output.value, [&](const Expr &node) {
      if (node.op() == Op::Symbol) declare(node->name);
      if (node.op() != Op::Read) return node;
      const int equation = output.operands[static_cast<std::size_t>(node->access)].equation;
      if (contains(consumers, equation)) return Expr::symbol(nameOf(equation), node.type());
      const std::string name = "@read" + std::to_string(node->access);
      declare(name);
      return Expr::symbol(name, node.type());
    });
    return pivotFree(value, carried, symbols);
  }

  /// Chooses the constant: zero where the range lies around it, else the middle.
  [[nodiscard]] bool withPivot(ConstantPivot &pivot, int scale) const {
    const Mended &mended = mendedAt(scale);
    const std::string name = symbolOf(system, mended, pivot.producer);
    for (const AlgebraSymbol &symbol : candidateOf(mended, pivot.producer).symbols)
      if (symbol.name == name && symbol.element) pivot.range = rangeOf(symbol.element);
    if (!pivot.range.isBounded()) return false;
    const double width = pivot.range.high - pivot.range.low, middle = pivot.range.low + width / 2;
    pivot.value = std::abs(middle) <= width / 16 ? 0 : static_cast<double>(static_cast<float>(middle));
    return std::all_of(pivot.mended.begin(), pivot.mended.end(),
                       [&](int k) { return staysInRange(mendedAt(k), pivot); });
  }

  /// Do the state's factors that held the producer leave room in the narrowest of the types that may hold them?
  [[nodiscard]] bool staysInRange(const Mended &mended, const ConstantPivot &pivot) const {
    const std::string name = symbolOf(system, mended, pivot.producer);
    bool halves = false;
    visit(mended.correction.state[0], [&](const Expr &e) { halves = halves || e.type() == Type::Float16; });
    const double room = roomOf(at(mended.consumer).type);
    const std::vector<Expr> factors = factorsOf(mended.correction.state[0]);
    return std::all_of(factors.begin(), factors.end(), [&](const Expr &factor) {
      if (!symbols(factor).contains(name)) return true;
      const ValueRange range = rangeOf(withNumber(factor, name, pivot.value));
      return halves ? range.isWithin(0x1p-14, 0x1p15) : range.isWithin(1 / room, room);
    });
  }
};

} // namespace

std::vector<ConstantPivot> findConstantPivots(const Relaxed &relaxed) { return Finder(relaxed).run(); }

const ConstantPivot *constantPivotOfProducer(const Relaxed &relaxed, int equation) {
  const auto found = std::find_if(relaxed.constantPivots.begin(), relaxed.constantPivots.end(),
                                  [&](const ConstantPivot &s) { return s.used && s.producer == equation; });
  return found == relaxed.constantPivots.end() ? nullptr : &*found;
}

const ConstantPivot *constantPivotOfConsumer(const Relaxed &relaxed, int mended) {
  const auto found = std::find_if(relaxed.constantPivots.begin(), relaxed.constantPivots.end(),
                                  [&](const ConstantPivot &s) { return s.used && contains(s.mended, mended); });
  return found == relaxed.constantPivots.end() ? nullptr : &*found;
}

void usePivot(Relaxed &relaxed, std::size_t pivot) {
  ConstantPivot &constant = relaxed.constantPivots[pivot];
  constant.used = true;
  for (const int k : constant.mended) {
    Mended &mended = relaxed.mended[static_cast<std::size_t>(k)];
    Correction &c = mended.correction;
    const std::string name = symbolOf(*relaxed.system, mended, constant.producer);
    const auto fix = [&](Expr &e) { e = withNumber(e, name, constant.value); };
    std::for_each(c.state.begin(), c.state.end(), fix);
    std::for_each(c.singular.begin(), c.singular.end(), fix);
    std::erase_if(c.singular, [](const Expr &e) { return symbols(e).empty(); });
    fix(c.final);
    c.mend = {{Expr::real(1, c.mend[0][0].type())}};
    c.regular.clear();
    c.nonzero.clear();
    c.pivots.clear();
    c.moves = false;
  }
}

} // namespace polymend
