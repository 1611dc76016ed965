// Truth values of vectors of bits are written, each by a turn of its own, and those of another are read.
// expect: corrected 0
#include <vector>

void bits_written(const std::vector<float> &x, const std::vector<bool> &known, std::vector<bool> &above,
                  std::vector<bool> &either, float limit) {
  for (std::size_t i = 0; i < x.size(); i++) above[i] = x[i] > limit;
  for (std::size_t i = 0; i < x.size(); i++) either[i] = known[i] || above[i];
}
