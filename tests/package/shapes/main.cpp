#include "one/kernel.polymend.h"
#include "two/kernel.polymend.h"

void shared_a(int n, const float *x, float *y);
void shared_b(int n, const float *x, float *y);
void third(int n, const float *x, float *y);
void flagged(int n, const float *x, float *y);

int main() {
  const float x[2] = {1, 2};
  float a[2], b[2], c[2], d[2], e[2];
  one(2, x, a);
  two(2, x, b);
  shared_a(2, x, c);
  shared_b(2, x, d);
  flagged(2, x, e);
  return a[1] == 7 && b[1] == 5 && c[1] == 4 && d[1] == 4 && e[1] == 3 ? 0 : 1;
}
