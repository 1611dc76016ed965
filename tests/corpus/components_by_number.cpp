// Members that lie behind each other, by number: one of them that a loop or data within the range say.
// expect: corrected 0
#include <algorithm>
struct Triple {
  float x, y, z;
  float operator[](int i) const { return (&x)[i]; }
  float &operator[](int i) { return (&x)[i]; }
};
struct Cell {
  Triple low, high;
};
void components_by_number(int n, const Cell *cells, const Triple *at, float *inside) {
  for (int i = 0; i < n; i++) {
    const Triple p = at[i];
    Triple moved{p.x * 2, p.y, p.z - 1};
    moved[1] = p[2] + p[0];
    float least = 1e30f;
    for (int a = 0; a < 3; ++a) {
      const float from = p[a] - cells[i].low[a], to = cells[i].high[a] - p[a];
      least = std::min(least, std::min(from, to) * moved[a]);
    }
    inside[i] = least;
  }
}
