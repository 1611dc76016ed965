// Weight gradients of a linear layer behind a rectifier, over vectors of vectors.
#include <vector>

using Matrix = std::vector<std::vector<double>>;

void linear_relu_grad(const Matrix &x, const Matrix &y, const Matrix &dy, Matrix &dw) {
  const int batch = x.size();
  const int in = x[0].size();
  const int out = y[0].size();
  for (int i = 0; i < in; i++) {
    for (int o = 0; o < out; o++) {
      double sum = 0.0;
      for (int b = 0; b < batch; b++) {
        if (y[b][o] > 0) sum += x[b][i] * dy[b][o];
      }
      dw[i][o] = sum;
    }
  }
}
