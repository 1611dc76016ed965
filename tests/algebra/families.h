// The families of pairs (monoid, element) that have a correction, with the rank of the best one, and those that have
// none. c, w, v, x, y, b, g, j are elements, p a positive element; N and i parameters; everything else is reduced.
#pragma once

#include "notation.h"

namespace notation {

inline std::vector<Family> familiesWithCorrection() {
  const Expr c = sym("c"), w = sym("w"), v = sym("v"), x = sym("x"), y = sym("y"), b = sym("b"), g = sym("g"),
             p = sym("p");
  const Expr N = index("N"), j = index("j"), i = index("i");
  const Expr m = sym("m"), l = sym("l"), a = sym("a"), S = sym("S"), T = sym("T"), V = sym("V"), r = sym("r"),
             q = sym("q");
  const Expr mean = S / N, scale = num(0.08838834764f), cap = num(50) * of(Op::Tanh, c / num(50));
  const Expr masked = select(less(j, i), c, -infinity()), weight = exp(c - m) / l;
  const Reduction top{"m", Monoid::Max, c}, total{"l", Monoid::Sum, exp(c - m)}, sum{"S", Monoid::Sum, c};
  const Reduction other{"r", Monoid::Sum, x}, size{"a", Monoid::Max, abs(c)};
  auto consumer = [](Monoid monoid, const Expr &e) { return Reduction{"X", monoid, e}; };
  auto add = [&](const Expr &e) { return consumer(Monoid::Sum, e); };
  return {
      {"exponential shift", {top, add(exp(c - m))}, 1, true},
      {"exponential shift, weighted", {top, add(exp(c - m) * w)}, 1, true},
      {"exponential shift, base 2", {top, add(of(Op::Exp2, c * scale - m * scale) * w)}, 1, true},
      {"exponential shift, scaled difference", {top, add(of(Op::Exp2, (c - m) * scale) * w)}, 1, true},
      {"exponential shift, divided", {top, total, add(weight * v)}, 1, true},
      {"exponential of a difference of logarithms", {top, total, add(exp(c - m - log(l)) * v)}, 1, true},
      {"exponential shift, bounded score",
       {{"m", Monoid::Max, cap}, {"l", Monoid::Sum, exp(cap - m)}, add(exp(cap - m) * v / l)},
       1,
       true},
      {"exponential shift, masked",
       {{"m", Monoid::Max, masked}, {"l", Monoid::Sum, exp(masked - m)}, add(exp(masked - m) * v / l)},
       1,
       true},
      {"exponential shift, zero weight", {top, add(select(less(j, i), exp(c - m), num(0)) * v)}, 1, true},
      {"two producers", {{"q", Monoid::Sum, abs(x)}, top, add(exp(c - m - num(0.5) * y) / sqrt(q))}, 1, true},
      {"square of a quotient", {size, add((c / a) * (c / a))}, 1, true},
      {"power 3/2 of a quotient", {{"a", Monoid::Max, p}, add(of(Op::Pow, p / a, num(1.5)))}, 1, true},
      {"logarithm of a quotient", {{"a", Monoid::Sum, p}, add(w * log(p / a))}, 2, true},
      {"affine shift", {sum, add((c - mean) * w)}, 2, true},
      {"second moment", {sum, add((c - mean) * (c - mean))}, 3, true},
      {"third moment", {sum, add(of(Op::Pow, c - mean, num(3)))}, 4, true},
      {"bilinear moment", {{"S", Monoid::Sum, x}, {"T", Monoid::Sum, y}, add((x - mean) * (y - T / N))}, 4, true},
      {"centred, scaled and contracted",
       {sum, {"V", Monoid::Sum, (c - mean) * (c - mean)}, add(((c - mean) / sqrt(V / N + num(1e-5)) * g + b) * w)},
       3,
       true},
      {"scaled and contracted", {{"q", Monoid::Sum, x * x}, add(x * g * w / sqrt(q / N + num(1e-5)))}, 1, false},
      {"polynomial", {{"r", Monoid::Sum, c}, add(x * r * r + y * r + w)}, 3, false},
      {"entropy", {top, total, add(exp(c - m) * (c - m))}, 2, true},
      {"entropy of quotients", {top, total, add(-weight * log(weight))}, 2, true},
      {"rotation", {sum, add(of(Op::Cos, c - mean) * w)}, 2, false},
      {"root of a product of squares", {other, add(sqrt(c * c * r * r))}, 1, false},
      {"Pythagoras",
       {other, add(c * (of(Op::Pow, of(Op::Cos, c - r), num(2)) + of(Op::Pow, of(Op::Sin, c - r), num(2))))},
       1,
       false},
      {"factor that may vanish", {other, add(y * r)}, 1, false},
      {"producer alone", {other, add(r * num(2))}, 1, false},
      {"distance below the maximum", {top, add(abs(c - m))}, 2, true},
      {"square of a distance below the maximum", {top, add((c - m) * (c - m))}, 3, true},
      {"cube of a distance above the minimum", {{"m", Monoid::Min, c}, add(of(Op::Pow, c - m, num(3)) * w)}, 4, true},
      {"square of a distance below the largest size", {size, add((c - a) * (c - a))}, 3, true},
      {"square of a distance below a maximum with a start",
       {{"m", Monoid::Max, of(Op::Max, c, num(0))}, add((c - m) * (c - m))},
       3,
       true},
      {"logarithm of a share, weighted", {top, total, add(w * (c - m - log(l)))}, 2, true},
      {"distances from both ends", {top, {"q", Monoid::Min, c}, add((c - m) * (c - q))}, 4, true},
      {"excess over the maximum", {top, add(of(Op::Max, c - m, num(0)))}, 1, false},
      {"maximum with the maximum", {top, add(of(Op::Max, c, m))}, 1, false},
      {"product of quotients", {{"a", Monoid::Sum, abs(c)}, consumer(Monoid::Product, c / a)}, 1, true},
      {"maximum of a scaled size", {{"a", Monoid::Sum, p}, consumer(Monoid::Max, abs(c) / a)}, 1, false},
      {"maximum of the square of a quotient", {size, consumer(Monoid::Max, (c / a) * (c / a))}, 1, false},
      {"maximum of a shifted score", {other, consumer(Monoid::Max, r + c)}, 1, false},
      {"minimum of two scores", {other, consumer(Monoid::Min, num(3) * r + c - y)}, 1, false},
      {"minimum of a falling score", {{"a", Monoid::Sum, p}, consumer(Monoid::Min, -a * c)}, 1, false},
      {"maximum of an exponential", {top, consumer(Monoid::Max, exp(c - m))}, 1, false},
      {"maximum of a sigmoid", {other, consumer(Monoid::Max, sigmoid(c - r))}, 1, false},
      {"maximum of a maximum", {other, consumer(Monoid::Max, of(Op::Max, c, r))}, 1, false},
  };
}

struct Refused {
  Family family;
  std::vector<std::string> says; // what the reason must contain
};

inline std::vector<Refused> familiesWithout() {
  const Expr c = sym("c"), x = sym("x"), y = sym("y"), w = sym("w"), r = sym("r"), m = sym("m"), q = sym("q");
  const Expr N = index("N"), line = sym("r1") / N * x + sym("r0") / N - y, share = exp(c - m) / sym("l");
  const Reduction other{"r", Monoid::Sum, x}, top{"m", Monoid::Max, c}, least{"q", Monoid::Min, c};
  const Reduction total{"l", Monoid::Sum, exp(c - m)}, level{"q", Monoid::Max, w};
  auto sum = [&](const std::string &name, const Expr &e) {
    return Family{name, {other, {"X", Monoid::Sum, e}}, 0, false};
  };
  auto reduce = [&](const std::string &name, Monoid monoid, const Expr &e) {
    return Family{name, {other, {"X", monoid, e}}, 0, false};
  };
  const std::vector<std::string> both{"a sum", "mixes r and c", "no finite rank"};
  auto naming = [&](const std::string &term) {
    std::vector<std::string> all = both;
    all.push_back(term);
    return all;
  };
  return {
      {sum("sigmoid", num(1) / (num(1) + exp(r - c))), naming("exp(r - c)")},
      {sum("distance", abs(c - r)), naming("abs(c - r)")},
      {sum("relu", of(Op::Max, c - r, num(0))), naming("max(")},
      {sum("bell", exp(-((c - r) * (c - r)))), naming("exp(")},
      {sum("exponential of a product", exp(c * r)), naming("exp(")},
      {sum("reciprocal", num(1) / (c + r)), naming("1.0 / (")},
      {sum("rounding", of(Op::Round, c / r)), naming("round(c / r)")},
      {sum("maximum", of(Op::Max, c, r)), naming("max(")},
      {sum("hyperbolic tangent", of(Op::Tanh, c - r)), naming("tanh(c - r)")},
      {sum("logarithm", log(c + r)), naming("log(")},
      {sum("root", sqrt(c * c + r * r)), naming("sqrt(")},
      {sum("comparison", select(less(c, r), c, num(0))), naming("c <= r")},
      {sum("cosine of a product", of(Op::Cos, c * r)), naming("cos(")},
      {sum("library function", Expr::call("erf", {c - r}, Type::Float32)), naming("erf(c - r)")},
      {sum("removable singularity", (c * c - r * r) / (c - r)), {"a sum", "singularity", "c - r"}},
      {{"sigmoid below the maximum", {top, {"X", Monoid::Sum, sigmoid(c - m)}}, 0, false},
       {"a sum", "exp(m - c)", "mixes m and c"}},
      {{"least squares",
        {{"r1", Monoid::Sum, x * y}, {"r0", Monoid::Sum, y}, {"X", Monoid::Sum, line * line}},
        0,
        false},
       {"a sum", "in floating point", "cancels"}},
      {{"square of a distance from another maximum",
        {{"m", Monoid::Max, x}, {"X", Monoid::Sum, (c - m) * (c - m)}},
        0,
        false},
       {"a sum", "in floating point", "c - m cancels"}},
      {{"square of a distance from the middle",
        {top, least, {"X", Monoid::Sum, (c - num(0.5) * (m + q)) * (c - num(0.5) * (m + q))}},
        0,
        false},
       {"a sum", "in floating point", "cancels"}},
      {{"square of a distance from a sum", {other, {"X", Monoid::Sum, (x - r) * (x - r)}}, 0, false},
       {"a sum", "in floating point", "cancels"}},
      {{"difference of logarithms of shares",
        {top,
         total,
         level,
         {"k", Monoid::Sum, exp(w - q)},
         {"X", Monoid::Sum, share * (c - m - log(sym("l")) - (w - q - log(sym("k"))))}},
        0,
        false},
       {"a sum", "in floating point", "cancels"}},
      {{"exponential above another minimum", {{"m", Monoid::Min, x}, {"X", Monoid::Sum, exp(c - m)}}, 0, false},
       {"a sum", "in floating point", "may vanish"}},
      {sum("exponential over a sum, beside a term", exp(c - num(1) / (r + num(1))) / r * w - c * num(0.5)),
       {"a sum", "in floating point", "may be far larger at an earlier r"}},
      {{"maximum of a score and its exponential", {top, {"X", Monoid::Max, exp(c - m) * c}}, 0, false},
       {"a maximum", "in floating point", "exp(c - m)", "leaves the range"}},
      {reduce("maximum of a product", Monoid::Max, y * r), {"a maximum", "sign", "r"}},
      {reduce("maximum of a distance", Monoid::Max, abs(x - r)), {"a maximum", "abs(r - x)"}},
      {reduce("product of sums", Monoid::Product, x + r), {"a product", "x + r"}},
      {reduce("maximum of two products", Monoid::Max, x * exp(r) + y * r), {"a maximum", "score"}},
  };
}

} // namespace notation
