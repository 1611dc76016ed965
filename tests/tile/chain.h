// Two chained products, o[i] = sum over j of f(q[i] . k[j]) v[j]: in plain loops, and as a loading and a computing role
// whose loop has the products of consecutive steps at work together.
#pragma once

#include "polymend/tile.h"

#include <gtest/gtest.h>

namespace polymend::tests {

inline TileProgram readProgram(const std::string &text) {
  const Result<TileProgram> p = readText(text);
  EXPECT_TRUE(p) << (p ? "" : p.refusal().reason + " at line " + std::to_string(p.refusal().where.line));
  return p ? *p : TileProgram{};
}

inline constexpr const char *plainChain = R"(program chain
size n, m
array q : f32[n, 4]
array k : f32[m, 4]
array v : f32[m, 4]
array o : f32[n, 4] written
work s : f32[n, m]
kernel scores grid () {
  points (i in [0, n) parallel, j in [0, m) parallel) {
    s[i, j] = 0.0f32
  }
  points (i in [0, n) parallel, j in [0, m) parallel, d in [0, 4) reduced) {
    s[i, j] += q[i, d] * k[j, d]
  }
  points (i in [0, n) parallel, e in [0, 4) parallel) {
    o[i, e] = 0.0f32
  }
  points (i in [0, n) parallel, e in [0, 4) parallel, j in [0, m) reduced) {
    o[i, e] += (s[i, j] * s[i, j] + 1.0f32) * v[j, e]
  }
})";

inline constexpr const char *roleChain = R"(program chain
size n, m
array q : f32[n, 4]
array k : f32[m, 4]
array v : f32[m, 4]
array o : f32[n, 4] written
kernel chained grid (I in [0, floordiv(n + 63, 64)) parallel) order t in [0, floordiv(n + 63, 64)) -> (floordiv(n + 63, 64) - 1 - t) {
  shared Q : f32[64, 4]
  shared K : f32[8, 4] ring 2
  shared V : f32[8, 4] ring 2
  fragment S : f32[64, 8]
  fragment P : f32[64, 8]
  fragment C : f32[64, 4]
  role load groups 1 registers 24 {
    copy points (i in [0, 64) parallel, d in [0, 4) parallel) {
      Q[i, d] = q[64 * I + i, d]
    }
    copy points (j in [0, 8) parallel, d in [0, 4) parallel) {
      K[j, d] = k[j, d]
    }
    for J in [1, floordiv(m + 7, 8)) step 1 {
      copy points (j in [0, 8) parallel, d in [0, 4) parallel) {
        K[j, d] = k[8 * J + j, d]
      }
      copy points (j in [0, 8) parallel, e in [0, 4) parallel) {
        V[j, e] = v[8 * J - 8 + j, e]
      }
    }
    copy points (j in [0, 8) parallel, e in [0, 4) parallel) {
      V[j, e] = v[8 * floordiv(m + 7, 8) - 8 + j, e]
    }
  }
  role compute groups 1 registers 240 {
    points (i in [0, 64) parallel, e in [0, 4) parallel) {
      C[i, e] = 0.0f32
    }
    points (i in [0, 64) parallel, j in [0, 8) parallel) {
      S[i, j] = 0.0f32
    }
    get Q
    get K
    contract scores points (i in [0, 64) parallel, j in [0, 8) parallel, d in [0, 4) reduced) {
      S[i, j] += Q[i, d] * K[j, d]
    }
    await scores
    release K
    points (i in [0, 64) parallel, j in [0, 8) parallel) {
      P[i, j] = select(j < m, S[i, j] * S[i, j] + 1.0f32, 0.0f32)
    }
    for J in [1, floordiv(m + 7, 8)) step 1 {
      points (i in [0, 64) parallel, j in [0, 8) parallel) {
        S[i, j] = 0.0f32
      }
      get K
      contract scores points (i in [0, 64) parallel, j in [0, 8) parallel, d in [0, 4) reduced) {
        S[i, j] += Q[i, d] * K[j, d]
      }
      get V
      contract sums points (i in [0, 64) parallel, e in [0, 4) parallel, j in [0, 8) reduced) {
        C[i, e] += P[i, j] * V[j, e]
      }
      await scores
      release K
      await sums
      release V
      points (i in [0, 64) parallel, j in [0, 8) parallel) {
        P[i, j] = select(8 * J + j < m, S[i, j] * S[i, j] + 1.0f32, 0.0f32)
      }
    }
    release Q
    get V
    contract sums points (i in [0, 64) parallel, e in [0, 4) parallel, j in [0, 8) reduced) {
      C[i, e] += P[i, j] * V[j, e]
    }
    await sums
    release V
    points (i in [0, 64) parallel, e in [0, 4) parallel) {
      o[64 * I + i, e] = C[i, e] where 64 * I + i < n
    }
  }
})";

} // namespace polymend::tests
