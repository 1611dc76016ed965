// A generator that is asked behind && and ||: it steps where the first operand says so alone.
// expect: kept
#include <cstdint>
struct Gen {
  std::uint32_t s;
  std::uint32_t next() {
    s = s * 1664525u + 1013904223u;
    return s >> 8;
  }
};
void asked_behind_a_choice(int n, const float *a, float *o) {
  for (int i = 0; i < n; i++) {
    Gen g{std::uint32_t(i)};
    float t = 0;
    for (int k = 0; k < 4; k++) {
      if (a[i] > 0.2f && (g.next() & 3u) == 1u) t += 1;
      if (a[i] < 0.6f || (g.next() & 1u)) t += g.next() & 7u;
    }
    o[i] = t + (g.next() & 15u);
  }
}
