// Pointers that walk along.
void pointer_walk(const float *src, float *dst, int n, float a) {
  const float *end = src + n;
  while (src != end) *dst++ = a * *src++;
}
