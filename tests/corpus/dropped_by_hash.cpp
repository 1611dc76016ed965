// Elements kept where a hash of their number says so: products modulo 2^32, shifts and exclusive ors.
// expect: corrected 0
void dropped_by_hash(int rows, int columns, const unsigned *seed, const float *x, float *y, float keep) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      unsigned h = seed[i] + (unsigned)j * 0x9e3779b9u;
      h ^= h >> 16;
      h *= 0x85ebca6bu;
      h ^= h >> 13;
      y[i * columns + j] = (float)(h & 0xffffffu) * 5.9604645e-8f < keep ? x[i * columns + j] / keep : 0.0f;
    }
  }
}
