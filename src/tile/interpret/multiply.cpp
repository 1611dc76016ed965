// Products of 16-bit numbers and of floats are exact in a double and round to float as the points' own products do;
// each element takes them in the order of the sum.
#include "multiply.h"

#include "polymend/contraction.h"

#include <algorithm>

namespace polymend::tile {

namespace {

/// A matrix of the running program by two variables of a contraction.
struct Matrix {
  double *values = nullptr;
  std::int64_t first = 0, second = 0; // steps of the variables
};

/// The matrix, if its elements at 0 <= a < aLimit and 0 <= b < bLimit exist.
std::optional<Matrix> matrixOf(const Ref &ref, const std::string &a, std::int64_t aLimit, std::int64_t bLimit,
                               const Environment &env) {
  const auto at = env.arrays.find(ref.array);
  if (at == env.arrays.end() || at->second.extents.size() != 2) return std::nullopt;
  const bool straight = ref.subscripts[0]->name == a;
  const std::vector<std::int64_t> &extents = at->second.extents;
  if ((straight ? aLimit : bLimit) > extents[0] || (straight ? bLimit : aLimit) > extents[1]) return std::nullopt;
  return Matrix{at->second.values->data(), straight ? extents[1] : 1, straight ? 1 : extents[1]};
}

/// The limit of the box's dimension that starts at 0, or 0.
std::int64_t limitOf(const TilePoints &points, const std::string &variable) {
  for (const PointDim &d : points.dims)
    if (d.variable == variable && d.first.op() == Op::Integer && d.first->integer == 0 && d.limit.op() == Op::Integer)
      return d.limit->integer;
  return 0;
}

/// The sum of `length` products added to an element, every operation rounded to Real.
template <class Real>
double summed(double element, const double *x, std::int64_t xStep, const double *y, std::int64_t yStep,
              std::int64_t length) {
  auto sum = static_cast<Real>(element);
  for (std::int64_t k = 0; k < length; ++k)
    sum = static_cast<Real>(static_cast<double>(sum) +
                            static_cast<double>(static_cast<Real>(x[k * xStep] * y[k * yStep])));
  return static_cast<double>(sum);
}

} // namespace

bool multiply(const TilePoints &points, const std::vector<TileArray> &tiles, Environment &env) {
  const auto parts = contractionOf(points, tiles);
  if (!parts || env.fault) return false;
  const std::int64_t rows = limitOf(points, parts->m), columns = limitOf(points, parts->n),
                     length = limitOf(points, parts->k);
  if (rows <= 0 || columns <= 0 || length <= 0) return false;
  const auto target = matrixOf(parts->target, parts->m, rows, columns, env),
             a = matrixOf(parts->a, parts->m, rows, length, env),
             b = matrixOf(parts->b, parts->n, columns, length, env);
  if (!target || !a || !b) return false;
  const Type type = env.arrays.at(parts->target.array).shape->type;
  if (type != Type::Float32 && type != Type::Float64) return false;
  const auto sum = type == Type::Float32 ? summed<float> : summed<double>;
  for (std::int64_t m = 0; m < rows; ++m)
    for (std::int64_t n = 0; n < columns; ++n) {
      double &element = target->values[m * target->first + n * target->second];
      const double *x = a->values + m * a->first, *y = b->values + n * b->first;
      element = sum(element, x, a->second, y, b->second, length);
    }
  return true;
}

} // namespace polymend::tile
