// Log mel energies, the filterbank as a row-major matrix with operator[].
#include <cmath>
#include <cstddef>

class RowMajor {
  const float *p_;
  std::size_t cols_;

public:
  RowMajor(const float *p, std::size_t cols) : p_(p), cols_(cols) {}
  const float *operator[](std::size_t r) const { return p_ + r * cols_; }
  std::size_t cols() const { return cols_; }
};

void mel_filterbank(RowMajor bank, RowMajor spec, float *out, std::size_t frames, std::size_t mels) {
  for (std::size_t t = 0; t < frames; ++t)
    for (std::size_t m = 0; m < mels; ++m) {
      float e = 0;
      for (std::size_t k = 0; k < bank.cols(); ++k) e += bank[m][k] * spec[t][k];
      out[t * mels + m] = std::log10(std::fmax(e, 1e-10f));
    }
}
