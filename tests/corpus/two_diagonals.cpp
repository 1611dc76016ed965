// Two diagonals, of which the farther one begins later: where it has no element, the array ends with the other.
// expect: moved
void two_diagonals(int columns, const double *in, float (*acc)[72]) {
  for (int t = 3; t < columns; ++t) acc[t + 2][t] = (float)in[t];
  for (int col = 2; col < columns; ++col) acc[col][col] += 2;
}
