// Interval arithmetic over floats. Rounding to nearest is monotone, so that ends that are computed in the type's own
// arithmetic are those of the values. A choice by a comparison says of what it compares what each side is.
#include "real_reach.h"

#include "polymend/element_types.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace polymend {

namespace {

/// What a comparison says of an expression where it is chosen.
struct Known {
  Expr e;
  RealRange range;
};

class Ranges {
public:
  explicit Ranges(const std::function<Interval(const Expr &)> &ofIntegers) : integers(ofIntegers) {}

  RealRange of(const Expr &e) {
    RealRange range = plain(e);
    for (const Known &one : known)
      if (equal(one.e, e)) {
        range.least = std::max(range.least, one.range.least);
        range.most = std::min(range.most, one.range.most);
      }
    return range;
  }

private:
  const std::function<Interval(const Expr &)> &integers;
  std::vector<Known> known;

  static RealRange hull(const RealRange &a, const RealRange &b) {
    return {std::min(a.least, b.least), std::max(a.most, b.most)};
  }

  /// The least and greatest of what an operation makes of the ends; anything where one is no number.
  template <class F> static RealRange corners(const RealRange &a, const RealRange &b, Type type, const F &f) {
    RealRange result{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const double x : {a.least, a.most})
      for (const double y : {b.least, b.most}) {
        const double value = roundTo(type, f(x, y));
        if (std::isnan(value)) return {};
        result = hull(result, {value, value});
      }
    return result;
  }

  RealRange each(const Expr &e, double (*f)(double)) {
    const RealRange a = of(e.arg(0));
    return {roundTo(e.type(), f(a.least)), roundTo(e.type(), f(a.most))};
  }

  RealRange chosen(const Expr &e) {
    const Expr &condition = e.arg(0);
    const bool compares = condition.op() == Op::Lt || condition.op() == Op::Le;
    if (!compares || !isFloating(condition.arg(0).type())) return hull(of(e.arg(1)), of(e.arg(2)));
    const RealRange a = of(condition.arg(0)), b = of(condition.arg(1));
    const auto under = [&](const RealRange &left, const RealRange &right, const Expr &side) {
      known.push_back({condition.arg(0), left});
      known.push_back({condition.arg(1), right});
      const RealRange range = of(side);
      known.resize(known.size() - 2);
      return range;
    };
    const double far = std::numeric_limits<double>::infinity();
    return hull(under({-far, b.most}, {a.least, far}, e.arg(1)), under({b.least, far}, {-far, a.most}, e.arg(2)));
  }

  RealRange plain(const Expr &e) {
    const auto operation = [&](const auto &f) { return corners(of(e.arg(0)), of(e.arg(1)), e.type(), f); };
    switch (e.op()) {
    case Op::Real: return {e->real, e->real};
    case Op::Cast: {
      if (isFloating(e.arg(0).type())) return each(e, [](double x) { return x; });
      const Interval values = integers(e.arg(0));
      const auto low = values.low(), high = values.high();
      if (!low || !high) return {};
      return {roundTo(e.type(), static_cast<double>(*low)), roundTo(e.type(), static_cast<double>(*high))};
    }
    case Op::Neg: {
      const RealRange a = of(e.arg(0));
      return {-a.most, -a.least};
    }
    case Op::Add: return operation([](double x, double y) { return x + y; });
    case Op::Sub: return operation([](double x, double y) { return x - y; });
    case Op::Mul: return operation([](double x, double y) { return x * y; });
    case Op::Div: {
      const RealRange by = of(e.arg(1));
      if (by.least <= 0 && by.most >= 0) return {};
      return operation([](double x, double y) { return x / y; });
    }
    case Op::Min:
    case Op::FMin: return operation([](double x, double y) { return std::min(x, y); });
    case Op::Max:
    case Op::FMax: return operation([](double x, double y) { return std::max(x, y); });
    case Op::Floor: return each(e, [](double x) { return std::floor(x); });
    case Op::Ceil: return each(e, [](double x) { return std::ceil(x); });
    case Op::Trunc: return each(e, [](double x) { return std::trunc(x); });
    case Op::Round: return each(e, [](double x) { return std::round(x); });
    case Op::Select: return chosen(e);
    default: return {};
    }
  }
};

} // namespace

RealRange rangeOf(const Expr &e, const std::function<Interval(const Expr &)> &integers) {
  return Ranges(integers).of(e);
}

Interval integersIn(const RealRange &range) {
  constexpr double word = 0x1p62;
  Interval result;
  if (std::fabs(range.least) < word) result.least = static_cast<std::int64_t>(range.least);
  if (std::fabs(range.most) < word) result.most = static_cast<std::int64_t>(range.most);
  return result;
}

} // namespace polymend
