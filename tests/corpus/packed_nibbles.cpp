// Weights of four bits, two in a byte, each row with a scale: unpacked by shifts and masks, and multiplied.
// expect: corrected 0
void packed_nibbles(int rows, int columns, const unsigned char *packed, const float *scale, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) {
      const int byte = packed[i * columns + j];
      const int low = (byte & 0x0f) - 8, high = (byte >> 4) - 8;
      sum += (float)low * x[2 * j] + (float)high * x[2 * j + 1];
    }
    y[i] = sum * scale[i];
  }
}
