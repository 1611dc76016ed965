// One value, one rounding. Algebra writes a value in its own way, and over the reals a narrowing is none: a maximum
// would be taken over other numbers than those from which it is subtracted; a difference that is multiplied out cancels
// elsewhere. Three parts of an element stay as they are: a narrowing of what waits for nothing, what a maximum or
// minimum reduces, and a sum that waits for nothing and is a factor. Where the usual correction writes one of them
// anew, or there is none, it is derived once more with a symbol for each part, of which only the sign is known.
#include "as_written.h"

#include "polymend/factors.h"
#include "polymend/value_range.h"
#include "relax/rounding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace polymend {
namespace {

bool isExtreme(const AlgebraSymbol &symbol) {
  return symbol.role == AlgebraSymbol::Role::Producer &&
         (symbol.monoid == Monoid::Max || symbol.monoid == Monoid::Min) && symbol.element;
}

/// A candidate with a symbol for each part that stays as it is.
class Folding {
public:
  explicit Folding(const Candidate &source) : candidate(source) {
    for (const AlgebraSymbol &symbol : source.symbols)
      if (isExtreme(symbol)) addReduced(symbol.element);
    visit(source.element, [this](const Expr &node) { addFactors(node); });
    candidate.element = folded(source.element);
    for (AlgebraSymbol &symbol : candidate.symbols) symbol.element = folded(symbol.element);
    const auto first = static_cast<std::ptrdiff_t>(candidate.symbols.size());
    for (std::size_t k = 0; k < parts.size(); ++k) candidate.symbols.push_back(symbolOf(k, source));
    std::rotate(candidate.symbols.begin(), candidate.symbols.begin() + first, candidate.symbols.end());
  }

  [[nodiscard]] bool isEmpty() const { return parts.empty(); }
  [[nodiscard]] const Candidate &result() const { return candidate; }

  /// Does the correction read all parts of the element as such, and nothing that only they hold?
  [[nodiscard]] bool keeps(const Correction &correction) const {
    const std::set<std::string> wanted = symbols(candidate.element);
    std::set<std::string> found;
    for (const Expr &state : correction.state) found.merge(symbols(foldedKnown(state)));
    for (const std::string &name : symbols(foldedKnown(correction.final)))
      if (anyOf({name}, isGiven)) found.insert(name);
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (wanted.contains(nameOf(k)) && !found.contains(nameOf(k))) return false;
    return std::includes(wanted.begin(), wanted.end(), found.begin(), found.end());
  }

  /// The correction with the parts written out.
  [[nodiscard]] Correction unfolded(Correction correction) const {
    const auto each = [&](std::vector<Expr> &list) {
      for (Expr &e : list) e = unfolded(e);
    };
    for (auto *list :
         {&correction.state, &correction.pivotNodes, &correction.regular, &correction.nonzero, &correction.singular})
      each(*list);
    for (auto &row : correction.mend) each(row);
    correction.final = unfolded(correction.final);
    return correction;
  }

private:
  Candidate candidate;
  std::vector<Expr> asWritten; // what maxima and minima reduce, and sums that are factors
  std::vector<Expr> parts;

  static std::string nameOf(std::size_t part) { return "=" + std::to_string(part); }

  /// Is one of these the name of a symbol of that kind?
  template <class Kind> [[nodiscard]] bool anyOf(const std::set<std::string> &names, Kind isOfKind) const {
    return std::any_of(candidate.symbols.begin(), candidate.symbols.end(),
                       [&](const AlgebraSymbol &symbol) { return isOfKind(symbol) && names.contains(symbol.name); });
  }

  static bool isProducer(const AlgebraSymbol &symbol) { return symbol.role == AlgebraSymbol::Role::Producer; }
  static bool isGiven(const AlgebraSymbol &symbol) { return !isProducer(symbol); }
  static bool isDatum(const AlgebraSymbol &symbol) { return isGiven(symbol) && !symbol.natural; }

  [[nodiscard]] bool waits(const Expr &e) const { return anyOf(symbols(e), isProducer); }

  /// The values among which an extreme chooses.
  void addReduced(const Expr &e) {
    const bool extreme = e.op() == Op::Max || e.op() == Op::Min || e.op() == Op::FMax || e.op() == Op::FMin;
    const bool widens = e.op() == Op::Cast && !isNarrowing(e);
    if (e.op() == Op::Select || extreme || widens) {
      for (std::size_t k = e.op() == Op::Select ? 1 : 0; k < e->args.size(); ++k) addReduced(e.arg(k));
    } else if (!e->args.empty() && isFloating(e.type()) && !symbols(e).empty() && !waits(e)) {
      asWritten.push_back(e);
    }
  }

  /// What is multiplied in a product, a quotient or a power; twice what a power other than the first takes.
  static void collectFactors(const Expr &e, std::vector<Expr> &factors) {
    const bool widens = e.op() == Op::Cast && isFloating(e.arg(0).type()) && !isNarrowing(e);
    if (e.op() == Op::Mul || e.op() == Op::Div) {
      for (const Expr &arg : e->args) collectFactors(arg, factors);
    } else if (e.op() == Op::Pow) {
      for (int k = 0; k < 2; ++k) collectFactors(e.arg(0), factors);
    } else if (e.op() == Op::Neg || e.op() == Op::Abs || widens) {
      collectFactors(e.arg(0), factors);
    } else if (!symbols(e).empty()) {
      factors.push_back(e);
    }
  }

  /// The sums of given numbers, not of sizes alone, that are multiplied by anything but numbers.
  void addFactors(const Expr &e) {
    if (!isFloating(e.type()) || (e.op() != Op::Mul && e.op() != Op::Div && e.op() != Op::Pow)) return;
    std::vector<Expr> factors;
    collectFactors(e, factors);
    if (factors.size() < 2) return;
    for (const Expr &factor : factors)
      if ((factor.op() == Op::Add || factor.op() == Op::Sub) && isFloating(factor.type()) && !waits(factor) &&
          anyOf(symbols(factor), isDatum))
        asWritten.push_back(factor);
  }

  [[nodiscard]] bool stays(const Expr &e) const {
    if (isNarrowing(e) && !symbols(e).empty() && !waits(e)) return true;
    return std::any_of(asWritten.begin(), asWritten.end(), [&](const Expr &one) { return equal(one, e); });
  }

  [[nodiscard]] std::optional<std::size_t> partOf(const Expr &e) const {
    const auto at = std::find_if(parts.begin(), parts.end(), [&](const Expr &part) { return equal(part, e); });
    return at == parts.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - parts.begin()));
  }

  Expr folded(const Expr &e) {
    if (!e || e->args.empty()) return e;
    if (stays(e) && !partOf(e)) parts.push_back(e);
    if (const auto part = partOf(e)) return Expr::symbol(nameOf(*part), e.type());
    ExprNode node = *e;
    for (Expr &arg : node.args) arg = folded(arg);
    return Expr{node};
  }

  [[nodiscard]] Expr foldedKnown(const Expr &e) const {
    if (const auto part = partOf(e)) return Expr::symbol(nameOf(*part), e.type());
    ExprNode node = *e;
    for (Expr &arg : node.args) arg = foldedKnown(arg);
    return Expr{node};
  }

  [[nodiscard]] Expr unfolded(const Expr &e) const {
    return substitute(e, [&](const std::string &name) {
      for (std::size_t k = 0; k < parts.size(); ++k)
        if (name == nameOf(k)) return parts[k];
      return Expr();
    });
  }

  [[nodiscard]] AlgebraSymbol symbolOf(std::size_t part, const Candidate &source) const {
    const std::set<std::string> used = symbols(parts[part]);
    const bool moves = std::any_of(source.symbols.begin(), source.symbols.end(), [&](const AlgebraSymbol &symbol) {
      return symbol.role == AlgebraSymbol::Role::Element && used.contains(symbol.name);
    });
    const ValueRange range = rangeOf(parts[part]);
    AlgebraSymbol symbol;
    symbol.name = nameOf(part);
    symbol.role = moves ? AlgebraSymbol::Role::Element : AlgebraSymbol::Role::Parameter;
    symbol.signs = {range.low < 0, range.low <= 0 && range.high >= 0, range.high > 0};
    return symbol;
  }
};

std::set<std::string> namesOf(const Candidate &candidate, AlgebraSymbol::Role role) {
  std::set<std::string> names;
  for (const AlgebraSymbol &symbol : candidate.symbols)
    if (symbol.role == role) names.insert(symbol.name);
  return names;
}

/// Is one a multiple of the other by a factor that is the same for all elements?
bool areProportional(const Expr &a, const Expr &b, const Candidate &candidate) {
  const std::set<std::string> elements = namesOf(candidate, AlgebraSymbol::Role::Element);
  const auto atAnother = [&](const Expr &e) {
    return rewrite(e, [&](const Expr &node) {
      return node.op() == Op::Symbol && elements.contains(node->name) ? Expr::symbol(node->name + "~", node.type())
                                                                      : node;
    });
  };
  std::vector<AlgebraSymbol> all = candidate.symbols;
  for (const AlgebraSymbol &symbol : candidate.symbols)
    if (elements.contains(symbol.name)) {
      all.push_back(symbol);
      all.back().name += "~";
    }
  return identical(a * atAnother(b), atAnother(a) * b, all);
}

/// Is a value about a running extreme never smaller than the source's, about the last one? So are exponentials of the
/// distance to it, whatever they are multiplied by.
bool shrinksToTheLast(const Expr &value, const Candidate &candidate) {
  const std::vector<Expr> factors = factorsOf(value);
  return std::all_of(candidate.symbols.begin(), candidate.symbols.end(), [&](const AlgebraSymbol &symbol) {
    if (symbol.role != AlgebraSymbol::Role::Producer) return true;
    const int shrinks = symbol.monoid == Monoid::Max ? -1 : symbol.monoid == Monoid::Min ? 1 : 0;
    return std::all_of(factors.begin(), factors.end(), [&](const Expr &factor) {
      if (!symbols(factor).contains(symbol.name)) return true;
      const bool exponential = factor.op() == Op::Exp || factor.op() == Op::Exp2;
      return shrinks != 0 && exponential && direction(factor.arg(0), symbol.name, candidate.symbols) == shrinks;
    });
  });
}

using Values = std::map<std::string, double>;

/// The value of real arithmetic; NaN where it holds anything else.
double valueOf(const Expr &e, const Values &values) {
  const auto at = [&](std::size_t k) { return valueOf(e.arg(k), values); };
  switch (e.op()) {
  case Op::Integer: return static_cast<double>(e->integer);
  case Op::Real: return e->real;
  case Op::Symbol: return values.contains(e->name) ? values.at(e->name) : std::nan("");
  case Op::Cast: return at(0);
  case Op::Neg: return -at(0);
  case Op::Add: return at(0) + at(1);
  case Op::Sub: return at(0) - at(1);
  case Op::Mul: return at(0) * at(1);
  case Op::Div: return at(0) / at(1);
  case Op::Sqrt: return std::sqrt(at(0));
  case Op::Abs: return std::fabs(at(0));
  default: return std::nan("");
  }
}

/// The one element and the one sum that a value is made of, and the sizes beside them.
struct Share {
  AlgebraSymbol element, sum;
  std::vector<std::string> sizes;
};

std::optional<Share> shareIn(const Expr &value, const Candidate &candidate) {
  std::optional<AlgebraSymbol> element, sum;
  Share share;
  const std::set<std::string> used = symbols(value);
  for (const AlgebraSymbol &symbol : candidate.symbols) {
    if (!used.contains(symbol.name)) continue;
    const bool size = symbol.role == AlgebraSymbol::Role::Parameter && symbol.natural;
    auto &known = symbol.role == AlgebraSymbol::Role::Element ? element : sum;
    if (!size && (known || symbol.role == AlgebraSymbol::Role::Parameter)) return std::nullopt;
    if (size)
      share.sizes.push_back(symbol.name);
    else
      known = symbol;
  }
  if (!element || !sum || sum->monoid != Monoid::Sum || !sum->element) return std::nullopt;
  if (symbols(sum->element) != std::set<std::string>{element->name}) return std::nullopt;
  share.element = *element;
  share.sum = *sum;
  return share;
}

/// Does a value of 16 bits over what grows with a sum of its own size stay within them? At the least that the sum can
/// be, the element's own part, it is asked over the type's numbers; more makes it smaller.
bool isShareOfItself(const Expr &value, const Candidate &candidate) {
  constexpr double most = 65504, margin = 1.25;
  const std::optional<Share> share = shareIn(value, candidate);
  if (!share) return false;
  for (const int sign : {1, -1}) {
    std::vector<AlgebraSymbol> all = candidate.symbols;
    for (AlgebraSymbol &symbol : all)
      if (symbol.name == share->element.name) symbol.signs = {sign < 0, false, sign > 0};
    if (direction(value, share->sum.name, all) != -sign) return false;
    for (const double size : {1.0, 0x1p31})
      for (int exponent = -24; exponent < 16; ++exponent)
        for (const double digits : {1.0, 1.25, 1.5, 1.75, 2047.0 / 1024}) {
          Values values{{share->element.name, sign * std::ldexp(digits, exponent)}};
          for (const std::string &name : share->sizes) values[name] = size;
          const double least = valueOf(share->sum.element, values);
          values[share->sum.name] = least;
          const double there = sign * valueOf(value, values);
          if (!(least >= 0 && 0 <= there && there * margin <= most)) return false;
        }
  }
  return true;
}

/// What the source rounds to a type of fewer exponents may leave its range there and not here when a factor moves past
/// it, but for what is never smaller here, and for shares of what the type holds.
bool staysInRange(const Expr &narrowing, const Expr &rounded, const Candidate &candidate) {
  Expr held = rounded;
  while (held.op() == Op::Cast && held.type() != narrowing.type()) held = held.arg(0);
  return (narrowing.type() == Type::BFloat16 && narrowing.arg(0).type() == Type::Float32) ||
         shrinksToTheLast(narrowing.arg(0), candidate) ||
         (held.type() == narrowing.type() && isShareOfItself(narrowing.arg(0), candidate));
}

/// Does the state round what the source does where that waits for a producer, up to a factor that moved past it?
bool roundsAlike(const Candidate &candidate, const Correction &correction) {
  const std::set<std::string> producers = namesOf(candidate, AlgebraSymbol::Role::Producer);
  bool alike = true;
  visit(candidate.element, [&](const Expr &node) {
    if (!alike || !isNarrowing(node)) return;
    const std::set<std::string> used = symbols(node);
    if (std::none_of(used.begin(), used.end(), [&](const std::string &name) { return producers.contains(name); }))
      return;
    const Expr &state = correction.state.front();
    const bool written = correction.state.size() == 1 && holds(state, node);
    if (written && !correction.moves) return;
    const Expr rounded = written ? node.arg(0) : correction.state.size() == 1 ? roundedPart(node, state) : Expr();
    alike = rounded && staysInRange(node, rounded, candidate) &&
            (written || areProportional(node.arg(0), rounded, candidate));
  });
  return alike;
}

/// The corrections whose states round what the source rounds, with that rounding.
Result<std::vector<Correction>> rounded(const Result<std::vector<Correction>> &all, const Candidate &candidate) {
  if (!all) return all;
  std::vector<Correction> result;
  for (Correction correction : *all) {
    if (!roundsAlike(candidate, correction)) continue;
    for (Expr &state : correction.state) state = withRounding(candidate.element, state);
    result.push_back(std::move(correction));
  }
  if (result.empty() && !all->empty())
    return Refusal{"what the source rounds waits, and a correction would round another number",
                   candidate.element->where};
  return result;
}

} // namespace

Result<std::vector<Correction>> deriveAsWritten(const Candidate &candidate) {
  auto usual = rounded(derive(candidate), candidate);
  const Folding folding(candidate);
  if (folding.isEmpty() || (usual && (usual->empty() || folding.keeps(usual->front())))) return usual;
  auto kept = rounded(derive(folding.result()), folding.result());
  if (!kept && !usual) return usual;
  if (!kept)
    return Refusal{"its correction computes anew what the source rounds or takes the extreme of: " +
                       kept.refusal().reason,
                   kept.refusal().where};
  for (Correction &correction : *kept) correction = folding.unfolded(correction);
  return kept;
}

} // namespace polymend
