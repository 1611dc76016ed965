// An image turned by a quarter.
template <class T> void rotate_90(const T *in, T *out, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) out[x * h + (h - 1 - y)] = in[y * w + x];
}
template void rotate_90<float>(const float *, float *, int, int);
