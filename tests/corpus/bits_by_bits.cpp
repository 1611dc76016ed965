// Integers of all kinds joined bit by bit, by amounts that data give.
// expect: corrected 0
void bits_by_bits(int n, const int *a, const unsigned *b, const short *c, const long *d, const unsigned char *by,
                  unsigned *x, int *y, long *z, unsigned short *w, bool *v) {
  for (int i = 0; i < n; i++) {
    x[i] = ((b[i] << (by[i] & 31)) | (b[i] >> (-by[i] & 31))) ^ (unsigned)a[i];
    y[i] = (a[i] & ~c[i]) | (c[i] << 3) | (a[i] >> (by[i] & 15));
    z[i] = (d[i] & -256L) ^ (long)b[i] ^ ~d[i];
    w[i] = (unsigned short)(w[i] * 40503u) ^ (unsigned short)(b[i] >> 7);
    v[i] = (a[i] > 0) & (c[i] > 0) ^ ((b[i] & 5u) == 5u);
  }
}
