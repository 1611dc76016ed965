// The numeric opinion on conditioning: source and correction run in float on data made to hurt, against the source in
// double. Offsets of +-10, +-100, +-1000 with small noise, rows that are nearly equal, one large element first, in the
// middle or last, values that are far apart in two parts, large and small widths; the elements alike, by turns of
// either sign, or one of them only. A correction that errs far beyond the source is refuted; agreement proves nothing.
// note [slack] the tool mends other chunks than these, so that only a factor far above the bound refutes.
// One file: data, both evaluations and the bound belong to one trial.
#include "obligations.h"

#include "straight.h"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>

#include <algorithm>
#include <limits>

namespace polymend::algebra {
namespace {

constexpr std::size_t rowLength = 31, middle = rowLength / 2, chunk = 8, rowCount = 3;
constexpr double unitsFree = 256, factorFree = 16;

/// A row of data: how values of one symbol are drawn.
struct Shape {
  double offset = 0, noise = 1;
  double large = 0;     // the value of one element
  std::size_t at = 0;   // where
  double otherHalf = 0; // added to the second half
};

std::vector<Shape> shapes() {
  std::vector<Shape> all{{}};
  for (const double offset : {10.0, -10.0, 100.0, -100.0, 1000.0, -1000.0}) {
    all.push_back({offset, 1});
    all.push_back({offset, 0.01});
  }
  all.push_back({1000, 1e-3});
  for (const std::size_t at : {std::size_t(0), middle, rowLength - 1})
    for (const double large : {1e4, -1e4}) all.push_back({0, 1, large, at});
  all.push_back({300, 1, 0, 0, -600});
  all.push_back({-300, 1, 0, 0, 600});
  all.push_back({0, 1e22});
  all.push_back({0, 1e-15});
  return all;
}

/// Which element symbols get the shape: all with noise of their own, all the same value, all that value with the other
/// sign by turns, or the first alone.
enum class Spread { All, Same, Opposite, First };

class Trial {
public:
  Trial(const Candidate &asked, const Correction &judged) : candidate(asked), correction(judged) { compile(); }

  Opinion run() {
    bool spoke = false;
    for (const Shape &shape : shapes()) {
      double ours = 0, theirs = 0;
      for (const Spread spread : {Spread::All, Spread::Same, Spread::Opposite, Spread::First}) {
        boost::random::mt19937 random(17);
        for (std::size_t r = 0; r < rowCount; ++r) {
          draw(shape, spread, random);
          const auto errors = compare();
          if (!errors) continue;
          spoke = true;
          theirs = std::max(theirs, errors->first);
          ours = std::max(ours, errors->second);
        }
      }
      if (ours > unitsFree + factorFree * theirs) return Opinion::Refuted;
    }
    return spoke ? Opinion::Agrees : Opinion::Unknown;
  }

private:
  using Program = std::vector<Instruction>;
  struct Reduced {
    std::size_t symbol = 0, moved = 0;
    Monoid monoid = Monoid::Sum;
    Program element;
    bool finished = false; // by another sum, so that what was seen gives its value
    Signs signs;
  };
  const Candidate &candidate;
  const Correction &correction;
  Straight straight;
  std::vector<Reduced> producers; // those before come first
  Program element, final;
  std::vector<Program> state;
  std::vector<std::vector<Program>> mend;
  std::vector<std::size_t> carried;
  std::size_t count = 0;
  std::map<std::string, Type> types;
  std::vector<std::vector<float>> rows; // values of all symbols, per element

  void compile() {
    std::vector<const AlgebraSymbol *> open;
    for (const AlgebraSymbol &s : candidate.symbols) {
      straight.symbol(s.name);
      if (s.role == AlgebraSymbol::Role::Producer) open.push_back(&s);
    }
    while (!open.empty()) {
      const auto ready = std::find_if(open.begin(), open.end(), [&](const AlgebraSymbol *s) {
        if (!s->element) return false;
        const std::set<std::string> used = symbols(s->element);
        return std::none_of(open.begin(), open.end(), [&](const AlgebraSymbol *o) { return used.contains(o->name); });
      });
      if (ready == open.end()) throw std::runtime_error("a producer whose elements are not known");
      const AlgebraSymbol &s = **ready;
      const std::set<std::string> used = symbols(s.element);
      for (const AlgebraSymbol &o : candidate.symbols)
        if (o.role == AlgebraSymbol::Role::Parameter && !o.natural && used.contains(o.name) && s.monoid == Monoid::Sum)
          throw std::runtime_error("a parameter that may stand for another reduction");
      const bool finished =
          std::any_of(candidate.symbols.begin(), candidate.symbols.end(), [&](const AlgebraSymbol &o) {
            return o.role == AlgebraSymbol::Role::Producer && o.monoid == Monoid::Sum && used.contains(o.name);
          });
      producers.push_back({straight.symbol(s.name), straight.symbol(s.name + "'"), s.monoid,
                           straight.compile(s.element), finished, s.signs});
      open.erase(ready);
    }
    element = straight.compile(candidate.element);
    visit(candidate.element, [&](const Expr &e) {
      if (e.op() == Op::Symbol) types.emplace(e->name, e.type());
    });
    final = straight.compile(correction.final);
    for (std::size_t i = 0; i < correction.state.size(); ++i) {
      carried.push_back(straight.symbol("#" + std::to_string(i)));
      state.push_back(straight.compile(correction.state[i]));
      mend.emplace_back();
      for (const Expr &a : correction.mend[i]) mend.back().push_back(straight.compile(a));
    }
    count = straight.symbol("#n");
  }

  [[nodiscard]] bool whole(const AlgebraSymbol &s) const {
    const auto type = types.find(s.name);
    return s.natural || (type != types.end() && !isFloating(type->second));
  }

  static double among(const Signs &signs, double x) {
    if (!signs.negative) return std::abs(x) + (signs.zero ? 0 : 1e-30);
    if (!signs.positive) return -std::abs(x) - (signs.zero ? 0 : 1e-30);
    return x;
  }

  double drawn(const Shape &shape, std::size_t k, boost::random::mt19937 &random) const {
    const double noise = shape.noise * boost::random::normal_distribution<double>()(random);
    if (shape.large != 0 && k == shape.at) return shape.large + noise;
    return shape.offset + noise + (2 * k > rowLength ? shape.otherHalf : 0);
  }

  void draw(const Shape &shape, Spread spread, boost::random::mt19937 &random) {
    rows.assign(rowLength, std::vector<float>(straight.count()));
    for (std::size_t k = 0; k < rowLength; ++k) {
      const double common = drawn(shape, k, random);
      bool first = true;
      double sign = 1;
      for (const AlgebraSymbol &s : candidate.symbols) {
        if (s.role == AlgebraSymbol::Role::Producer) continue;
        float &value = rows[k][straight.symbol(s.name)];
        if (s.role == AlgebraSymbol::Role::Parameter) {
          value = static_cast<float>(s.natural  ? rowLength
                                     : whole(s) ? static_cast<double>(middle)
                                                : among(s.signs, 0.7));
        } else if (whole(s)) {
          value = static_cast<float>(k);
        } else {
          const bool plain = spread == Spread::First && !first;
          const bool alike = spread == Spread::Same || spread == Spread::Opposite;
          const double x = alike ? sign * common * (1 + 1e-4 * boost::random::normal_distribution<double>()(random))
                                 : drawn(plain ? Shape{} : shape, k, random);
          value = static_cast<float>(among(s.signs, x));
          first = false;
          if (spread == Spread::Opposite) sign = -sign;
        }
      }
    }
  }

  template <class T> static T combined(Monoid monoid, T a, T b) {
    switch (monoid) {
    case Monoid::Sum: return a + b;
    case Monoid::Product: return a * b;
    case Monoid::Max: return a < b ? b : a;
    case Monoid::Min: return b < a ? b : a;
    }
    return a;
  }

  template <class T> static T neutralOf(Monoid monoid) {
    constexpr T infinite = std::numeric_limits<T>::infinity();
    switch (monoid) {
    case Monoid::Sum: return 0;
    case Monoid::Product: return 1;
    case Monoid::Max: return -infinite;
    case Monoid::Min: return infinite;
    }
    return 0;
  }

  template <class T> std::vector<T> at(std::size_t k, const std::vector<T> &reduced) const {
    std::vector<T> values(rows[k].begin(), rows[k].end());
    for (const Reduced &p : producers) values[p.symbol] = reduced[p.symbol];
    return values;
  }

  /// The producers over the elements below `end`.
  template <class T> std::vector<T> reducedBelow(std::size_t end) const {
    std::vector<T> values(straight.count()), scratch;
    for (const Reduced &p : producers) {
      T x = neutralOf<T>(p.monoid);
      for (std::size_t k = 0; k < end; ++k) x = combined(p.monoid, x, evaluate(p.element, at(k, values), scratch));
      values[p.symbol] = x;
    }
    return values;
  }

  /// The source's result, and the sum of the sizes of its terms.
  template <class T> std::pair<T, T> source() const {
    const std::vector<T> reduced = reducedBelow<T>(rowLength);
    std::vector<T> scratch;
    T x = neutralOf<T>(candidate.monoid), size = 0;
    for (std::size_t k = 0; k < rowLength; ++k) {
      const T term = evaluate(element, at(k, reduced), scratch);
      x = combined(candidate.monoid, x, term);
      size += std::abs(term);
    }
    return {x, candidate.monoid == Monoid::Sum ? size : std::abs(x)};
  }

  void mendState(std::vector<float> &carriedState, std::vector<float> values, const std::vector<float> &to,
                 std::size_t seen) const {
    for (const Reduced &p : producers) values[p.moved] = to[p.symbol];
    values[count] = static_cast<float>(seen);
    std::vector<float> next(carriedState.size()), scratch;
    for (std::size_t i = 0; i < next.size(); ++i)
      for (std::size_t j = 0; j < next.size(); ++j)
        if (const float factor = evaluate(mend[i][j], values, scratch); factor != 0 && carriedState[j] != 0)
          next[i] += factor * carriedState[j];
    carriedState = next;
  }

  /// The result of the correction, mended after every chunk.
  float mended() const {
    std::vector<float> held(state.size(), neutralOf<float>(correction.carry)), pivot, scratch;
    for (std::size_t begin = 0; begin < rowLength; begin += chunk) {
      const std::size_t end = std::min(begin + chunk, rowLength);
      std::vector<float> now = reducedBelow<float>(end);
      for (const Reduced &p : producers)
        if (p.monoid == Monoid::Sum && !p.finished)
          now[p.symbol] *= static_cast<float>(rowLength) / static_cast<float>(end);
      const std::vector<float> to = at(begin, now);
      if (correction.moves && begin > 0) mendState(held, pivot, to, begin);
      pivot = to;
      for (std::size_t k = begin; k < end; ++k)
        for (std::size_t i = 0; i < held.size(); ++i)
          held[i] = combined(correction.carry, held[i], evaluate(state[i], at(k, pivot), scratch));
    }
    std::vector<float> last = at(0, reducedBelow<float>(rowLength));
    if (correction.moves) mendState(held, pivot, last, rowLength);
    for (std::size_t i = 0; i < held.size(); ++i) last[carried[i]] = held[i];
    last[count] = static_cast<float>(rowLength);
    return evaluate(final, last, scratch);
  }

  /// The source's result when every element is another float beside it: what its operations may round to as well.
  double shaken() {
    const auto exact = rows;
    bool up = false;
    for (std::vector<float> &row : rows)
      for (const AlgebraSymbol &s : candidate.symbols)
        if (s.role == AlgebraSymbol::Role::Element && !whole(s))
          row[straight.symbol(s.name)] = std::nextafter(row[straight.symbol(s.name)], (up = !up) ? 2e38F : -2e38F);
    const double result = source<double>().first;
    rows = exact;
    return result;
  }

  /// Have the producers the signs that the candidate says they have?
  [[nodiscard]] bool asDeclared() const {
    const std::vector<double> reduced = reducedBelow<double>(rowLength);
    return std::all_of(producers.begin(), producers.end(), [&](const Reduced &p) {
      const double r = reduced[p.symbol];
      return r < 0 ? p.signs.negative : r > 0 ? p.signs.positive : p.signs.zero;
    });
  }

  /// The errors of the source and of the correction in units; none where the row would be computed again.
  std::optional<std::pair<double, double>> compare() {
    const auto [truth, size] = source<double>();
    const float own = source<float>().first, ours = mended();
    if (!asDeclared() || !std::isfinite(truth) || !std::isfinite(own) || !std::isfinite(ours)) return std::nullopt;
    const double unit = std::ldexp(std::max(size, std::abs(truth)), -24) + 1e-36;
    const double beside = shaken();
    const double moved = std::isfinite(beside) ? std::abs(beside - truth) : 0;
    return std::pair(std::max(std::abs(static_cast<double>(own) - truth), moved) / unit,
                     std::abs(static_cast<double>(ours) - truth) / unit);
  }
};

} // namespace

Opinion byTrial(const Candidate &candidate, const Correction &correction) {
  try {
    return Trial(candidate, correction).run();
  } catch (const std::exception &) {
    return Opinion::Unknown;
  }
}

} // namespace polymend::algebra
