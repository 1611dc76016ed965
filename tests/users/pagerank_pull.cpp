// A step of PageRank over the transposed graph in CSR form.
#include <vector>

struct Graph {
  std::vector<int> row_ptr, col_idx;
  std::vector<float> out_degree_inv;
  int n;
};

void pagerank_pull(const Graph &g, const std::vector<float> &rank, std::vector<float> &next, float damping) {
  for (int v = 0; v < g.n; ++v) {
    float sum = 0.0f;
    for (int e = g.row_ptr[v]; e < g.row_ptr[v + 1]; ++e) {
      const int u = g.col_idx[e];
      sum += rank[u] * g.out_degree_inv[u];
    }
    next[v] = (1.0f - damping) / g.n + damping * sum;
  }
}
