// Max pooling that keeps where the greatest element was.
#include <cmath>
#include <cstdint>

void max_pool_indices(const float *in, float *out, int64_t *indices, int64_t channels, int64_t height, int64_t width,
                      int64_t kernel, int64_t stride) {
  int64_t oh = (height - kernel) / stride + 1;
  int64_t ow = (width - kernel) / stride + 1;
  for (int64_t c = 0; c < channels; c++) {
    const float *plane = in + c * height * width;
    for (int64_t i = 0; i < oh; i++) {
      for (int64_t j = 0; j < ow; j++) {
        int64_t maxindex = i * stride * width + j * stride;
        float maxval = -INFINITY;
        for (int64_t ih = i * stride; ih < i * stride + kernel; ih++) {
          for (int64_t iw = j * stride; iw < j * stride + kernel; iw++) {
            int64_t index = ih * width + iw;
            float val = plane[index];
            if (val > maxval) {
              maxval = val;
              maxindex = index;
            }
          }
        }
        out[(c * oh + i) * ow + j] = maxval;
        indices[(c * oh + i) * ow + j] = maxindex;
      }
    }
  }
}
