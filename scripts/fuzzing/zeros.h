// fmax and fmin that choose one sign, among zeros of both: which of them a compiler takes is its own affair, and a
// division may tell. ZERO is the zero.
#pragma once

#include <cmath>

namespace std {
template <class A, class B> auto fuzz_chosen(A a, B b, decltype(a + b) x) {
  return a == 0 && b == 0 && signbit(a) != signbit(b) ? static_cast<decltype(a + b)>(ZERO) : x;
}
template <class A, class B> auto fuzz_fmax(A a, B b) { return fuzz_chosen(a, b, fmax(a, b)); }
template <class A, class B> auto fuzz_fmin(A a, B b) { return fuzz_chosen(a, b, fmin(a, b)); }
} // namespace std

using std::fuzz_fmax;
using std::fuzz_fmin;

#define fmax fuzz_fmax
#define fmin fuzz_fmin
#define fmaxf fuzz_fmax
#define fminf fuzz_fmin
