// A matrix class that multiplies by its own operator.
#include <cassert>
#include <vector>

template <typename T> class Matrix {
public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
  T &operator()(int r, int c) { return data_[r * cols_ + c]; }
  const T &operator()(int r, int c) const { return data_[r * cols_ + c]; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }

private:
  int rows_, cols_;
  std::vector<T> data_;
};

void matrix_class(const Matrix<double> &a, const Matrix<double> &b, Matrix<double> &c) {
  assert(a.cols() == b.rows());
  for (int i = 0; i < a.rows(); ++i)
    for (int j = 0; j < b.cols(); ++j) {
      double sum = 0;
      for (int k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
}
