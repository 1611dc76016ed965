// The likeliest way through states: each step looks at all states of the one before, and notes which led to each.
// expect: moved
void likeliest_states(const float *start, const float *change, const float *seen, int steps, int states, float *score,
                      int *from) {
  for (int s = 0; s < states; ++s) {
    score[s] = start[s] + seen[s];
    from[s] = 0;
  }
  for (int t = 1; t < steps; ++t)
    for (int s = 0; s < states; ++s) {
      float best = score[(t - 1) * states] + change[s];
      int arg = 0;
      for (int r = 1; r < states; ++r) {
        const float through = score[(t - 1) * states + r] + change[r * states + s];
        if (through > best) {
          best = through;
          arg = r;
        }
      }
      score[t * states + s] = best + seen[t * states + s];
      from[t * states + s] = arg;
    }
}
