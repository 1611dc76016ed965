// Lesson 1: a carried dependence. Each element needs the one before it, so that the loop keeps its order.
void carried(int n, float *a) {
  for (int i = 1; i < n; i++) a[i] = 0.5f * a[i - 1] + a[i];
}
