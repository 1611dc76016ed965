// A write through a pointer whose const was cast away.
// expect: left: a cast takes const away

void const_cast_away(int n, const float x[100], float y[100]) {
  float *w = const_cast<float *>(x);
  for (int i = 0; i < n; i++) w[i] = y[i] * 2;
}
