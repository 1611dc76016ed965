#ifndef POLYMEND_RT_REAL_OF_PRODUCT
#define POLYMEND_RT_REAL_OF_PRODUCT

#include "complex_product.h"
#include "host_device.h"

namespace polymend_rt {
namespace {

/// The real part of (a + bi)(c + di).
template <class T> POLYMEND_HOST_DEVICE inline T realOfProduct(T a, T b, T c, T d) {
  return complexProduct(a, b, c, d).real;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_REAL_OF_PRODUCT
