// The parts of a product of two complex numbers, (a + bi)(c + di), as calls.
#pragma once

#include "polymend/expr.h"

#include <complex>
#include <optional>
#include <string_view>
#include <vector>

namespace polymend {

inline constexpr std::string_view realOfProduct = "polymend_rt::realOfProduct",
                                  imaginaryOfProduct = "polymend_rt::imaginaryOfProduct";

/// The value of such a call of a, b, c and d: infinite where a factor is (ISO C, annex G.5.1); absent: another call.
inline std::optional<double> partOfProduct(std::string_view name, const std::vector<double> &args) {
  if (args.size() != 4 || (name != realOfProduct && name != imaginaryOfProduct)) return std::nullopt;
  const std::complex<double> product = std::complex<double>(args[0], args[1]) * std::complex<double>(args[2], args[3]);
  return name == realOfProduct ? product.real() : product.imag();
}

/// What such a call is where its value is a number: ac - bd, ad + bc; absent: another call.
inline Expr plainPartOf(const Expr &call) {
  const bool isReal = call->name == realOfProduct;
  if (call->args.size() != 4 || (!isReal && call->name != imaginaryOfProduct)) return {};
  const auto times = [&](std::size_t a, std::size_t b) {
    return Expr::make(Op::Mul, call.type(), {call.arg(a), call.arg(b)});
  };
  return isReal ? Expr::make(Op::Sub, call.type(), {times(0, 2), times(1, 3)})
                : Expr::make(Op::Add, call.type(), {times(0, 3), times(1, 2)});
}

} // namespace polymend
