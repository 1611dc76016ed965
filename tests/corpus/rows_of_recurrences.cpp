// Continued fractions along rows: a turn waits for the one before it, so that eight rows run beside one another.
// expect: moved
void rows_of_recurrences(int rows, int columns, const double *x, double *fraction) {
  for (int i = 0; i < rows; i++)
    for (int j = 1; j < columns; j++)
      fraction[i * columns + j] = x[i * columns + j] / (fraction[i * columns + j - 1] + 2.0);
}
