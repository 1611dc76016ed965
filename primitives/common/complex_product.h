#ifndef POLYMEND_RT_COMPLEX_PRODUCT
#define POLYMEND_RT_COMPLEX_PRODUCT

#include "host_device.h"

#include <cmath>

namespace polymend_rt {
namespace {

/// A complex number.
template <class T> struct Complex {
  T real, imaginary;
};

POLYMEND_HOST_DEVICE inline float withSignOf(float size, float sign) { return ::copysignf(size, sign); }
POLYMEND_HOST_DEVICE inline double withSignOf(double size, double sign) { return ::copysign(size, sign); }

template <class T> POLYMEND_HOST_DEVICE inline bool isInfinite(T x) { return x == x && !(x - x == T(0)); }

/// A factor where either is infinite: 1 or 0 for its parts, 0 for what is no number.
template <class T> POLYMEND_HOST_DEVICE inline Complex<T> boxed(Complex<T> a) {
  return {withSignOf(isInfinite(a.real) ? T(1) : T(0), a.real),
          withSignOf(isInfinite(a.imaginary) ? T(1) : T(0), a.imaginary)};
}
template <class T> POLYMEND_HOST_DEVICE inline Complex<T> withoutNaN(Complex<T> a) {
  return {a.real != a.real ? withSignOf(T(0), a.real) : a.real,
          a.imaginary != a.imaginary ? withSignOf(T(0), a.imaginary) : a.imaginary};
}

/// (a + bi)(c + di), infinite where one of the factors is (ISO C, annex G.5.1).
template <class T> POLYMEND_HOST_DEVICE inline Complex<T> complexProduct(T a, T b, T c, T d) {
  const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  const Complex<T> product{ac - bd, ad + bc};
  if (product.real == product.real || product.imaginary == product.imaginary) return product;
  Complex<T> first{a, b}, second{c, d};
  bool isFarOut = false;
  if (isInfinite(a) || isInfinite(b)) {
    first = boxed(first);
    second = withoutNaN(second);
    isFarOut = true;
  }
  if (isInfinite(c) || isInfinite(d)) {
    second = boxed(second);
    first = withoutNaN(first);
    isFarOut = true;
  }
  if (!isFarOut && (isInfinite(ac) || isInfinite(bd) || isInfinite(ad) || isInfinite(bc))) {
    first = withoutNaN(first);
    second = withoutNaN(second);
    isFarOut = true;
  }
  if (!isFarOut) return product;
  const T infinite = static_cast<T>(INFINITY);
  return {infinite * (first.real * second.real - first.imaginary * second.imaginary),
          infinite * (first.real * second.imaginary + first.imaginary * second.real)};
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMPLEX_PRODUCT
