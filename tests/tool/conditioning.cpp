// What is mended is as good in floating point as its source: kernels go through the whole tool, are compiled and run on
// data made to hurt, and their errors are counted in units of 2^-24 times the sum of the sizes of the terms, against
// the same source in double. Over the population at most twice the source's, no element beyond a few dozen units more.
#include "session.h"

#include <cmath>
#include <dlfcn.h>
#include <random>
#include <regex>

namespace {

struct Kernel {
  const char *name, *producers, *terms; // over x, w and j; `s` sums the terms
  bool mended = true;
};

const char *const most = "t = -INFINITY; for (int j = 0; j < m; j++) t = std::fmax(t, X);";
const char *const mean = "t = 0; for (int j = 0; j < m; j++) t += X; t = t / m;";
const char *const share = "t = -INFINITY; for (int j = 0; j < m; j++) t = std::fmax(t, X);"
                          "u = 0; for (int j = 0; j < m; j++) u += std::exp(X - t);";

const std::vector<Kernel> &kernels() {
  static const std::vector<Kernel> all = {
      {"square_below_most", most, "(X - t) * (X - t)"},
      {"cube_below_most", most, "(X - t) * (X - t) * (X - t)"},
      {"weighted_below_most", most, "(X - t) * W"},
      {"distance_below_most", most, "std::fabs(X - t)"},
      {"square_above_least", "t = INFINITY; for (int j = 0; j < m; j++) t = std::fmin(t, X);", "(X - t) * (X - t) * W"},
      {"square_below_size", "t = 0; for (int j = 0; j < m; j++) t = std::fmax(t, std::fabs(X));", "(X - t) * (X - t)"},
      {"square_below_start", "t = 0; for (int j = 0; j < m; j++) t = std::fmax(t, X);", "(X - t) * (X - t)"},
      {"square_of_share", "t = 0; for (int j = 0; j < m; j++) t = std::fmax(t, std::fabs(X));", "(X / t) * (X / t)"},
      {"two_ends",
       "t = -INFINITY; for (int j = 0; j < m; j++) t = std::fmax(t, X);"
       "u = INFINITY; for (int j = 0; j < m; j++) u = std::fmin(u, X);",
       "(X - t) * (X - u)"},
      {"square_about_mean", mean, "(X - t) * (X - t)"},
      {"cube_about_mean", mean, "(X - t) * (X - t) * (X - t)"},
      {"weighted_about_mean", mean, "(X - t) * W"},
      {"soft_label", share, "W * (X - t - std::log(u))"},
      {"plain_logarithms", share, "X - t - std::log(u)"},
      {"disorder", share, "std::exp(X - t) / u * (X - t - std::log(u))"},
      {"least_squares",
       "t = 0; for (int j = 0; j < m; j++) t += X * W; u = 0; for (int j = 0; j < m; j++) u += W * W; t = t / u;",
       "(X - t * W) * (X - t * W)", false},
      {"apart",
       "t = 0; for (int j = 0; j < m; j++) t += std::fabs(X); u = 0; for (int j = 0; j < m; j++) u += std::fabs(W);",
       "(X / t - W / u) * (X / t - W / u)", false},
  };
  return all;
}

std::string textOf(const Kernel &k, const std::string &terms) {
  std::string text = std::string("extern \"C\" void ") + k.name +
                     "(int n, int m, const float *x, const float *w, float *y) {\n  for (int i = 0; i < n; i++) {\n" +
                     "    float t, u = 0, s = 0;\n    " + k.producers +
                     "\n    for (int j = 0; j < m; j++) s += " + terms +
                     ";\n    y[i] = s + 0 * w[i * m] + 0 * u;\n  }\n}\n";
  text = std::regex_replace(text, std::regex("\\bX\\b"), "x[i * m + j]");
  return std::regex_replace(text, std::regex("\\bW\\b"), "w[i * m + j]");
}

std::string allText(bool sizes) {
  std::string text = "#include <cmath>\n";
  for (const Kernel &k : kernels()) text += textOf(k, sizes ? std::string("std::fabs(") + k.terms + ")" : k.terms);
  return text;
}

/// Rows of x and w, of m elements each.
struct Data {
  std::vector<double> x, w;
};

std::vector<Data> population(int n, int m) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  std::vector<Data> all;
  const auto add = [&](auto x, auto w) {
    Data d;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        d.x.push_back(static_cast<float>(x(j)));
        d.w.push_back(static_cast<float>(w(j)));
      }
    all.push_back(d);
  };
  const auto noise = [&](int) { return normal(random); };
  for (const double offset : {0.0, 10.0, -10.0, 100.0, -100.0, 1000.0, -1000.0})
    for (const double width : {1.0, 0.01}) {
      const auto near = [&, offset, width](int) { return offset + width * normal(random); };
      add(near, noise);
      add(near, near);
      add(near, [&](int) { return std::abs(normal(random)) / m; });
    }
  for (const int at : {0, m / 2, m - 1})
    for (const double large : {1e4, -1e4})
      add([&, at, large](int j) { return j == at ? large : normal(random); }, noise);
  for (const double half : {300.0, -300.0})
    add([&, half](int j) { return (2 * j < m ? half : -half) + normal(random); }, noise);
  return all;
}

class Conditioning : public Tool {
protected:
  using OfFloat = void(int, int, const float *, const float *, float *);
  using OfDouble = void(int, int, const double *, const double *, double *);

  void *compiled(const std::string &name, const std::string &text) {
    const std::string file = write(name + ".cpp", text), object = scratch.file(name + ".so");
    const auto done = polymend::execute(
        {{"clang++-19", "-std=c++20", "-O2", "-fPIC", "-shared", file, "-o", object}, std::chrono::minutes(5)});
    EXPECT_TRUE(done && done->exitCode == 0) << (done ? done->error : done.refusal().reason);
    return dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  static std::vector<double> inFloat(void *library, const char *name, int n, int m, const Data &d) {
    const std::vector<float> x(d.x.begin(), d.x.end()), w(d.w.begin(), d.w.end());
    std::vector<float> y(static_cast<std::size_t>(n));
    reinterpret_cast<OfFloat *>(dlsym(library, name))(n, m, x.data(), w.data(), y.data());
    return {y.begin(), y.end()};
  }

  static std::vector<double> inDouble(void *library, const char *name, int n, int m, const Data &d) {
    std::vector<double> y(static_cast<std::size_t>(n));
    reinterpret_cast<OfDouble *>(dlsym(library, name))(n, m, d.x.data(), d.w.data(), y.data());
    return y;
  }
};

} // namespace

TEST_F(Conditioning, OfWhatIsMendedIsThatOfTheSource) {
  const std::string source = allText(false), file = write("kernels.cpp", source);
  const auto done = run({file, "-o", scratch.file("out.cpp"), "--report", scratch.file("report.json")});
  ASSERT_EQ(done.exitCode, 0) << done.error;
  const auto wide = [](const std::string &text) {
    return std::regex_replace(text, std::regex("\\bfloat\\b"), "double");
  };
  void *own = compiled("own", source), *ours = compiled("ours", *polymend::readFile(scratch.file("out.cpp")));
  void *exact = compiled("exact", wide(source)), *sizes = compiled("sizes", wide(allText(true)));
  ASSERT_TRUE(own && ours && exact && sizes);
  constexpr int n = 4;
  for (const Kernel &k : kernels()) {
    double theirs = 0, mended = 0;
    for (const int m : {37, 1000, 3000})
      for (const Data &d : population(n, m)) {
        const auto a = inFloat(own, k.name, n, m, d), b = inFloat(ours, k.name, n, m, d);
        const auto truth = inDouble(exact, k.name, n, m, d), size = inDouble(sizes, k.name, n, m, d);
        double worst = 0, here = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
          ASSERT_EQ(std::isfinite(a[i]), std::isfinite(b[i])) << k.name;
          if (!std::isfinite(a[i])) continue;
          const double unit = std::ldexp(std::max(size[i], std::abs(truth[i])), -24) + 1e-44;
          worst = std::max(worst, std::abs(a[i] - truth[i]) / unit);
          here = std::max(here, std::abs(b[i] - truth[i]) / unit);
        }
        if (k.mended)
          EXPECT_LE(here, 2 * worst + 48) << k.name << " of " << m << " elements, the first of them " << d.x[0];
        theirs = std::max(theirs, worst);
        mended = std::max(mended, here);
      }
    EXPECT_LE(mended, std::max(4.0, 2 * theirs)) << k.name;
  }
}

TEST_F(Conditioning, IsToldOrTheSumIsRefused) {
  for (const Kernel &k : kernels()) {
    const std::string file = write("one.cpp", "#include <cmath>\n" + textOf(k, k.terms));
    const auto done = run({"explain", file});
    if (k.mended) {
      EXPECT_NE(done.output.find("in floating point: "), std::string::npos) << k.name << done.output << done.error;
    } else {
      EXPECT_NE(done.output.find("over the reals"), std::string::npos) << k.name << done.output << done.error;
    }
  }
}

TEST_F(Tool, DoesNotMultiplyOutWhatTheSourceSquares) {
  const std::string file = write("a.cpp", R"(void f(int m, int n, const float *a, const float *x, float *y) {
  for (int j = 0; j < m; j++) {
    float norm = 0.0f;
    for (int k = 0; k < n; k++) norm += a[j * n + k];
    const float top = 1.0f / (norm + 1.0f);
    float total = 0.0f;
    for (int k = 0; k < n; k++) total += (a[j * n + k] / top) * (a[j * n + k] / top) * x[k];
    y[j] = total;
  }
}
)");
  const auto done = run({"explain", file, "--quiet"});
  EXPECT_NE(done.output.find("(norm[j] + 1.0) * (norm[j] + 1.0)"), std::string::npos)
      << "near -1 a difference of large numbers\n"
      << done.output;
}

TEST_F(Tool, ComputesRowsAgainWhoseDivisorsOverflowTogether) {
  const std::string file = write("a.cpp", R"(float f(int n, const float *x) {
  float sum = 0.0f, squares = 0.0f, total = 0.0f;
  for (int p = 0; p < n; p++) sum += x[p];
  for (int p = 0; p < n; p++) squares += (x[p] / sum) * (x[p] / sum);
  for (int p = 0; p < n; p++) total += (x[p] / sum) / squares;
  return total;
}
)");
  const auto done = run({file});
  EXPECT_NE(done.output.find("isFinite(sum * squares)"), std::string::npos) << done.output;
}

/// The normal form of total + 0.5 has 2 total, which overflows where the source's root is finite.
TEST_F(Tool, FinishesRootsWithinTheRangeOfTheirArguments) {
  const std::string file = write("a.cpp", R"(#include <cmath>
void f(int rows, int width, const float *w, float *y) {
  for (int t = 0; t < rows; t++) {
    float total = 0.0f;
    for (int j = 0; j < width; j++) total += std::abs(w[t * width + j]);
    float root = std::sqrt(total + 0.5f);
    float most = 0.0f;
    for (int j = 0; j < width; j++) most = std::fmax(most, std::abs(w[t * width + j]) / root);
    y[t] = most;
  }
}
)");
  const auto done = run({"explain", file, "--quiet"});
  EXPECT_NE(done.output.find("most = #0 / sqrt(total[t] + 0.5)"), std::string::npos) << done.output;
}

/// Ten elements, a hole, and the rest: the mean so far is the sum's share of those that were seen, not of all up to
/// here.
TEST_F(Tool, WatchesAMeanBesideAHole) {
  const std::string file = write("a.cpp", R"(
void f(int rows, int m, const float *x, float *out) {
  for (int r = 0; r < rows; r++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      if (j < 10 || j >= 20) s += x[r * m + j];
    float mean = s / m, v = 0;
    for (int j = 0; j < m; j++)
      if (j < 10 || j >= 20) v += (x[r * m + j] - mean) * (x[r * m + j] - mean);
    out[r] = v;
  }
}
)");
  EXPECT_EQ(run({"check", file, "--tile=j:8", "--quiet"}).exitCode, 0);
}

/// A third of the sum over three lines is no mean of theirs.
TEST_F(Tool, WatchesNoPartOfASumOverSeveralLoops) {
  const std::string file = write("a.cpp", R"(
void f(int rows, const float *x, float *out) {
  for (int r = 1; r < rows - 1; r++) {
    float s = 0;
    for (int i = -1; i <= 1; i++)
      for (int j = 0; j < 300; j++) s += x[(r + i) * 300 + j];
    float mean = s / 900, v = 0;
    for (int i = -1; i <= 1; i++)
      for (int j = 0; j < 300; j++) v += (x[(r + i) * 300 + j] - mean) * (x[(r + i) * 300 + j] - mean);
    out[r] = v;
  }
}
)");
  EXPECT_EQ(run({"check", file, "--quiet"}).exitCode, 0);
}
