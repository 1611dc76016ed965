// An adjacency matrix divided by its rows' degrees, matrix by rows of pointers.
// left: float **
void normalize_adjacency(float **adj, int n) {
  for (int i = 0; i < n; i++) {
    float deg = 0;
    for (int j = 0; j < n; j++) deg += adj[i][j];
    if (deg > 0)
      for (int j = 0; j < n; j++) adj[i][j] /= deg;
  }
}
