// Triangles of a dense graph of bools.
long triangle_count(const bool *adj, int n) {
  long count = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = j + 1; k < n; k++) count += adj[i * n + j] && adj[j * n + k] && adj[i * n + k];
  return count;
}
