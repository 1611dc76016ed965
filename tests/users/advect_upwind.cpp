// Upwind advection, the direction by the sign of the velocity.
void advect_upwind(const float *q, float *qn, const float *vel, int n, float dt_dx) {
  for (int i = 1; i < n - 1; i++) {
    float u = vel[i];
    float grad;
    if (u > 0)
      grad = q[i] - q[i - 1];
    else
      grad = q[i + 1] - q[i];
    qn[i] = q[i] - dt_dx * u * grad;
  }
}
