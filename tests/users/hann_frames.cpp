// Windowed frames of a signal, hop and length known at run time.
#include <cmath>

void hann_frames(const float *x, float *frames, int n, int frame_len, int hop) {
  int count = (n - frame_len) / hop + 1;
  for (int f = 0; f < count; f++)
    for (int i = 0; i < frame_len; i++) {
      float w = 0.5f - 0.5f * std::cos(2.0f * (float)M_PI * i / (frame_len - 1));
      frames[f * frame_len + i] = x[f * hop + i] * w;
    }
}
