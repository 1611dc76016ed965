// Members of a class template, in the class and outside of it, and the loops of one whose result is a container.
// expect: corrected 0; corrected 0; left: the result type 'std::vector<double>' is not supported; corrected 0
#include <cmath>
#include <vector>

template <typename T, int N> class Filter {
public:
  explicit Filter(int n) : taps(n) {}
  void scale(std::vector<T> &y, const std::vector<T> &x, T by) const {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * by * N;
  }
  std::vector<T> run(const std::vector<T> &x) const {
    std::vector<T> y(x.size());
    for (std::size_t i = N; i < x.size(); ++i) {
      T s = 0;
      for (int k = 0; k < N; ++k) s += taps[k] * x[i - k];
      y[i] = std::tanh(s);
    }
    return y;
  }
  T energy(const std::vector<T> &x) const;

private:
  std::vector<T> taps;
};

template <class U, int M> U Filter<U, M>::energy(const std::vector<U> &x) const {
  U s = 0;
  for (const U v : x) s += v * v;
  return s;
}

template class Filter<double, 16>;
