#include "polymend/shapes.h"

#include <algorithm>
#include <tuple>

namespace polymend {

namespace {

bool shorter(const Polynomial &a, const Polynomial &b) {
  const std::size_t left = a.begin()->first.size(), right = b.begin()->first.size();
  return std::tie(left, a.begin()->second, a) < std::tie(right, b.begin()->second, b);
}

/// The chain of strides, when each divides the next.
std::optional<FlatShape> chain(std::vector<Polynomial> strides) {
  strides.push_back(constantPolynomial(1));
  std::sort(strides.begin(), strides.end(), shorter);
  FlatShape shape;
  for (Polynomial &stride : strides) {
    if (!shape.strides.empty()) {
      if (stride == shape.strides.back()) continue;
      std::optional<Polynomial> extent = divideExactly(stride, shape.strides.back());
      if (!extent) return std::nullopt;
      shape.extents.push_back(std::move(*extent));
    }
    shape.strides.push_back(std::move(stride));
  }
  return shape;
}

Polynomial scaled(const Polynomial &p, std::int64_t divisor) {
  Polynomial result;
  for (const auto &[monomial, value] : p) result[monomial] = value / divisor;
  return result;
}

} // namespace

std::vector<FlatShape> candidates(const std::vector<Linear> &sums) {
  std::vector<Polynomial> whole, primitive, monomials;
  for (const Linear &sum : sums)
    for (const auto &[key, coefficient] : sum.terms) {
      if (key.empty()) continue;
      const std::int64_t common = content(coefficient);
      whole.push_back(scaled(coefficient, common < 0 ? -1 : 1));
      primitive.push_back(scaled(coefficient, common));
      for (const auto &[monomial, value] : coefficient) monomials.push_back({{monomial, 1}});
    }
  std::vector<FlatShape> shapes;
  for (const std::vector<Polynomial> &strides : {whole, primitive, monomials})
    if (std::optional<FlatShape> shape = chain(strides); shape && shape->strides.size() > 1)
      shapes.push_back(std::move(*shape));
  return shapes;
}

} // namespace polymend
