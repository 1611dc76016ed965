#ifndef POLYMEND_RT_IMAGINARY_OF_PRODUCT
#define POLYMEND_RT_IMAGINARY_OF_PRODUCT

#include "complex_product.h"
#include "host_device.h"

namespace polymend_rt {
namespace {

/// The imaginary part of (a + bi)(c + di).
template <class T> POLYMEND_HOST_DEVICE inline T imaginaryOfProduct(T a, T b, T c, T d) {
  return complexProduct(a, b, c, d).imaginary;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_IMAGINARY_OF_PRODUCT
