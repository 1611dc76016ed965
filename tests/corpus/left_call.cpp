// A function that is not known to be pure.
// expect: left: unknown function
float opaque(float x);

void left_call(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) y[i] = opaque(x[i]);
}
