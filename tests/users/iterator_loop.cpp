// Iterators in the place of indices.
#include <vector>

float iterator_loop(const std::vector<float> &v) {
  float s = 0;
  for (auto it = v.begin(); it != v.end(); ++it) s += *it * *it;
  return s;
}
