// The shortest paths between all pairs, of integers, where only what is shorter is stored.
// expect: moved

void shorter_through_each(int n, int *cost) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (cost[i * n + k] + cost[k * n + j] < cost[i * n + j]) cost[i * n + j] = cost[i * n + k] + cost[k * n + j];
}
