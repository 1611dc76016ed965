// A filter's state is taken apart into names, which change from sample to sample, and put back.
// expect: kept: recurrence over several statements

struct FilterState {
  float first, second;
};

void states_unpacked(FilterState *states, float *audio, int channels, int samples) {
  for (int c = 0; c < channels; c++) {
    auto [first, second] = states[c];
    for (int t = 0; t < samples; t++) {
      const float in = audio[c * samples + t];
      const float out = in + first;
      first = 0.5f * in - 0.25f * out + second;
      second = 0.125f * in;
      audio[c * samples + t] = out;
    }
    states[c] = {first, second};
  }
}
