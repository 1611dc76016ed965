// A view of three dimensions with strides of its own.
#include <array>
#include <cstddef>

template <class T, std::size_t Rank> struct mdview {
  T *ptr;
  std::array<std::size_t, Rank> ext;
  std::array<std::size_t, Rank> str;
  constexpr std::size_t extent(std::size_t r) const { return ext[r]; }
  T &operator()(std::size_t i, std::size_t j, std::size_t k) const { return ptr[i * str[0] + j * str[1] + k * str[2]]; }
};

void mdspan_like(mdview<const float, 3> x, mdview<float, 3> y, float scale) {
  for (std::size_t i = 0; i < x.extent(0); ++i)
    for (std::size_t j = 0; j < x.extent(1); ++j)
      for (std::size_t k = 0; k < x.extent(2); ++k) y(i, j, k) = scale * x(i, j, k);
}
