// Places in unsigned products of which one factor holds a quotient of sizes.
// expect: corrected 1

#include <cmath>
#include <cstddef>

struct Shape {
  int batch, heads, kept, rows, columns, width;
  int group() const { return heads / kept; }
};

void heads_by_groups(const float *x, const float *k, float *y, const Shape &s) {
  for (int b = 0; b < s.batch; ++b)
    for (int h = 0; h < s.heads; ++h) {
      const std::size_t from = (static_cast<std::size_t>(b) * s.kept + h / s.group()) * s.columns * s.width;
      for (int i = 0; i < s.rows; ++i) {
        const float *row = x + ((static_cast<std::size_t>(b) * s.heads + h) * s.rows + i) * s.width;
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < s.columns; ++j) {
          const float *other = k + from + static_cast<std::size_t>(j) * s.width;
          float dot = 0;
          for (int d = 0; d < s.width; ++d) dot += row[d] * other[d];
          const float next = std::fmax(most, dot);
          sum = sum * std::exp(most - next) + std::exp(dot - next);
          most = next;
        }
        y[(static_cast<std::size_t>(b) * s.heads + h) * s.rows + i] = most + std::log(sum);
      }
    }
}
