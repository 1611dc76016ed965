// Second-order sections over channels, states kept between samples.
struct Biquad {
  float b0, b1, b2, a1, a2;
};

void biquad_cascade(float *samples, int channels, int frames, const Biquad *sections, int count) {
  for (int c = 0; c < channels; c++) {
    for (int s = 0; s < count; s++) {
      const Biquad q = sections[s];
      float z1 = 0, z2 = 0;
      for (int n = 0; n < frames; n++) {
        float in = samples[c * frames + n];
        float out = q.b0 * in + z1;
        z1 = q.b1 * in - q.a1 * out + z2;
        z2 = q.b2 * in - q.a2 * out;
        samples[c * frames + n] = out;
      }
    }
  }
}
