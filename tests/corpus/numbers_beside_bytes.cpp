// Numbers that lie where characters might be written: the call asks. And members that are enumerations.
// expect: corrected 0; corrected 0; corrected 0
#include <cstdint>
#include <vector>

enum class Mode { plain, shifted };

struct Params {
  float scale;
  std::int32_t zero;
  Mode mode;
};

void numbers_beside_bytes(const std::vector<float> &x, std::vector<std::int8_t> &y, const Params &p) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int v = static_cast<int>(x[i] * p.scale);
    y[i] = static_cast<std::int8_t>(p.mode == Mode::shifted ? v + p.zero : v);
  }
}

void kinds(const std::vector<Params> &all, std::vector<float> &y) {
  for (std::size_t i = 0; i < all.size(); ++i)
    y[i] = all[i].mode == Mode::plain ? all[i].scale : all[i].scale + static_cast<float>(all[i].zero);
}

void add_zero(const std::int8_t *x, std::int8_t *y, int n, const Params &p) {
  for (int i = 0; i < n; ++i) y[i] = static_cast<std::int8_t>(x[i] + p.zero);
}
