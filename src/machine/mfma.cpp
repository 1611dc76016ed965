// What AMD's matrix cores multiply, by wavefronts of 64 lanes. "AMD Instinct MI300" Instruction Set Architecture,
// chapter 7, "Matrix Arithmetic Instructions": V_MFMA_F32_32X32X8_F16, V_MFMA_F32_16X16X16_F16 (their BF16_1K forms lie
// alike), V_MFMA_F64_16X16X4_F64; CDNA2's are the same.
#include "polymend/atoms.h"

namespace polymend::atoms {
namespace {

constexpr auto r = Digit::To::Register, l = Digit::To::Lane;

} // namespace

MatrixAtom mfmaWide() {
  const TileLayout factor{{{{32, l, 1}}, {{4, r, 1}, {2, l, 32}}}, {}, {}, {}};
  return {"mfma_f32_32x32x8",
          32,
          32,
          8,
          {{{{4, r, 1}, {2, l, 32}, {4, r, 4}}, {{32, l, 1}}}, {}, {}, {}},
          factor,
          factor,
          true,
          false};
}

MatrixAtom mfmaSquare() {
  const TileLayout factor{{{{16, l, 1}}, {{4, r, 1}, {4, l, 16}}}, {}, {}, {}};
  return {"mfma_f32_16x16x16",
          16,
          16,
          16,
          {{{{4, r, 1}, {4, l, 16}}, {{16, l, 1}}}, {}, {}, {}},
          factor,
          factor,
          true,
          false};
}

MatrixAtom mfmaDouble() {
  const TileLayout factor{{{{16, l, 1}}, {{4, l, 16}}}, {}, {}, {}};
  return {"mfma_f64_16x16x4",
          16,
          16,
          4,
          {{{{4, l, 16}, {4, r, 1}}, {{16, l, 1}}}, {}, {}, {}},
          factor,
          factor,
          false,
          false};
}

} // namespace polymend::atoms
