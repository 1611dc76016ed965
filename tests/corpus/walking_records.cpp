// Pointers that a loop moves along structures, one to write, one to read.
// expect: corrected 0
#include <cstddef>

struct Colour {
  float r, g, b;
};
struct Shown {
  unsigned char r, g, b;
};

static unsigned char shown(float v) { return static_cast<unsigned char>((v < 0 ? 0 : v > 1 ? 1 : v) * 255.0f + 0.5f); }

void walking_records(const Colour *in, Shown *out, std::size_t n, float exposure) {
  for (const Colour *end = in + n; in != end; ++in, ++out) {
    out->r = shown(in->r * exposure);
    out->g = shown(in->g * exposure);
    out->b = shown(in->b * exposure);
  }
}
