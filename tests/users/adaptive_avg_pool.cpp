// Averages over windows whose bounds are quotients of indices (PyTorch's adaptive pooling).
static inline int start_index(int a, int b, int c) { return (a * c) / b; }
static inline int end_index(int a, int b, int c) { return ((a + 1) * c + b - 1) / b; }

void adaptive_avg_pool(const float *input, float *output, int channels, int ih, int iw, int oh, int ow) {
  for (int c = 0; c < channels; c++) {
    for (int i = 0; i < oh; i++) {
      int h0 = start_index(i, oh, ih), h1 = end_index(i, oh, ih);
      for (int j = 0; j < ow; j++) {
        int w0 = start_index(j, ow, iw), w1 = end_index(j, ow, iw);
        float sum = 0;
        for (int h = h0; h < h1; h++)
          for (int w = w0; w < w1; w++) sum += input[(c * ih + h) * iw + w];
        output[(c * oh + i) * ow + j] = sum / ((h1 - h0) * (w1 - w0));
      }
    }
  }
}
