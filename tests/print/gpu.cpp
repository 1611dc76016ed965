// Printed device text: key lines of small programs, and compilation where a compiler for the target is found.
#include "compiled.h"
#include "mapped.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace polymend;
using testing::HasSubstr;
using testing::Not;
using testing_print::hasCompiler;
using testing_print::mapped;
using testing_print::nestOf;
using testing_print::printMapped;
using testing_print::programOf;

namespace {

const std::string rowsSource = R"(namespace maths {
void rows(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0;
    for (int j = 0; j < m; ++j) y[i] += x[i * m + j];
  }
}
}
)";

const std::string rowsText = R"(program rows
size n, m
array x : f32[n, m] flat
array y : f32[n] flat written
kernel rows grid (i in [0, n) parallel) {
  tile s : f32 written
  s = 0.0f32
  points (j in [0, m) reduced) {
    s += x[i, j]
  }
  y[i] = s[]
}
)";

const std::string tilesSource = R"(void tiles(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
)";

const std::string tilesText = R"(program tiles
size n
array a : f32[n, n] flat
array b : f32[n, n] flat
array c : f32[n, n] flat written
kernel tiles grid (I in [0, floordiv(n + 63, 64)) parallel, J in [0, floordiv(n + 63, 64)) parallel) {
  tile s : f32[64, 64] written
  tile l : f32[64, 64] written
  tile r : f32[64, 64] written
  points (i in [0, min(64, n - 64 * I)) parallel, j in [0, min(64, n - 64 * J)) parallel) {
    s[i, j] = c[64 * I + i, 64 * J + j]
  }
  for k0 in [0, n) step 64 {
    points (i in [0, min(64, n - 64 * I)) parallel, k in [0, min(64, n - k0)) parallel) {
      l[i, k] = a[64 * I + i, k0 + k]
    }
    points (k in [0, min(64, n - k0)) parallel, j in [0, min(64, n - 64 * J)) parallel) {
      r[k, j] = b[k0 + k, 64 * J + j]
    }
    points (i in [0, min(64, n - 64 * I)) parallel, j in [0, min(64, n - 64 * J)) parallel, k in [0, min(64, n - k0)) reduced) {
      s[i, j] += l[i, k] * r[k, j]
    }
  }
  points (i in [0, min(64, n - 64 * I)) parallel, j in [0, min(64, n - 64 * J)) parallel) {
    c[64 * I + i, 64 * J + j] = s[i, j]
  }
}
)";

const std::string scaledSource = R"(void scaled(const float *x, const float *w, float *y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < m; ++j) s += x[i * m + j];
    for (int j = 0; j < m; ++j) y[i * m + j] = x[i * m + j] / s * w[j];
  }
}
)";

const std::string scaledText = R"(program scaled
size n, m
array x : f32[n, m] flat
array w : f32[m] flat
array y : f32[n, m] flat written
kernel scaled grid (i in [0, n) parallel) {
  tile s : f32 written
  s = 0.0f32
  for j0 in [0, m) step 4096 {
    points (j in [0, min(4096, m - j0)) reduced) {
      s += x[i, j0 + j]
    }
  }
  points (j in [0, m) parallel) {
    y[i, j] = x[i, j] / s[] * w[j]
  }
}
)";

const std::string sweepSource = R"(void sweep(double *a, double *b, int steps, int n) {
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i) b[i] = 2 * a[i];
}
)";

const std::string sweepText = R"(program sweep
size steps, n
array a : f64[n] flat
array b : f64[n] flat written
kernel sweep grid () {
  for t in [0, steps) step 1 {
    points (i in [0, n) parallel) {
      b[i] = a[i] * 2.0f64
    }
  }
}
)";

const std::string partsSource = R"(void rows(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0;
    for (int j = 0; j < m; ++j) y[i] += x[i * m + j];
  }
}
)";

const std::string partsText = R"(program rows
size n, m
array x : f32[n, m] flat
array y : f32[n] flat written
work s_part : f32[8, n] written
kernel rows_parts grid (i in [0, n) parallel, part in [0, 8) parallel) {
  tile s : f32 written
  s = 0.0f32
  for j0 in [4096 * part, m) step 32768 {
    points (j in [0, min(m - j0, 4096)) reduced) {
      s += x[i, j0 + j]
    }
  }
  s_part[part, i] = s[]
}
kernel rows grid (i in [0, n) parallel) {
  tile s : f32 written
  s = 0.0f32
  points (part in [0, 8) reduced) {
    s += s_part[part, i]
  }
  y[i] = s[]
}
)";

std::string replaced(std::string text, const std::string &what, const std::string &with) {
  return text.replace(text.find(what), what.size(), with);
}

std::string printed(const std::string &source, const std::string &text, Target target,
                    FloatMode fp = FloatMode::Algebraic) {
  const TileProgram program = programOf(text);
  return printMapped(nestOf(source, program), program, {target, fp}).text;
}

/// What the command says on standard error, or nothing where it succeeds.
std::string complaint(const std::string &text, const std::string &extension, const std::string &command) {
  std::string pattern = (std::filesystem::temp_directory_path() / "polymend-gpu-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return "no folder";
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / ("out" + extension)) << text;
  const std::string line = command + " " + (folder / ("out" + extension)).string() + " -o " +
                           (folder / "out.o").string() + " 2> " + (folder / "log").string();
  std::string result;
  if (std::system(line.c_str()) != 0) {
    std::ifstream log(folder / "log");
    result = "failed: " + std::string(std::istreambuf_iterator<char>(log), {}) + text;
  }
  std::filesystem::remove_all(folder);
  return result;
}

const std::string nvcc = "nvcc -std=c++20 -arch=sm_80 -Werror all-warnings -c";
const std::string shim = "nvcc -std=c++20 -arch=sm_80 -fmad=false -c -x cu -I " POLYMEND_SOURCE_DIR "/tests/gpu/hip";
const std::string clang = "clang++-19 -x hip -std=c++20 --cuda-device-only -S -nogpulib --offload-arch=";

} // namespace

TEST(GpuPrint, EntriesStandInTheScopeOfTheFunction) {
  const std::string text = printed(rowsSource, rowsText, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("cudaError_t rows_on(cudaStream_t stream, const float *x, float *y, int n, int m) {"));
  EXPECT_LT(text.find("namespace maths {"), text.find("rows_on(cudaStream_t"));
  EXPECT_THAT(text, HasSubstr("return cudaErrorInvalidValue;"));
  EXPECT_THAT(text, HasSubstr("yMirror.copyBack(y);"));
  EXPECT_THAT(text, Not(HasSubstr("xMirror.copyBack")));
}

TEST(GpuPrint, AGroupOfThreadsReducesARow) {
  const std::string text = printed(rowsSource, rowsText, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("template <int group_size> __global__ void"));
  EXPECT_THAT(text, HasSubstr("polymend_rt::withGroup<8>(number_of_points, m64,"));
  EXPECT_THAT(text, HasSubstr("polymend_rt::combineGroup<group_size>(partial_result, polymend_rt::Sum(),"));
  EXPECT_THAT(text, HasSubstr("const float *__restrict__ x"));
}

TEST(GpuPrint, ARowThatIsReadTwiceIsHeld) {
  const std::string text = printed(scaledSource, scaledText, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("polymend_rt::Window<group_size, 4, float> held_of_x(memory, pieces_in_a_window);"));
  EXPECT_THAT(text, HasSubstr("polymend_rt::windowPieces<4>(group_size(), m64, 4)"));
  EXPECT_THAT(text, HasSubstr("held_of_x.forget();"));
  EXPECT_THAT(text, HasSubstr("held_of_x.hold(&x[i * m64 + (j0 + piece_of_run)]"));
  EXPECT_THAT(text, HasSubstr("held_of_x.hold(&x[i * m64 + piece_of_run], m64 - piece_of_run, m64 - piece_of_run);"));
  EXPECT_THAT(text, Not(HasSubstr("held_of_w;")));
  EXPECT_THAT(text, HasSubstr("polymend_rt::storeFour(&y[i * m64 + begin_of_four], results_for_y, count_in_four);"));
}

TEST(GpuPrint, AWindowReachesAsFarAsTheChunksOfTheRun) {
  const std::string chunk = "points (j in [0, min(4096, m - j0)) reduced)";
  ASSERT_NE(scaledText.find(chunk), std::string::npos);
  EXPECT_THAT(printed(scaledSource, scaledText, Target::Cuda), HasSubstr(", m64 - j0 - piece_of_run);"));
  const std::string partly = replaced(scaledText, chunk, "points (j in [0, min(4000, m - j0)) reduced)");
  EXPECT_THAT(printed(scaledSource, partly, Target::Cuda), Not(HasSubstr(", m64 - j0 - piece_of_run);")));
}

TEST(GpuPrint, WhereCopiesWaitForTheirThreadRowsAreHeldInRegisters) {
  const std::string text = printed(scaledSource, scaledText, Target::Hip);
  EXPECT_THAT(text, HasSubstr("polymend_rt::Held<group_size, 4, float> held_of_x;"));
  EXPECT_THAT(text, Not(HasSubstr("Window")));
}

TEST(GpuPrint, WhatIsWrittenBeforeItIsReadAgainIsNotHeld) {
  std::string rewritten = scaledText;
  rewritten.replace(rewritten.find("array x : f32[n, m] flat"), 24, "array x : f32[n, m] flat written");
  const std::string store = "    y[i, j] = x[i, j] / s[] * w[j]\n";
  rewritten.replace(rewritten.find(store), store.size(), "    x[i, j] = x[i, j] / s[] * w[j]\n");
  EXPECT_THAT(printed(scaledSource, rewritten, Target::Cuda), HasSubstr("held_of_x.hold("));
  const std::string again = "  points (j in [0, m) parallel) {\n    y[i, j] = x[i, j]\n  }\n}\n";
  rewritten.replace(rewritten.rfind("}\n"), 2, again);
  EXPECT_THAT(printed(scaledSource, rewritten, Target::Cuda), Not(HasSubstr("held_of_x.hold(")));
}

TEST(GpuPrint, TheLastGroupToArriveCombinesTheParts) {
  const std::string text = printed(partsSource, partsText, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("if (polymend_rt::arrivesLast<group_size>(&arrived[grid_point / 8], 8, "
                              "turn_of_group)) {"));
  EXPECT_THAT(text, HasSubstr("cudaMemsetAsync(arrived, 0,"));
  EXPECT_THAT(text, HasSubstr("rows_parts_kernel<group_size()>"));
  EXPECT_THAT(text, Not(HasSubstr("rows_kernel<")));
}

TEST(GpuPrint, WhatAllPartsMayTouchIsCombinedByALaunchOfItsOwn) {
  const std::string wide = replaced(partsText, "  s = 0.0f32\n  for",
                                    "  tile t : f64 written\n  s = 0.0f32\n  t = 0.0f64\n  for"),
                    twoTypes = replaced(replaced(wide, "  s = 0.0f32\n  points",
                                                 "  tile t : f32 written\n  s = 0.0f32\n  t = 1.0f32\n  points"),
                                        "y[i] = s[]", "y[i] = s[] + t[]");
  for (const std::string &apart :
       {replaced(partsText, "s += s_part[part, i]", "s += s_part[part, n - 1 - i]"),
        replaced(partsText, "s_part[part, i] = s[]", "s_part[part, 0] = s[]"),
        replaced(replaced(partsText, "s += x[i, j0 + j]", "s += x[i, j0 + j] + y[0]"), "y[i] = s[]",
                 "y[i] = 2.0f32 * s[]"),
        replaced(partsText, "kernel rows grid (i in [0, n) parallel)", "kernel rows grid (i in [0, n - 1) parallel)"),
        replaced(partsText, "part in [0, 8) parallel) {", "part in [0, m) parallel) {"), twoTypes}) {
    const std::string text = printed(partsSource, apart, Target::Cuda);
    EXPECT_THAT(text, Not(HasSubstr("arrivesLast"))) << apart;
    EXPECT_THAT(text, HasSubstr("rows_kernel"));
  }
}

TEST(GpuPrint, AColumnIsNoRowOfNeighbours) {
  std::string turned = scaledText;
  turned.replace(turned.find("array y : f32[n, m]"), 19, "array y : f32[m, n]");
  turned.replace(turned.find("    y[i, j] ="), 13, "    y[j, i] =");
  EXPECT_THAT(printed(scaledSource, turned, Target::Cuda), Not(HasSubstr("group_size")));
}

TEST(GpuPrint, ScratchComesFromAPoolThatKeepsIt) {
  const std::string work = "work t : f32[n] written\n";
  std::string text = rowsText;
  text.replace(text.find("kernel"), 0, work);
  const std::string result = printed(rowsSource, text, Target::Cuda);
  EXPECT_THAT(result, HasSubstr("cudaMemPoolAttrReleaseThreshold"));
  EXPECT_THAT(result, Not(HasSubstr("cudaMallocAsync")));
}

TEST(GpuPrint, StrictKeepsTheOrderOfSums) {
  const std::string text = printed(rowsSource, rowsText, Target::Cuda, FloatMode::Strict);
  EXPECT_THAT(text, Not(HasSubstr("combineGroup")));
  EXPECT_THAT(text, HasSubstr("for (Index j = 0; j < m64; ++j)"));
}

TEST(GpuPrint, ProductOfTilesIsBlocked) {
  const std::string text = printed(tilesSource, tilesText, Target::Cuda);
  EXPECT_THAT(text,
              HasSubstr("polymend_rt::multiplyTiles<4, 64, 64>(thread, 0, polymend_rt::least<Index>(64, n64 - k0),"));
  EXPECT_THAT(text, HasSubstr("return &l[i][k];"));
  EXPECT_THAT(text, HasSubstr("float (*)[64][68]"));
  EXPECT_THAT(text, HasSubstr("__syncthreads();"));
}

TEST(GpuPrint, ProductOfTilesWhoseSumsEndElsewhereInEachRowIsBlocked) {
  const std::string below =
      replaced(tilesText, "k in [0, min(64, n - k0)) reduced", "k in [0, min(64, i + 1)) reduced");
  const std::string text = printed(tilesSource, below, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("polymend_rt::multiplyRaggedTiles<4, 64, 64, true>(thread, 0, 64,"));
  EXPECT_THAT(text, HasSubstr("[&](int i, int j) { return polymend_rt::least<Index>(64, i + 1); },"));
}

TEST(GpuPrint, ProductOfTilesOfDoublesIsBlocked) {
  std::string doubles = tilesText, source = tilesSource;
  for (std::size_t at = 0; (at = doubles.find("f32", at)) != std::string::npos;) doubles.replace(at, 3, "f64");
  for (std::size_t at = 0; (at = source.find("float", at)) != std::string::npos;) source.replace(at, 5, "double");
  const std::string text = printed(source, doubles, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("polymend_rt::multiplyTiles<4, 64, 64>("));
  EXPECT_THAT(text, HasSubstr("double (*)[64][66]"));
}

/// A thread walks along each row, whose elements come and go by all threads of its block.
TEST(GpuPrint, LinesComeInChunks) {
  const std::string source = R"(void filter(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    float last = 0;
    for (int j = 0; j < m; ++j) {
      y[i * m + j] = x[i * m + j] - last;
      last = y[i * m + j];
    }
  }
}
)";
  const std::string text = printed(source, R"(program filter
size n, m
array x : f32[n, m] flat
array y : f32[n, m] flat written
kernel filter grid (i in [0, n) parallel) {
  tile last : f32 written
  last = 0.0f32
  for j in [0, m) step 1 {
    y[i, j] = x[i, j] - last[]
    last = y[i, j]
  }
}
)",
                                   Target::Cuda);
  EXPECT_THAT(text, HasSubstr("for (Index j_chunk = 0; j_chunk < m64; j_chunk += 64)"));
  EXPECT_THAT(text, HasSubstr("y_staged[i_line][j_within + 1] = x_staged[i_line][j_within + 1] - last[0];"));
  EXPECT_THAT(text, HasSubstr("float last[1];"));
}

/// Terms of sums whose order stays are computed by all threads, and added by one.
TEST(GpuPrint, SumsInOrderHaveTheirTermsAside) {
  const std::string source = R"(void sums(const double *x, double *r, int n, int m) {
  for (int t = 0; t < n; ++t)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < m; ++k) r[t * n + j] += x[k * n + j] * x[k * n + t];
}
)";
  const std::string text = printed(source, R"(program sums
size n, m
array x : f64[m, n] flat
array r : f64[n, n] flat written
kernel sums grid () {
  for t in [0, n) step 1 {
    points (j in [0, n) parallel, k in [0, m) serial) {
      r[t, j] += x[k, j] * x[k, t]
    }
  }
}
)",
                                   Target::Cuda);
  EXPECT_THAT(text, HasSubstr("__dmul_rn(x["));
  EXPECT_THAT(text, HasSubstr("partial_result += r_terms[j_line][k_within];"));
}

TEST(GpuPrint, LoopAroundARegionStaysOnTheHost) {
  const std::string text = printed(sweepSource, sweepText, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("for (std::int64_t t = 0; t < steps64; ++t) {"));
  EXPECT_THAT(text, HasSubstr("polymend_rt::blocksFor(polymend_rt::extent(0, n64))"));
  EXPECT_THAT(text, HasSubstr("__dmul_rn"));
}

/// The host's compiler does not know the device's calls that round.
TEST(GpuPrint, ProductsOfTheEntryAreTheHosts) {
  const std::string given =
      replaced(sweepText, "array a", "given f64(steps) * f64(n) + f64(n) <= 4294967295.0f64\narray a");
  const std::string text = printed(sweepSource, given, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("__dmul_rn(a["));
  EXPECT_THAT(text, HasSubstr("static_cast<double>(steps64) * static_cast<double>(n64)"));
}

/// What lies between launches is memory of the device, as long as its extents say.
TEST(GpuPrint, TilesBetweenLaunchesAreMemoryOfTheirSize) {
  const std::string tile = replaced(
      replaced(sweepText, "grid () {\n", "grid () {\n  row w : f64[n] written\n"), "      b[i] = a[i] * 2.0f64\n",
      "      w[i] = a[i] * 2.0f64\n    }\n    points (i in [0, n) parallel) {\n      b[i] = w[n - 1 - i]\n");
  const std::string text = printed(sweepSource, tile, Target::Cuda);
  EXPECT_THAT(text, HasSubstr("scratch.reserve<double>(n64);"));
  EXPECT_THAT(text, HasSubstr("double *const wMemory = scratch.at<double>(wMemoryAt);"));
}

/// Every block has a slice of all that a tile holds, also where that is a difference.
TEST(GpuPrint, BlocksHaveSlicesOfTheWholeTile) {
  const auto text = [](const std::string &extent) {
    return printed(rowsSource,
                   replaced(replaced(rowsText, "  tile s", "  row w : f32[64, " + extent + "] written\n  tile s"),
                            "    s += x[i, j]\n",
                            "    s += w[j, 0]\n  }\n  points (j in [0, 64) parallel, k in [0, " + extent +
                                ") parallel) {\n    w[j, k] = x[i, k]\n"),
                   Target::Cuda);
  };
  EXPECT_THAT(text("m - 1"), HasSubstr("scratch.reserve<float>((64 * m64 - 64) *"));
  EXPECT_THAT(text("m"), HasSubstr("scratch.reserve<float>(64 * m64 *"));
}

TEST(GpuPrint, HipNamesItsOwnRuntime) {
  const std::string text = printed(rowsSource, rowsText, Target::Hip);
  EXPECT_THAT(text, HasSubstr("#include <hip/hip_runtime.h>"));
  EXPECT_THAT(text, HasSubstr("hipError_t rows_on(hipStream_t stream"));
  EXPECT_THAT(text, Not(HasSubstr("cuda")));
  EXPECT_THAT(text, Not(HasSubstr("_sync(")));
}

/// Of an array that nobody knows the length of nothing is copied: the entry on the host's memory is the source's own.
TEST(GpuPrint, UnknownExtentIsOfTheDevicesEntryAlone) {
  TileProgram program = programOf(rowsText);
  program.arrays.front().extents.front() = Expr();
  const Nest nest = nestOf(rowsSource, program);
  const auto alone = mapped(nest, program, {Target::Cuda, FloatMode::Algebraic});
  ASSERT_TRUE(alone) << alone.refusal().reason;
  EXPECT_THAT(alone->entry.source, HasSubstr("'x'"));
  const std::string text = printMapped(nest, program, {Target::Cuda, FloatMode::Algebraic}).text;
  EXPECT_THAT(text, HasSubstr("if (polymend_rt::allocatedTogether(x, y)) return cudaErrorInvalidValue;"));
  EXPECT_THAT(text, Not(HasSubstr("Mirror")));
  EXPECT_THAT(text, Not(HasSubstr("rows_reference")));
  EXPECT_THAT(text, HasSubstr(std::string(rowsSource).substr(std::string(rowsSource).find("void rows("))));
}

TEST(GpuPrint, NvccCompilesCuda) {
  if (!hasCompiler("nvcc")) GTEST_SKIP() << "nvcc was not found: CUDA text is not compiled here";
  EXPECT_EQ(complaint(printed(rowsSource, rowsText, Target::Cuda), ".cu", nvcc), "");
  EXPECT_EQ(complaint(printed(rowsSource, rowsText, Target::Cuda, FloatMode::Strict), ".cu", nvcc), "");
  EXPECT_EQ(complaint(printed(tilesSource, tilesText, Target::Cuda), ".cu", nvcc), "");
  EXPECT_EQ(complaint(printed(sweepSource, sweepText, Target::Cuda), ".cu", nvcc), "");
  EXPECT_EQ(complaint(printed(scaledSource, scaledText, Target::Cuda), ".cu", nvcc), "");
  EXPECT_EQ(complaint(printed(partsSource, partsText, Target::Cuda), ".cu", nvcc), "");
}

TEST(GpuPrint, NvccCompilesHipThroughItsHeader) {
  if (!hasCompiler("nvcc")) GTEST_SKIP() << "nvcc was not found: HIP text is not compiled for CUDA here";
  EXPECT_EQ(complaint(printed(tilesSource, tilesText, Target::Hip), ".hip", shim), "");
  EXPECT_EQ(complaint(printed(scaledSource, scaledText, Target::Hip), ".hip", shim), "");
  EXPECT_EQ(complaint(printed(partsSource, partsText, Target::Hip), ".hip", shim), "");
}

TEST(GpuPrint, ClangCompilesHip) {
  if (!std::filesystem::exists("/usr/include/hip/hip_runtime.h"))
    GTEST_SKIP() << "HIP's headers were not found: HIP text is not compiled here";
  for (const std::string arch : {"gfx90a", "gfx942"}) {
    EXPECT_EQ(complaint(printed(rowsSource, rowsText, Target::Hip), ".hip", clang + arch), "");
    EXPECT_EQ(complaint(printed(tilesSource, tilesText, Target::Hip), ".hip", clang + arch), "");
    EXPECT_EQ(complaint(printed(scaledSource, scaledText, Target::Hip), ".hip", clang + arch), "");
    EXPECT_EQ(complaint(printed(partsSource, partsText, Target::Hip), ".hip", clang + arch), "");
  }
}
