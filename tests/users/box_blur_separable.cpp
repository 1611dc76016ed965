// A box blur in two passes over an image class, columns through a scratch image.
#include <algorithm>
#include <vector>

class Image {
public:
  Image(int w, int h) : width_(w), height_(h), pixels_(w * h) {}
  int width() const { return width_; }
  int height() const { return height_; }
  float &at(int x, int y) { return pixels_[y * width_ + x]; }
  float at(int x, int y) const { return pixels_[y * width_ + x]; }

private:
  int width_, height_;
  std::vector<float> pixels_;
};

void box_blur_separable(const Image &src, Image &dst, int r) {
  const int w = src.width(), h = src.height();
  std::vector<float> tmp(w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float s = 0;
      for (int k = -r; k <= r; ++k) s += src.at(std::min(std::max(x + k, 0), w - 1), y);
      tmp[y * w + x] = s / (2 * r + 1);
    }
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float s = 0;
      for (int k = -r; k <= r; ++k) s += tmp[std::clamp(y + k, 0, h - 1) * w + x];
      dst.at(x, y) = s / (2 * r + 1);
    }
}
