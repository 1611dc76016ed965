// Which nodes of a graph are reachable from each: a transitive closure in place, of characters.
// expect: moved

void reachable_from_each(int n, unsigned char *reach) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) reach[i * n + j] |= reach[i * n + k] & reach[k * n + j];
}
