// Objects whose constructors run statements and call members, derived from others, with members that name each other.
// expect: kept
#include <cstdint>
struct Counted {
  int calls = 0;
};
class Mixer : public Counted {
public:
  explicit Mixer(std::uint32_t seed, std::uint32_t stream = 3) : state_(0), step_((stream << 1) | 1) {
    next();
    state_ += seed;
    next();
    calls -= 1;
  }
  std::uint32_t next() {
    const std::uint32_t old = state_;
    state_ = old * 747796405u + step_;
    ++calls;
    return (old >> 9) ^ old;
  }

private:
  std::uint32_t state_, step_;
};
struct Moments {
  double low = -1.0, high = low + 0.5, sum = 0, squares = 0;
  Moments() = default;
  Moments(double at, int times) : sum(at * times) {
    squares += at * at + times;
    if (sum > 2.0) return;
    high = squares - low;
  }
  void add(double x) {
    sum += x;
    squares += x * x;
  }
};
void states_begun_by_constructors(int n, const double *x, double *mean, double *square, int *drawn) {
  for (int i = 0; i < n; i++) {
    Mixer mixer(static_cast<std::uint32_t>(i));
    Moments all;
    Moments others(x[i], 5);
    for (int k = 0; k < 6; k++) all.add(x[i] * (mixer.next() & 15u) + others.high * all.high);
    mean[i] = all.sum / 6 + others.sum;
    square[i] = all.squares / 6 + others.squares;
    drawn[i] = mixer.calls;
  }
}
