// What NVIDIA's matrix units multiply. PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type",
// "mma.m16n8k8", "mma.m16n8k4 with .f64 floating point type", "Register Fragments for wgmma.mma_async.m64nNk16". A step
// in double is two products of 4 terms, each m16n8k4 or, for 8 rows, two m8n8k4.
#include "polymend/atoms.h"

namespace polymend::atoms {
namespace {

constexpr auto r = Digit::To::Register, l = Digit::To::Lane, w = Digit::To::Warp;

} // namespace

MatrixAtom mmaNarrow() {
  return {"mma_m16n8k16",
          16,
          8,
          16,
          {{{{8, l, 4}, {2, r, 2}}, {{2, r, 1}, {4, l, 1}}}, {}, {}, {}},
          {{{{8, l, 4}, {2, r, 2}}, {{2, r, 1}, {4, l, 1}, {2, r, 4}}}, {}, {}, {}},
          {{{{8, l, 4}}, {{2, r, 1}, {4, l, 1}, {2, r, 2}}}, {}, {}, {}},
          true,
          false};
}

MatrixAtom mmaFloat() {
  MatrixAtom atom = mmaNarrow();
  atom.name = "mma_m16n8k8_tf32";
  atom.terms = 8;
  atom.left.axes = {{{8, l, 4}, {2, r, 1}}, {{4, l, 1}, {2, r, 2}}};
  atom.right.axes = {{{8, l, 4}}, {{4, l, 1}, {2, r, 1}}};
  atom.paired = false;
  return atom;
}

MatrixAtom mmaDouble() {
  MatrixAtom atom = mmaFloat();
  atom.name = "mma_m16n8k8_f64";
  return atom;
}

MatrixAtom wgmmaNarrow() {
  constexpr std::int64_t warps = 4;
  MatrixAtom atom = mmaNarrow();
  atom.name = "wgmma_m64n8k16";
  atom.rows *= warps;
  atom.sums = repeated(atom.sums, 0, warps, w, 1);
  atom.left = repeated(atom.left, 0, warps, w, 1);
  atom.right = {};
  atom.asynchronous = true;
  return atom;
}

} // namespace polymend::atoms
