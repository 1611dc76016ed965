// Printed programs are compiled, run on fresh random data and compared with the interpreter, for sizes around the
// tiles.
#include "compiled.h"
#include "mapped.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace polymend;
using testing::HasSubstr;
using testing_print::Compiled;
using testing_print::hasCompiler;
using testing_print::nestOf;
using testing_print::printMapped;
using testing_print::programOf;

namespace {

const std::string fast = "-O3 -march=native -fopenmp";

std::vector<float> random(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<float> x(count);
  for (float &e : x) e = value(engine);
  return x;
}

double brain(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

std::vector<double> wide(const std::vector<float> &x) { return {x.begin(), x.end()}; }

void expectClose(const std::vector<float> &actual, const std::vector<double> &expected, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double e = expected[i];
    if (std::isfinite(e))
      ASSERT_NEAR(actual[i], e, tolerance * (1 + std::fabs(e))) << "element " << i;
    else
      ASSERT_TRUE(actual[i] == static_cast<float>(e) || (std::isnan(e) && std::isnan(actual[i]))) << "element " << i;
  }
}

constexpr const char *productSource =
    R"(extern "C" void product(const float *a, const float *b, float *c, int n, int m, int l) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      c[i * m + j] = 0;
      for (int d = 0; d < l; ++d) c[i * m + j] += a[i * l + d] * b[j * l + d];
    }
}
)";

std::string productText(const std::string &operand, const std::string &copy) {
  return R"(program product
size n, m, l
array a : f32[n, l] flat
array b : f32[m, l] flat
array c : f32[n, m] flat written
kernel product grid (I in [0, floordiv(n + 31, 32)) parallel, J in [0, floordiv(m + 63, 64)) parallel) {
  tile C : f32[32, 64]
  tile A : f32[32, 48]
  tile T : f32[48, 64]
  points (i in [0, 32) parallel, j in [0, 64) parallel) {
    C[i, j] = 0.0f32
  }
  for D in [0, l) step 48 {
    points (i in [0, min(32, n - 32 * I)) parallel, d in [0, min(48, l - D)) parallel) {
      A[i, d] = a[32 * I + i, D + d]
    }
)" + copy +
         R"(
    points (i in [0, min(32, n - 32 * I)) parallel, j in [0, min(64, m - 64 * J)) parallel, d in [0, min(48, l - D)) reduced) {
      C[i, j] += A[i, d] * )" +
         operand + R"(
    }
  }
  points (i in [0, min(32, n - 32 * I)) parallel, j in [0, min(64, m - 64 * J)) parallel) {
    c[32 * I + i, 64 * J + j] = C[i, j]
  }
})";
}

const std::string transposed =
    R"(    points (j in [0, min(64, m - 64 * J)) parallel, d in [0, min(48, l - D)) parallel) {
      T[d, j] = b[64 * J + j, D + d]
    })";

void runProduct(const std::string &text, const std::string &flags, const std::string &compiler) {
  const TileProgram p = programOf(text);
  const Compiled compiled(printMapped(nestOf(productSource, p), p, {}).text, flags, compiler);
  ASSERT_TRUE(compiled.ok()) << compiled.failure();
  auto *f = compiled.find<void(const float *, const float *, float *, int, int, int)>("product");
  for (const int n : {0, 1, 31, 33, 70})
    for (const int m : {1, 31, 64, 97})
      for (const int l : {0, 1, 48, 53}) {
        const auto a = random(n * l, 1), b = random(m * l, 2);
        std::vector<float> c(n * m, 7);
        Memory memory{{{"n", n}, {"m", m}, {"l", l}}, {}, {{"a", wide(a)}, {"b", wide(b)}, {"c", wide(c)}}};
        ASSERT_EQ(interpret(p, memory), std::nullopt);
        f(a.data(), b.data(), c.data(), n, m, l);
        expectClose(c, memory.arrays[2].second, 1e-5);
      }
}

TEST(PrintedProduct, WithTransposedTile) {
  const std::string text = productText("T[d, j]", transposed);
  for (const char *flags :
       {"-O3 -march=native -fopenmp", "-O2 -mavx2 -mfma", "-O1 -fopenmp -fsanitize=undefined -fsanitize-trap=all"})
    runProduct(text, flags, "clang++-19");
  if (hasCompiler("g++")) runProduct(text, fast, "g++");
}

TEST(PrintedProduct, WithOperandAlongTheSum) {
  runProduct(productText("b[64 * J + j, D + d]", ""), fast, "clang++-19");
}

TEST(PrintedProduct, WithComputedOperand) {
  runProduct(productText("(2.0f32 * b[64 * J + j, D + d] - exp(b[64 * J + j, D + d]))", ""), fast, "clang++-19");
}

TEST(PrintedProduct, IsBlocked) {
  const TileProgram p = programOf(productText("T[d, j]", transposed));
  const std::string text = printMapped(nestOf(productSource, p), p, {}).text;
  EXPECT_THAT(text, HasSubstr("#pragma omp parallel for collapse(2) schedule(dynamic"));
  EXPECT_THAT(text, HasSubstr("polymend_rt::multiply<float>("));
  EXPECT_THAT(text, HasSubstr("polymend_rt::transpose<float>("));
  EXPECT_THAT(text, HasSubstr("return &T[d][j]; }"));
  EXPECT_THAT(text, HasSubstr("const std::int64_t n64 = n, m64 = m, l64 = l;"));
  EXPECT_THAT(text, testing::Not(HasSubstr("inline float exp(")));
}

constexpr const char *weightedSource =
    R"(extern "C" void weighted(const float (*q)[16], const float (*k)[16], float *y, int n, float s) {
  y[0] = q[0][0] * k[0][0] * s * float(n);
}
)";

constexpr const char *weightedText = R"(program weighted
size n
scalar s : f32
array q : f32[n, 16]
array k : f32[n, 16]
array y : f32[n] flat written
kernel rows grid (I in [0, floordiv(n + 15, 16)) parallel) {
  tile S : f32[16, 32]
  tile m : f32[16]
  tile old : f32[16]
  tile sum : f32[16]
  tile out : f32[16]
  row z : f32[n]
  points (i in [0, min(16, n - 16 * I)) parallel) {
    m[i] = -inf:f32
    sum[i] = 0.0f32
    out[i] = 0.0f32
  }
  for J in [0, floordiv(16 * I + 15, 32) + 1) step 1 {
    points (i in [0, min(16, n - 16 * I)) parallel, j in [0, min(32, n - 32 * J)) parallel) {
      S[i, j] = 0.0f32
    }
    points (i in [0, min(16, n - 16 * I)) parallel, j in [0, min(32, n - 32 * J)) parallel, d in [0, 16) reduced) {
      S[i, j] += q[16 * I + i, d] * s * k[32 * J + j, d]
    }
    points (i in [0, min(16, n - 16 * I)) parallel, j in [0, min(32, n - 32 * J)) parallel) {
      S[i, j] = -inf:f32 where !(32 * J + j <= 16 * I + i)
    }
    points (i in [0, min(16, n - 16 * I)) parallel) {
      old[i] = m[i]
    }
    points (i in [0, min(16, n - 16 * I)) parallel, j in [0, min(32, n - 32 * J)) reduced) {
      m[i] max= S[i, j]
    }
    # sum and out are rescaled by exp(old - m)
    points (i in [0, min(16, n - 16 * I)) parallel) {
      sum[i] *= exp(old[i] - m[i])
      out[i] *= exp(old[i] - m[i])
    }
    points (i in [0, min(16, n - 16 * I)) parallel, j in [0, min(32, n - 32 * J, 16 * I + i - 32 * J + 1)) reduced) {
      sum[i] += exp(S[i, j] - m[i])
    }
    points (i in [0, min(16, n - 16 * I)) parallel, j in [0, min(32, n - 32 * J)) reduced) {
      out[i] += exp(S[i, j] - m[i]) * q[32 * J + j, 3] where 32 * J + j <= 16 * I + i
    }
  }
  points (i in [0, min(16, n - 16 * I)) parallel) {
    z[16 * I + i] = out[i] / sum[i]
  }
  points (i in [0, min(16, n - 16 * I)) parallel) {
    y[16 * I + i] = z[16 * I + i]
  }
})";

std::string nestedMinimum(std::string text) {
  const std::string flat = "min(32, n - 32 * J, 16 * I + i - 32 * J + 1)";
  return text.replace(text.find(flat), flat.size(), "min(32, min(n - 32 * J, 16 * I + i - 32 * J + 1))");
}

TEST(PrintedRegions, TriangularWithRescaling) {
  const TileProgram p = programOf(nestedMinimum(weightedText));
  for (const char *flags : {"-O3 -march=native -fopenmp", "-O1 -fsanitize=undefined -fsanitize-trap=all"}) {
    const Compiled compiled(printMapped(nestOf(weightedSource, p), p, {}).text, flags);
    ASSERT_TRUE(compiled.ok()) << compiled.failure();
    auto *f = compiled.find<void(const float(*)[16], const float(*)[16], float *, int, float)>("weighted");
    for (const int n : {0, 1, 15, 16, 17, 33, 101}) {
      const auto q = random(n * 16, 3), k = random(n * 16, 4);
      std::vector<float> y(n);
      Memory memory{{{"n", n}}, {{"s", 3.0}}, {{"q", wide(q)}, {"k", wide(k)}, {"y", wide(y)}}};
      ASSERT_EQ(interpret(p, memory), std::nullopt);
      f(reinterpret_cast<const float(*)[16]>(q.data()), reinterpret_cast<const float(*)[16]>(k.data()), y.data(), n,
        3.0F);
      expectClose(y, memory.arrays[2].second, 1e-5);
    }
  }
}

constexpr const char *reduceSource = R"(// A comment
// that stays at the top.
#define S 3
extern "C" float reduce(const float x[][37], float *out, double *total, const int *order, int n) {
  out[0] = x[0][0] + float(*total) + order[0];
  return float(n);
}
)";

constexpr const char *reduceText = R"(program reduce returns f32
size n
array x : f32[n, 37]
array out : f32[7] flat written
array total : f64[1] flat written
array order : i32[n] flat
work `return` : f32
work S : f32[n, 37]
work while : f32
kernel first grid (i in [0, n) parallel, j in [i, min(37, i + 5)) parallel) {
  tile twice : f32
  twice = x[i, j] * 2.0f32
  S[i, j] = select(i == j, twice[], -(-twice[]))
}
kernel second grid () {
  `return` = 1.0f32
  while = 0.5f32
  points (e in [0, 7) parallel) {
    out[e] = x[0, e]
  }
  points (i in [0, n) reduced, j in [0, 37) reduced) {
    out[0] += x[i, j]
    out[1] max= x[i, j]
  }
  points (i in [0, n) reduced, j in [0, 37) reduced) {
    out[2] min= x[i, j] where floormod(i - j, 3) != 1
  }
  points (i in [0, n) reduced, j in [0, 37) reduced) {
    out[3] *= 1.0f32 + x[i, j] * 0.01f32
  }
  points (i in [0, n) reduced, j in [0, 37) reduced) {
    out[4] fmax= x[i, j]
  }
  points (i in [0, n) reduced, j in [0, 37) reduced) {
    out[5] fmin= x[i, j]
  }
  points (i in [0, n) reduced, j in [i, min(37, i + 5)) reduced) {
    out[6] += S[i, j]
  }
  points (i in [0, n) reduced, j in [0, 37) reduced) {
    total[0] += f64(x[i, j]) * f64(x[i, j])
  }
  if (n > 3) {
    for i in [1, n) step 2 unroll {
      `return` += x[i, order[i]:i32] * while[]
    }
  } else {
    `return` = f32(n) + tanh(x[0, 0]) + log(2.0f32 + x[0, 1]) + @sinhf(x[0, 2]) + exp2(x[0, 3])
  }
})";

std::string plainReduce() {
  std::string text = reduceText;
  const auto swap = [&](const std::string &from, const std::string &to) {
    text.replace(text.find(from), from.size(), to);
  };
  swap("if (n > 3)", "if (3 < n)");
  swap("order[i]:i32", "floormod(7 * i - 100, 37)");
  return text;
}

TEST(PrintedRegions, ReductionsWorkAndResult) {
  const TileProgram p = programOf(plainReduce());
  for (const FloatMode mode : {FloatMode::Algebraic, FloatMode::Strict}) {
    const std::string text = printMapped(nestOf(reduceSource, p), p, {Target::Cpp, mode}).text;
    EXPECT_THAT(text, testing::StartsWith("// A comment\n// that stays at the top.\n#include"));
    const Compiled compiled(text, fast);
    ASSERT_TRUE(compiled.ok()) << compiled.failure();
    auto *f = compiled.find<float(const float *, float *, double *, const int *, int)>("reduce");
    for (const int n : {1, 3, 4, 37}) {
      auto x = random(n * 37, 5);
      if (n == 37) x[40] = std::numeric_limits<float>::infinity();
      std::vector<float> out(7);
      std::vector<double> total{0.5};
      std::vector<int> order(n);
      Memory memory{
          {{"n", n}}, {}, {{"x", wide(x)}, {"out", wide(out)}, {"total", total}, {"order", std::vector<double>(n)}}};
      ASSERT_EQ(interpret(p, memory), std::nullopt);
      const float result = f(x.data(), out.data(), total.data(), order.data(), n);
      expectClose(out, memory.arrays[1].second, 1e-4);
      expectClose({static_cast<float>(total[0]), result}, {memory.arrays[2].second[0], memory.arrays[4].second[0]},
                  1e-5);
    }
  }
}

TEST(PrintedRegions, GridThatIsNoBoxRunsInnerLoopsInAThreadWherePointsAreLittleWork) {
  const TileProgram p = programOf(plainReduce());
  const std::string text = printMapped(nestOf(reduceSource, p), p, {}).text;
  EXPECT_THAT(text, testing::Not(HasSubstr("points.push_back(")));
  EXPECT_THAT(text, HasSubstr("#pragma omp parallel for schedule(dynamic, pointsPerTurn)"));
}

TEST(PrintedStrict, EqualsTheSourceBitForBit) {
  const std::string source = R"(#include <bit>
#include <cmath>
extern "C" void naive(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += std::exp(x[i]) * x[i];
  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i] + sum;
}
extern "C" void mended(const float *x, float *y, int n) {
  y[0] = x[n];
}
)";
  const TileProgram p = programOf(R"(program mended
size n
array x : f32[n] flat
array y : f32[n] flat written
work sum : f32
kernel a grid () {
  sum = 0.0f32
  points (i in [0, n) reduced) {
    sum += exp(x[i]) * x[i]
  }
}
kernel b grid (i in [0, n) parallel) {
  y[i] = x[i] * x[i] + sum[]
})");
  const std::string text = printMapped(nestOf(source, p), p, {Target::Cpp, FloatMode::Strict}).text;
  for (const char *compiler : {"clang++-19", "g++"}) {
    if (!hasCompiler(compiler)) continue;
    const Compiled strict(text, fast, compiler), plain(source, "-O1 -ffp-contract=off", compiler);
    ASSERT_TRUE(strict.ok()) << strict.failure();
    ASSERT_TRUE(plain.ok()) << plain.failure();
    const int n = 1000;
    const auto x = random(n, 6);
    std::vector<float> expected(n), actual(n);
    plain.find<void(const float *, float *, int)>("naive")(x.data(), expected.data(), n);
    strict.find<void(const float *, float *, int)>("mended")(x.data(), actual.data(), n);
    EXPECT_EQ(actual, expected) << compiler;
  }
}

TEST(PrintedEntry, RoundsAProductAlikeOnBothSidesOfADifference) {
  const std::string source = R"(extern "C" void below(const float *x, float *y, int n) { y[0] = x[n]; } void after() {}
)";
  const TileProgram p = programOf(R"(program below
size n
array x : f32[n] flat
array y : f32[n] flat written
work top : f32
kernel a grid () {
  top = -inf:f32
  points (i in [0, n) reduced) {
    top max= x[i] * x[i]
  }
}
kernel b grid (i in [0, n) parallel) {
  y[i] = x[i] * x[i] - top[]
})");
  for (const char *compiler : {"clang++-19", "g++"}) {
    if (!hasCompiler(compiler)) continue;
    const Compiled compiled(printMapped(nestOf(source, p), p, {}).text, fast, compiler);
    ASSERT_TRUE(compiled.ok()) << compiled.failure();
    auto *f = compiled.find<void(const float *, float *, int)>("below");
    const int n = 1000;
    for (unsigned seed = 0; seed < 4; ++seed) {
      const auto x = random(n, seed);
      std::vector<float> y(n);
      f(x.data(), y.data(), n);
      EXPECT_EQ(*std::max_element(y.begin(), y.end()), 0.0f) << compiler;
    }
  }
}

TEST(PrintedEntry, OverlappingArgumentsRunTheSource) {
  const std::string source = R"(extern "C" void shift(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] + 1;
}
)";
  const TileProgram p = programOf(R"(program shift
size n
array x : f32[n] flat
array y : f32[n] flat written
kernel a grid () {
  points (i in [0, n) parallel) {
    y[i] = x[i] + 10.0f32
  }
})");
  const Compiled compiled(printMapped(nestOf(source, p), p, {}).text, fast);
  ASSERT_TRUE(compiled.ok()) << compiled.failure();
  auto *f = compiled.find<void(const float *, float *, int)>("shift");
  std::vector<float> x(9, 1);
  f(x.data(), x.data() + 1, 8);
  EXPECT_EQ(x, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  std::vector<float> apart(8, 1);
  f(apart.data(), apart.data() + 4, 4);
  EXPECT_EQ(apart[4], 11);
}

TEST(PrintedEntry, NarrowTypesRoundWhereStored) {
  const std::string source = R"(extern "C" void narrow(const __bf16 *x, __bf16 *y, int n) {
  y[0] = x[n];
}
)";
  const TileProgram p = programOf(R"(program narrow
size n
array x : bf16[n] flat
array y : bf16[n] flat written
kernel a grid () {
  points (i in [0, n) parallel) {
    y[i] = bf16(f32(x[i]) * 3.0f32)
  }
  points (i in [1, n) serial) {
    y[i] += f32(y[i - 1])
  }
  points (i in [0, n) reduced) {
    y[0] max= f32(x[i])
  }
})");
  const Compiled compiled(printMapped(nestOf(source, p), p, {}).text, fast);
  ASSERT_TRUE(compiled.ok()) << compiled.failure();
  const int n = 50;
  std::vector<std::uint16_t> x(n), y(n);
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(i) / 7) >> 16);
    values.push_back(brain(x[i]));
  }
  Memory memory{{{"n", n}}, {}, {{"x", values}, {"y", std::vector<double>(n)}}};
  ASSERT_EQ(interpret(p, memory), std::nullopt);
  compiled.find<void(const std::uint16_t *, std::uint16_t *, int)>("narrow")(x.data(), y.data(), n);
  for (int i = 0; i < n; ++i) EXPECT_EQ(brain(y[i]), memory.arrays[1].second[i]) << i;
}

TEST(PrintedEntry, LargeTilesLeaveTheStack) {
  const std::string source = "extern \"C\" void big(float *y, int n) {\n  y[0] = float(n);\n}\n";
  const TileProgram p = programOf(R"(program big
size n
array y : f32[n] flat written
kernel a grid (g in [0, n) parallel) {
  tile B : f32[512, 256]
  points (i in [0, 512) parallel, j in [0, 256) parallel) {
    B[i, j] = f32(i * j + g)
  }
  y[g] = B[511, 255] + B[1, 2]
})");
  const std::string text = printMapped(nestOf(source, p), p, {}).text;
  EXPECT_THAT(text, HasSubstr("const polymend_rt::Buffer<float> BRows(131072, polymend_rt::threads());"));
  const Compiled compiled(text, fast);
  ASSERT_TRUE(compiled.ok()) << compiled.failure();
  std::vector<float> y(5);
  compiled.find<void(float *, int)>("big")(y.data(), 5);
  EXPECT_EQ(y[3], 511 * 255 + 3 + 2 + 3);
}

TEST(PrintedEntry, WithoutAProgramTheSourceStands) {
  const TileProgram p = programOf(weightedText == nullptr ? "" : "program other");
  EXPECT_EQ(printMapped(nestOf(productSource, programOf(productText("T[d, j]", transposed))), p, {}).text,
            productSource);
}

} // namespace
