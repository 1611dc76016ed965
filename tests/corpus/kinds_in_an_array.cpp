// Enumerators in arrays are the integers that hold them.
// expect: corrected 0 in 1 kernel
#include <cstddef>
#include <vector>

enum class Shape : unsigned char { flat, square, cube };

void kinds_in_an_array(const std::vector<Shape> &shape, const std::vector<float> &x, std::vector<float> &y) {
  for (std::size_t i = 0; i < x.size(); i++) switch (shape[i]) {
    case Shape::flat: y[i] = x[i]; break;
    case Shape::square: y[i] = x[i] * x[i]; break;
    default: y[i] = x[i] * x[i] * x[i];
    }
}
