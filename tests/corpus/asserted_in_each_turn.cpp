// What an access asserts is shown by the loops, or asked of the sizes at entry, for all turns at once.
// expect: corrected 0

#undef NDEBUG
#include <cassert>
#include <vector>

class Table {
public:
  Table(int rows, int columns) : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows) * columns) {}
  float operator()(int r, int c) const {
    assert(r >= 0 && r < rows_ && c >= 0 && c < columns_);
    return values_[static_cast<std::size_t>(r) * columns_ + c];
  }

private:
  int rows_, columns_;
  std::vector<float> values_;
};

void asserted_in_each_turn(const Table &t, float *y, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      assert(i + j >= 0);
      y[i * m + j] = 0.5f * t(i, j) + t(i, 0);
    }
}
