// An index that numbers of its turn make by the same steps everywhere, some of which change a variable in place.
// expect: corrected 0

#include <cmath>

void texels_of_shares(const int *__restrict texels, int size, float area, const float *shares, int *colour, int n) {
  for (int i = 0; i < n; i++) {
    float w0 = shares[2 * i], w1 = shares[2 * i + 1];
    if (w0 < 0 || w1 < 0) continue;
    w0 /= area;
    w1 /= area;
    w1 *= 0.5f;
    const int iu = static_cast<int>(w0 * size) & (size - 1);
    const int iv = static_cast<int>(w1 * size) & (size - 1);
    colour[i] = texels[iv * size + iu];
  }
}
