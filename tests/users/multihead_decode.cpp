// One token's attention over a cache, keys and values shared by groups of heads whose number is known at run time.
#include <math.h>

static void softmax(float *x, int size) {
  float max_val = x[0];
  for (int i = 1; i < size; i++) {
    if (x[i] > max_val) {
      max_val = x[i];
    }
  }
  float sum = 0.0f;
  for (int i = 0; i < size; i++) {
    x[i] = expf(x[i] - max_val);
    sum += x[i];
  }
  for (int i = 0; i < size; i++) {
    x[i] /= sum;
  }
}

void multihead_decode(float *xb, float *att_buf, const float *q_buf, const float *key_cache, const float *value_cache,
                      int pos, int seq_len, int n_heads, int head_size, int kv_dim, int kv_mul) {
  for (int h = 0; h < n_heads; h++) {
    const float *q = q_buf + h * head_size;
    float *att = att_buf + h * seq_len;
    for (int t = 0; t <= pos; t++) {
      const float *k = key_cache + t * kv_dim + (h / kv_mul) * head_size;
      float score = 0.0f;
      for (int i = 0; i < head_size; i++) {
        score += q[i] * k[i];
      }
      score /= sqrtf(head_size);
      att[t] = score;
    }
    softmax(att, pos + 1);
    float *out = xb + h * head_size;
    for (int i = 0; i < head_size; i++) out[i] = 0.0f;
    for (int t = 0; t <= pos; t++) {
      const float *v = value_cache + t * kv_dim + (h / kv_mul) * head_size;
      float a = att[t];
      for (int i = 0; i < head_size; i++) {
        out[i] += a * v[i];
      }
    }
  }
}
