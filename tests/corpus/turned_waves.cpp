// Waves as structures of complex numbers, each turned by an angle of its own, twice.
// expect: kept
#include <complex>

struct Pair {
  std::complex<float> up, down;
};

void turned_waves(Pair *waves, const float *angle, int n) {
  for (int i = 0; i < n; ++i) {
    const auto turn = std::polar(1.0f, angle[i]);
    std::complex<float> one = waves[i].up;
    one *= turn;
    one *= one;
    waves[i].up = one - waves[i].down;
    waves[i].down = {one.imag(), -one.real()};
  }
}
