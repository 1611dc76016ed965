// Columns made standard, by structured bindings of a shape.
#include <cmath>
#include <utility>
#include <vector>

struct DataFrame {
  std::vector<double> values;
  int rows, cols;
  std::pair<int, int> shape() const { return {rows, cols}; }
  double &operator()(int i, int j) { return values[i * cols + j]; }
};

void column_zscore(DataFrame &df) {
  auto [rows, cols] = df.shape();
  for (int j = 0; j < cols; ++j) {
    double mean = 0, var = 0;
    for (int i = 0; i < rows; ++i) mean += df(i, j);
    mean /= rows;
    for (int i = 0; i < rows; ++i) var += (df(i, j) - mean) * (df(i, j) - mean);
    const double sd = std::sqrt(var / (rows - 1));
    for (int i = 0; i < rows; ++i) df(i, j) = (df(i, j) - mean) / sd;
  }
}
