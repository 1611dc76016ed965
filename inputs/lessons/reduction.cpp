// Lesson 2: a reduction. The sum is carried too, but the order of its terms is free over the real numbers.
void reduction(int n, const float *x, float *out) {
  float sum = 0.0f;
  for (int j = 0; j < n; j++) sum += x[j] * x[j];
  out[0] = sum;
}
