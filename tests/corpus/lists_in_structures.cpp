// The two members of a structure that are std::arrays are assigned as lists.
// expect: corrected 0
#include <array>

struct Pair {
  std::array<float, 2> part, back;
};

void lists_in_structures(const float *x, Pair *pairs, int n) {
  for (int i = 0; i < n; ++i) {
    const float a = x[2 * i], b = x[2 * i + 1];
    pairs[i].part = {a - b, a + b};
    pairs[i].back = {pairs[i].part[1], pairs[i].part[0]};
    pairs[i].back = {pairs[i].back[1], 3 * pairs[i].back[0]};
  }
}
