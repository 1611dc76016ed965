// All shortest paths over a vector of vectors, rows by reference.
#include <vector>

void floyd_rows(std::vector<std::vector<int>> &dist) {
  const int n = dist.size();
  for (int k = 0; k < n; ++k) {
    const auto &dk = dist[k];
    for (int i = 0; i < n; ++i) {
      auto &di = dist[i];
      const int dik = di[k];
      for (int j = 0; j < n; ++j)
        if (dik + dk[j] < di[j]) di[j] = dik + dk[j];
    }
  }
}
