// A reference stays at its element while the index that chose it goes on: trees that each row descends.
// expect: kept

#include <vector>

struct Node {
  int feature, left, right;
  float value;
};

void trees_descended(const std::vector<Node> &nodes, const std::vector<int> &roots, const float *__restrict x, float *y,
                     int n, int features, int depth) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (std::size_t t = 0; t < roots.size(); t++) {
      int id = roots[t];
      for (int step = 0; step < depth; step++) {
        const Node &at = nodes[id];
        if (at.feature < 0) break;
        id = x[i * features + at.feature] < at.value ? at.left : at.right;
        if (id < 0) id = at.left;
      }
      sum += nodes[id].value;
    }
    y[i] = sum;
  }
}
