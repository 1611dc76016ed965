// What the heads found goes through one matrix: a sum over heads and the elements of each, which lie apart.
// expect: corrected 0

void heads_out(int heads, int time, int out, const __bf16 *x, const __bf16 *w, float *y) {
  for (int t = 0; t < time; t++)
    for (int o = 0; o < out; o++) {
      float s = 0;
      for (int h = 0; h < heads; h++)
        for (int e = 0; e < 32; e++) s += (float)x[(h * time + t) * 32 + e] * (float)w[(h * 32 + e) * out + o];
      y[t * out + o] = s;
    }
}
