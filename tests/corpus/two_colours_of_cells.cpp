// Cells of two colours in turn, each from its neighbours of the other colour.
// expect: kept
void two_colours_of_cells(double *u, const double *f, int rows, int columns, int planes, double width, int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int colour = 0; colour < 2; ++colour)
      for (int i = 1; i < rows - 1; ++i)
        for (int j = 1; j < columns - 1; ++j)
          for (int k = 1; k < planes - 1; ++k) {
            if ((i + j + k) % 2 != colour) continue;
            const long at = (static_cast<long>(i) * columns + j) * planes + k;
            const long row = static_cast<long>(columns) * planes;
            const double mean =
                (u[at - 1] + u[at + 1] + u[at - planes] + u[at + planes] + u[at - row] + u[at + row] - width * f[at]) /
                6.0;
            u[at] += 1.2 * (mean - u[at]);
          }
}
