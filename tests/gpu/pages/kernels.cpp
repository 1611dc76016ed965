// Few rows of a step share keys and values whose number is read, and which lie in pages that a table names: pages of
// 16, 64 and 128, by quotients and by bits, heads inside and outside of pages, several scores.
#include <algorithm>
#include <cmath>
#include <cstdint>

void in_a_row(std::int64_t batch, std::int64_t n, std::int64_t most, const int *__restrict page,
              const int *__restrict length, const __bf16 *__restrict q, const __bf16 *__restrict k,
              const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 8; h++) {
      const std::int64_t end = std::min<std::int64_t>(n, length[b]);
      float s[4096];
      for (std::int64_t j = 0; j < end; j++) {
        float dot = 0;
        for (int d = 0; d < 64; d++)
          dot += float(q[(b * 8 + h) * 64 + d]) * float(k[((b * 2 + h / 4) * n + j) * 64 + d]);
        s[j] = dot * 0.125f;
      }
      float m = -INFINITY, l = 0;
      for (std::int64_t j = 0; j < end; j++) m = std::fmax(m, s[j]);
      for (std::int64_t j = 0; j < end; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 64; d++) {
        float sum = 0;
        for (std::int64_t j = 0; j < end; j++)
          sum += float(static_cast<__bf16>(std::exp(s[j] - m))) * float(v[((b * 2 + h / 4) * n + j) * 64 + d]);
        o[(b * 8 + h) * 64 + d] = static_cast<__bf16>(sum / l);
      }
    }
}

void in_pages(std::int64_t batch, std::int64_t n, std::int64_t most, const int *__restrict page,
              const int *__restrict length, const __bf16 *__restrict q, const __bf16 *__restrict k,
              const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 8; h++) {
      const std::int64_t end = length[b];
      float s[4096];
      for (std::int64_t j = 0; j < end; j++) {
        float dot = 0;
        for (int d = 0; d < 64; d++)
          dot +=
              float(q[(b * 8 + h) * 64 + d]) * float(k[((page[b * most + j / 16] * 16 + j % 16) * 2 + h / 4) * 64 + d]);
        s[j] = dot * 0.125f;
      }
      float m = -INFINITY, l = 0;
      for (std::int64_t j = 0; j < end; j++) m = std::fmax(m, s[j]);
      for (std::int64_t j = 0; j < end; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 64; d++) {
        float sum = 0;
        for (std::int64_t j = 0; j < end; j++)
          sum += float(static_cast<__bf16>(std::exp(s[j] - m))) *
                 float(v[((page[b * most + j / 16] * 16 + j % 16) * 2 + h / 4) * 64 + d]);
        o[(b * 8 + h) * 64 + d] = static_cast<__bf16>(sum / l);
      }
    }
}

void in_long_pages(std::int64_t batch, std::int64_t n, std::int64_t most, const int *__restrict page,
                   const int *__restrict length, const __bf16 *__restrict q, const __bf16 *__restrict k,
                   const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 8; h++) {
      const std::int64_t end = std::min<std::int64_t>(n, length[b]);
      float s[4096];
      for (std::int64_t j = 0; j < end; j++) {
        float dot = 0;
        for (int d = 0; d < 64; d++)
          dot +=
              float(q[(b * 8 + h) * 64 + d]) * float(k[((page[b * most + j / 64] * 2 + h / 4) * 64 + j % 64) * 64 + d]);
        s[j] = 30.0f * std::tanh(dot * (0.125f / 30.0f));
      }
      float m = -INFINITY, l = 0;
      for (std::int64_t j = 0; j < end; j++) m = std::fmax(m, s[j]);
      for (std::int64_t j = 0; j < end; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 64; d++) {
        float sum = 0;
        for (std::int64_t j = 0; j < end; j++)
          sum += float(static_cast<__bf16>(std::exp(s[j] - m))) *
                 float(v[((page[b * most + j / 64] * 2 + h / 4) * 64 + j % 64) * 64 + d]);
        o[(b * 8 + h) * 64 + d] = static_cast<__bf16>(sum / l);
      }
    }
}

void by_bits(std::int64_t batch, std::int64_t n, std::int64_t most, const int *__restrict page,
             const int *__restrict length, const __bf16 *__restrict q, const __bf16 *__restrict k,
             const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 8; h++) {
      const std::int64_t end = length[b];
      float s[4096];
      for (std::int64_t j = 0; j < end; j++) {
        float dot = 0;
        for (int d = 0; d < 64; d++)
          dot += float(q[(b * 8 + h) * 64 + d]) *
                 float(k[((page[b * most + (j >> 7)] * 128 + (j & 127)) * 2 + h / 4) * 64 + d]);
        s[j] = dot * 0.125f - 0.015625f * (h + 1) * j;
      }
      float m = -INFINITY, l = 0;
      for (std::int64_t j = 0; j < end; j++) m = std::fmax(m, s[j]);
      for (std::int64_t j = 0; j < end; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 64; d++) {
        float sum = 0;
        for (std::int64_t j = 0; j < end; j++)
          sum += float(static_cast<__bf16>(std::exp(s[j] - m))) *
                 float(v[((page[b * most + (j >> 7)] * 128 + (j & 127)) * 2 + h / 4) * 64 + d]);
        o[(b * 8 + h) * 64 + d] = static_cast<__bf16>(sum / l);
      }
    }
}

void to_the_end(std::int64_t batch, std::int64_t n, std::int64_t most, const int *__restrict page,
                const int *__restrict length, const __bf16 *__restrict q, const __bf16 *__restrict k,
                const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 8; h++) {
      const std::int64_t end = n;
      float s[4096];
      for (std::int64_t j = 0; j < end; j++) {
        float dot = 0;
        for (int d = 0; d < 64; d++)
          dot +=
              float(q[(b * 8 + h) * 64 + d]) * float(k[((page[b * most + j / 16] * 2 + h / 4) * 16 + j % 16) * 64 + d]);
        s[j] = dot * 0.125f;
      }
      float m = -INFINITY, l = 0;
      for (std::int64_t j = 0; j < end; j++) m = std::fmax(m, s[j]);
      for (std::int64_t j = 0; j < end; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 64; d++) {
        float sum = 0;
        for (std::int64_t j = 0; j < end; j++)
          sum += float(static_cast<__bf16>(std::exp(s[j] - m))) *
                 float(v[((page[b * most + j / 16] * 2 + h / 4) * 16 + j % 16) * 64 + d]);
        o[(b * 8 + h) * 64 + d] = static_cast<__bf16>(sum / l);
      }
    }
}
