// A product over views whose parts are private: they are what their operators say.
// expect: corrected 0
class View {
public:
  View(float *data, int rows, int pitch) : data_(data), rows_(rows), pitch_(pitch) {}
  float &operator()(int i, int j) const { return data_[i * pitch_ + j]; }
  int rows() const { return rows_; }

private:
  float *data_;
  int rows_, pitch_;
};

static float dot(const View &a, const View &b, int i, int j, int depth) {
  float s = 0.0f;
  for (int k = 0; k < depth; k++) s += a(i, k) * b(k, j);
  return s;
}

void product_of_views(View a, View b, View c, int columns) {
  for (int i = 0; i < c.rows(); i++)
    for (int j = 0; j < columns; j++) c(i, j) = dot(a, b, i, j, b.rows());
}
