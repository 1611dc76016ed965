// A wave in a plane: an edge that is driven, a wall that mirrors, cells with factors of their own, turn after turn.
// expect: moved

void turns_in_tiles(int steps, int n, int m, float *height, float *flow, const float *depth, const float *source) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m; j++)
        flow[i * m + j] -= 0.25f * depth[i * m + j] * (height[i * m + j] - height[(i - 1) * m + j - 1]);
    for (int j = 0; j < m; j++) flow[j] = source[t] + j;
    for (int i = 0; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        height[i * m + j] -= 0.5f * (flow[(i + 1) * m + j] + flow[i * m + j + 1] - 2 * flow[i * m + j]);
    for (int i = 0; i < n - 1; i++) height[i * m] = height[i * m + 1];
  }
}
