// Accelerations of bodies as structures.
#include <cmath>
#include <vector>

struct Body {
  double x, y, z, vx, vy, vz, mass;
};

void nbody_aos(std::vector<Body> &bodies, double dt, double eps2) {
  const int n = bodies.size();
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      const double dx = bodies[j].x - bodies[i].x;
      const double dy = bodies[j].y - bodies[i].y;
      const double dz = bodies[j].z - bodies[i].z;
      const double inv = 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + eps2);
      const double f = bodies[j].mass * inv * inv * inv;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    bodies[i].vx += ax * dt;
    bodies[i].vy += ay * dt;
    bodies[i].vz += az * dt;
  }
  for (auto &b : bodies) {
    b.x += b.vx * dt;
    b.y += b.vy * dt;
    b.z += b.vz * dt;
  }
}
