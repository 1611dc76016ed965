// Functions of a real number, without branches on data and without calls, so that loops over them become vector code.
// Coefficients are interpolated at Chebyshev nodes; the stated bounds are checked over all binary32 exponents in tests.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view multiplyAdd = R"cpp(/// a * b + c, rounded once where the machine can.
template <class T> inline __attribute__((always_inline)) T multiplyAdd(T a, T b, T c) {
#if defined(__clang__)
#pragma clang fp contract(on)
#elif defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
  return std::fma(a, b, c);
#endif
  return a * b + c;
}
)cpp";

const std::string_view bits = R"cpp(inline std::uint32_t bitsOf(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

inline float floatOf(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
)cpp";

const std::string_view scale =
    R"cpp(/// p * 2^n for n in [-252, 254], in two exact steps and one rounding; `shifted` is 1.5 * 2^23 + n.
inline float scale(float p, float shifted) {
  const auto n = static_cast<std::int32_t>(bitsOf(shifted) - UINT32_C(0x4b400000));
  const std::int32_t half = n >> 1;
  const auto low = static_cast<std::uint32_t>(half) + UINT32_C(127);
  const auto high = static_cast<std::uint32_t>(n) - static_cast<std::uint32_t>(half) + UINT32_C(127);
  return p * floatOf(low << 23) * floatOf(high << 23);
}
)cpp";

const std::string_view exp =
    R"cpp(/// e^x within 2 ulp (denormal results within one denormal ulp); exp(-inf) = 0, exp(inf) = inf, NaN stays NaN.
inline float exp(float x) {
  const float above = x < -104.0f ? -104.0f : x;
  const float c = above > 89.0f ? 89.0f : above;
  const float shifted = c * 0x1.715476p+0f + 0x1.8p+23f;
  const float n = shifted - 0x1.8p+23f;
  const float r = (c - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
  const float p = (((0x1.6d127ep-10f * r + 0x1.120ce4p-7f) * r + 0x1.555518p-5f) * r + 0x1.5554dcp-3f) * r + 0.5f;
  return scale(p * r * r + r + 1.0f, shifted);
}
)cpp";

const std::string_view exp2 =
    R"cpp(/// 2^x within 2 ulp (denormal results within one denormal ulp); exp2(-inf) = 0, exp2(inf) = inf, NaN stays NaN.
inline float exp2(float x) {
  const float above = x < -151.0f ? -151.0f : x;
  const float c = above > 129.0f ? 129.0f : above;
  const float shifted = c + 0x1.8p+23f;
  const float r = c - (shifted - 0x1.8p+23f);
  const float p = (((0x1.44138ap-13f * r + 0x1.5f0890p-10f) * r + 0x1.3b2a54p-7f) * r + 0x1.c6af6cp-5f) * r + 0x1.ebfbe0p-3f;
  return scale((p * r + 0x1.62e430p-1f) * r + 1.0f, shifted);
}
)cpp";

const std::string_view log =
    R"cpp(/// log x within 2 ulp; log(0) = -inf, log of a negative number is NaN, log(inf) = inf, NaN stays NaN.
inline float log(float x) {
  const bool tiny = x < 0x1p-126f;
  const std::uint32_t bits = bitsOf(tiny ? x * 0x1p+23f : x);
  const std::int32_t e = static_cast<std::int32_t>(bits - UINT32_C(0x3f3504f3)) >> 23;
  const float f = floatOf(bits - (static_cast<std::uint32_t>(e) << 23)) - 1.0f;
  const float n = static_cast<float>(tiny ? e - 23 : e);
  float p = 0x1.1d8ea6p-4f * f - 0x1.d635bcp-4f;
  p = ((p * f + 0x1.dea282p-4f) * f - 0x1.fcf4c6p-4f) * f + 0x1.23d21ap-3f;
  p = ((p * f - 0x1.555b4ap-3f) * f + 0x1.999d5ap-3f) * f - 0x1.fffffcp-3f;
  p = (p * f + 0x1.555554p-2f) * f - 0.5f;
  const float y = (p * f * f + n * 0x1.7f7d1cp-20f) + f + n * 0x1.62e4p-1f;
  const float infinity = std::numeric_limits<float>::infinity();
  const float positive = x < infinity ? y : x;
  const float nonNegative = x == 0.0f ? -infinity : positive;
  return x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : nonNegative;
}
)cpp";

const std::string_view tanh = R"cpp(/// tanh x within 3 ulp; tanh(-0) = -0, tanh(+-inf) = +-1, NaN stays NaN.
inline float tanh(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float z = x * x;
  const float p = (((-0x1.8f8de4p-8f * z + 0x1.58048ep-6f) * z - 0x1.b9258ap-5f) * z + 0x1.110e1cp-3f) * z - 0x1.555552p-2f;
  const float nearZero = p * z * x + x;
  const float large = 1.0f - 2.0f / (exp(2.0f * magnitude) + 1.0f);
  const float far = x < 0.0f ? -large : large;
  return magnitude < 0.625f ? nearZero : far;
}
)cpp";

const std::string_view sqrt = R"cpp(/// The correctly rounded root, without errno.
template <class T> inline T sqrt(T x) {
#if defined(__clang__)
  return __builtin_elementwise_sqrt(x);
#else
  return std::sqrt(x);
#endif
}
)cpp";

} // namespace polymend::print_room::texts
