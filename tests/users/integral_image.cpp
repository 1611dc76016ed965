// Sums of all pixels above and to the left.
// left: nothing gained
void integral_image(const float *in, double *out, int w, int h) {
  for (int y = 0; y < h; y++) {
    double row = 0;
    for (int x = 0; x < w; x++) {
      row += in[y * w + x];
      out[y * w + x] = row + (y > 0 ? out[(y - 1) * w + x] : 0);
    }
  }
}
