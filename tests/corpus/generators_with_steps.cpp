// Generators whose members set a state and return it, and make objects of what they draw, one behind the other.
// expect: kept
#include <cstdint>
struct Drawn {
  float a, b;
};
struct Stream {
  std::uint32_t s;
  std::uint32_t next() { return s = s * 1664525u + 1013904223u; }
  float unit() { return static_cast<float>(next() >> 8) * (1.0f / 16777216.0f); }
  Drawn both() {
    const float a = unit();
    return {a, unit()};
  }
  Drawn around(float centre) {
    Drawn d = both();
    d.a = d.a - centre;
    if (d.a < 0) return {-d.a, d.b};
    return d;
  }
};
void generators_with_steps(int n, float *x, std::uint32_t *last) {
  for (int i = 0; i < n; i++) {
    Stream stream{static_cast<std::uint32_t>(i) * 7919u};
    float sum = 0;
    for (int k = 0; k < 5; k++) {
      const Drawn one = stream.both();
      const Drawn other = stream.around(0.5f);
      sum += one.a * one.b + other.a - other.b;
    }
    x[i] = sum;
    last[i] = stream.next();
  }
}
