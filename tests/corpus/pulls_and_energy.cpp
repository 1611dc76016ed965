// What bodies within reach pull each other by, and the energy of all of them: a sum over all pairs beside each body's.
// expect: kept
struct Body {
  double x, y, z;
};

void pulls_and_energy(const Body *at, Body *pull, int n, double box, double reach, double *energy) {
  double e = 0;
  for (int i = 0; i < n; ++i) {
    double px = 0, py = 0, pz = 0;
    for (int j = 0; j < n; ++j) {
      if (i == j) continue;
      double dx = at[i].x - at[j].x, dy = at[i].y - at[j].y;
      const double dz = at[i].z - at[j].z;
      if (dx > 0.5 * box)
        dx -= box;
      else if (dx < -0.5 * box)
        dx += box;
      if (dy > 0.5 * box)
        dy -= box;
      else if (dy < -0.5 * box)
        dy += box;
      const double square = dx * dx + dy * dy + dz * dz;
      if (square > reach) continue;
      const double inverse = 1.0 / square, sixth = inverse * inverse * inverse;
      const double force = 48.0 * sixth * (sixth - 0.5) * inverse;
      px += force * dx;
      py += force * dy;
      pz += force * dz;
      e += 2.0 * sixth * (sixth - 1.0);
    }
    pull[i].x = px;
    pull[i].y = py;
    pull[i].z = pz;
  }
  *energy = e;
}
