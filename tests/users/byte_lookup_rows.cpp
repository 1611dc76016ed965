// Rows chosen by bytes, an unsigned char counts the columns.
void byte_lookup_rows(const unsigned char *code, const float *table, float *out, int n) {
  for (int i = 0; i < n; ++i)
    for (unsigned char c = 0; c < 16; ++c) out[i * 16 + c] = table[code[i] * 16 + c];
}
