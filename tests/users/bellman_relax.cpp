// One round of edge relaxations.
// left: where 'dist_data' is written cannot be told
#include <vector>

struct Edge {
  int from, to;
  float weight;
};

bool bellman_relax(const std::vector<Edge> &edges, std::vector<float> &dist) {
  bool changed = false;
  for (const Edge &e : edges) {
    if (dist[e.from] + e.weight < dist[e.to]) {
      dist[e.to] = dist[e.from] + e.weight;
      changed = true;
    }
  }
  return changed;
}
