// The primitives of sm_90a: which texts a file gets, and that the toolkit assembles each of them, where it is found.
#include "compiled.h"
#include "print/hopper_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace polymend;
using namespace polymend::print_room;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_print::hasCompiler;

namespace {

std::string fileText(const Needs &needed, const std::string &rest) {
  const TargetTable &target = tableOf(Target::Cuda);
  const Needs needs = close(needed, target);
  std::string text;
  for (const std::string &header : needs.headers) text += "#include <" + header + ">\n";
  return text + libraryText(needs, target).whole() + rest;
}

struct Outcome {
  bool ok = false;
  std::string said;
};

Outcome compiled(const std::string &text, const std::string &flags) {
  std::string pattern = (std::filesystem::temp_directory_path() / "polymend-hopper-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return {false, "no folder"};
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "out.cu") << text;
  const std::string line = "nvcc -std=c++17 " + flags + " " + (folder / "out.cu").string() + " -o " +
                           (folder / "out").string() + " > " + (folder / "log").string() + " 2>&1";
  Outcome outcome;
  outcome.ok = std::system(line.c_str()) == 0;
  std::ifstream log(folder / "log");
  outcome.said.assign(std::istreambuf_iterator<char>(log), {});
  std::filesystem::remove_all(folder);
  return outcome;
}

const std::string hopper = "-gencode=arch=compute_90a,code=sm_90a";

/// A producer warpgroup fills two stages and a consumer multiplies them: 64 x 80 sums whose left factor is in shared
/// memory, then 64 x 128 sums whose left factor are the rounded former.
const std::string kernelText = R"cpp(
using namespace polymend_rt;

__global__ void __launch_bounds__(256, 1)
pipeline(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right, uint4 *to,
         std::uint32_t *counter, std::uint32_t tiles) {
  constexpr int bytes = 64 * 128 + 80 * 128;
  extern __shared__ unsigned char memory[];
  __shared__ std::uint64_t barriers[4];
  __shared__ std::uint32_t slots[2];
  const std::uint32_t base = (sharedAddress(memory) + 1023) & ~1023u, full = sharedAddress(barriers), empty = full + 16;
  if (threadIdx.x == 0) {
    prefetchMap(&left);
    for (int i = 0; i < 2; ++i) {
      barrierInit(full + 8 * i, 1);
      barrierInit(empty + 8 * i, 4);
    }
    barrierInitFence();
  }
  __syncthreads();
  std::uint32_t stage = 0, phase = 0;
  if (threadIdx.x < 128) {
    lowerRegisters<40>();
    if (threadIdx.x == 0) {
      std::uint32_t tile;
      do {
        tile = nextTicket(counter);
        barrierWait(empty + 8 * stage, phase ^ 1);
        slots[stage] = tile;
        if (tile < tiles) {
          barrierExpect(full + 8 * stage, bytes);
          const int row = static_cast<int>(tile);
          copyTile(base + stage * bytes, &left, full + 8 * stage, 0, row);
          copyTile(base + stage * bytes + 64 * 128, &right, full + 8 * stage, 0, row, 0);
          if (tiles == 1) copyTile(base, &left, full, 0, row, 0, 0);
          if (tiles == 2) copyTile(base, &left, full, 0, row, 0, 0, 0);
        } else {
          barrierArrive(full + 8 * stage);
        }
        stage ^= 1;
        if (stage == 0) phase ^= 1;
      } while (tile < tiles);
      returnTickets(counter, gridDim.x);
    }
  } else {
    raiseRegisters<216>();
    for (;;) {
      barrierWait(full + 8 * stage, phase);
      const std::uint32_t tile = slots[stage];
      if (tile >= tiles) break;
      float scores[40], sums[64];
      std::uint32_t factors[20];
      const std::uint32_t a = base + stage * bytes, b = a + 64 * 128;
      pinRegisters(scores);
      wgmmaFence();
#pragma unroll
      for (int k = 0; k < 4; ++k) wgmma_n80_bf16_ss(scores, matrixK(a) + 2 * k, matrixK(b) + 2 * k, k > 0);
      wgmmaCommit();
      wgmmaWait<0>();
      pinRegisters(scores);
      const float pivot = combineLanes<4>(scores[0], Maximum()), total = combineLanes<4>(scores[1], Sum());
#pragma unroll
      for (int i = 0; i < 20; ++i)
        factors[i] = packBrain(exp2Fast(scores[2 * i] - pivot), tanhByExp2(scores[2 * i + 1]) * reciprocal(total));
      float four[4] = {scores[0], scores[1], scores[2], scores[3]};
      divideFour(atMost(pivot, 31.0f), four);
      factors[0] ^= __float_as_uint(four[0]);
      pinRegisters(factors);
      pinRegisters(sums);
      wgmmaFence();
#pragma unroll
      for (int k = 0; k < 5; ++k) wgmma_n128_bf16_rs_tb(sums, factors + 4 * k, matrixN(b, 80 * 128) + 128 * k, k > 0);
      wgmmaCommit();
      wgmmaWait<0>();
      pinRegisters(sums);
      fenceShared();
      waitAmong(1, 128);
      if (threadIdx.x % 32 == 0) barrierArrive(empty + 8 * stage);
      stage ^= 1;
      if (stage == 0) phase ^= 1;
#pragma unroll
      for (int j = 0; j < 64; j += 16)
        to[threadIdx.x * 4 + j / 16] = transposeQuad(packHalf(sums[j], tanhApprox(sums[j + 1])), packHalf(sums[j + 4], sums[j + 5]),
                                                     packHalf(sums[j + 8], sums[j + 9]), packHalf(sums[j + 12], sums[j + 13]));
    }
  }
}

cudaError_t start(const void *a, const void *b, std::int64_t rows, std::int64_t width, uint4 *to, std::uint32_t *counter) {
  if (!runsHopperCode() || !tensorMappable(a, {64, rows}, {2 * width}) || !tensorMappable(b, {64, rows, 2}, {2 * width, 128}))
    return cudaErrorNotSupported;
  CUtensorMap left, right;
  if (const cudaError_t e = makeTensorMap(left, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, a, {64, rows}, {2 * width}, {64, 64}); e != cudaSuccess) return e;
  if (const cudaError_t e = makeTensorMap(right, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, b, {64, rows, 2}, {2 * width, 128}, {64, 80, 1}); e != cudaSuccess) return e;
  return launch(pipeline, persistentBlocks(rows), 256, 65536, nullptr, left, right, to, counter, rows);
}
)cpp";

Needs everything() {
  Needs needs;
  needs.primitives = {
      "sharedAddress",  "barrierInit",    "barrierInitFence", "barrierExpect",  "barrierArrive", "barrierWait",
      "waitAmong",      "fenceShared",    "prefetchMap",      "copyTile",       "matrixK",       "matrixN",
      "wgmmaFence",     "wgmmaCommit",    "wgmmaWait",        "raiseRegisters", "pinRegisters",  "lowerRegisters",
      "packBrain",      "packHalf",       "exp2Fast",         "reciprocal",     "atMost",        "divideFour",
      "tanhByExp2",     "tanhApprox",     "transposeQuad",    "nextTicket",     "returnTickets", "persistentBlocks",
      "runsHopperCode", "tensorMappable", "makeTensorMap",    "launch",         "combineLanes",  "Sum",
      "Maximum"};
  needWgmma({80, true, false, false, false}, needs);
  needWgmma({128, true, true, false, true}, needs);
  return needs;
}

/// A kernel that issues each given product once.
std::string shapesText(const std::vector<WgmmaShape> &shapes, Needs &needs) {
  std::string text;
  for (const WgmmaShape &shape : shapes) {
    const std::string name = needWgmma(shape, needs), half = std::to_string(shape.columns / 2);
    text += "__global__ void __launch_bounds__(128, 1) use_" + wgmmaName(shape) +
            "(float *to, const std::uint32_t *from, std::uint64_t right) {\n  float sums[" + half + "] = {};\n" +
            "  std::uint32_t left[4] = {from[0], from[1], from[2], from[3]};\n  polymend_rt::pinRegisters(left);\n" +
            "  polymend_rt::pinRegisters(sums);\n  polymend_rt::wgmmaFence();\n  " + name + "(sums, " +
            (shape.leftInRegisters ? "left" : "right + left[0]") + ", right, 1);\n  polymend_rt::wgmmaCommit();\n" +
            "  polymend_rt::wgmmaWait<0>();\n  polymend_rt::pinRegisters(sums);\n  for (int i = 0; i < " + half +
            "; ++i) to[i * 128 + threadIdx.x] = sums[i];\n}\n";
  }
  needs.primitives.insert({"wgmmaFence", "wgmmaCommit", "wgmmaWait", "pinRegisters"});
  return text;
}

} // namespace

TEST(HopperTexts, NamesTellShapesApart) {
  EXPECT_EQ(wgmmaName({128, true, false, false, false}), "wgmma_n128_bf16_ss");
  EXPECT_EQ(wgmmaName({80, false, false, true, true}), "wgmma_n80_f16_ss_tatb");
  EXPECT_EQ(wgmmaName({8, true, true, false, true}), "wgmma_n8_bf16_rs_tb");
}

TEST(HopperTexts, ShapesThatTheInstructionHas) {
  EXPECT_TRUE(isWgmma({256, true, false, true, true}));
  EXPECT_FALSE(isWgmma({264, true, false, false, false}));
  EXPECT_FALSE(isWgmma({12, true, false, false, false}));
  EXPECT_FALSE(isWgmma({0, true, false, false, false}));
  EXPECT_FALSE(isWgmma({64, true, true, true, false}));
}

TEST(HopperTexts, ProductListsItsOperandsInOrder) {
  const std::string shared = wgmmaText({8, true, false, true, false}),
                    registers = wgmmaText({8, false, true, false, true});
  EXPECT_THAT(shared, HasSubstr("m64n8k16.f32.bf16.bf16"));
  EXPECT_THAT(shared, HasSubstr("{%0, %1, %2, %3},"));
  EXPECT_THAT(shared, HasSubstr("%4, %5, keep, 1, 1, 1, 0;"));
  EXPECT_THAT(shared, HasSubstr("setp.ne.b32 keep, %6, 0;"));
  EXPECT_THAT(registers, HasSubstr("m64n8k16.f32.f16.f16"));
  EXPECT_THAT(registers, HasSubstr("{%4, %5, %6, %7}, %8, keep, 1, 1, 1;"));
  EXPECT_THAT(registers, HasSubstr("setp.ne.b32 keep, %9, 0;"));
}

TEST(HopperTexts, GeneratedTextsFollowThePrimitivesTheyCall) {
  Needs needs;
  EXPECT_EQ(needWgmma({16, true, false, false, false}, needs), "polymend_rt::wgmma_n16_bf16_ss");
  needWgmma({16, true, false, false, false}, needs);
  const std::string text = fileText(needs, "");
  EXPECT_THAT(text, HasSubstr("#include <cstdint>"));
  EXPECT_LT(text.find("constexpr bool forHopper"), text.find("void wgmma_n16_bf16_ss("));
  EXPECT_EQ(text.find("void wgmma_n16_bf16_ss("), text.rfind("void wgmma_n16_bf16_ss("));
}

TEST(HopperTexts, OtherTargetsHaveNone) {
  Needs needs;
  needs.primitives.insert("copyTile");
  EXPECT_THROW(close(needs, tableOf(Target::Hip)), std::logic_error);
  EXPECT_THAT(libraryText(close(needs, tableOf(Target::Cuda)), tableOf(Target::Cuda)).whole(),
              HasSubstr("cp.async.bulk.tensor.5d"));
}

TEST(HopperTexts, NvccAssemblesEveryPrimitive) {
  if (!hasCompiler("nvcc")) GTEST_SKIP() << "nvcc was not found: primitives of sm_90a are not assembled here";
  const std::string text = fileText(everything(), kernelText);
  const Outcome assembled = compiled(text, hopper + " -Werror all-warnings -Xptxas -v -cubin");
  EXPECT_TRUE(assembled.ok) << assembled.said;
  EXPECT_THAT(assembled.said, HasSubstr("'sm_90a'"));
  EXPECT_THAT(assembled.said, Not(HasSubstr("Potential Performance Loss")));
  EXPECT_THAT(assembled.said, Not(ContainsRegex("[1-9][0-9]* bytes spill")));
  for (const std::string flags : {"-arch=sm_80 -Werror all-warnings -c", "-arch=sm_80 -G -c"}) {
    const Outcome elsewhere = compiled(text, flags);
    EXPECT_TRUE(elsewhere.ok) << elsewhere.said;
  }
}

TEST(HopperTexts, NvccAssemblesProductsOfManyShapes) {
  if (!hasCompiler("nvcc")) GTEST_SKIP() << "nvcc was not found: products of sm_90a are not assembled here";
  std::vector<WgmmaShape> shapes;
  for (const int columns : {8, 16, 40, 64, 80, 96, 128, 176, 192, 248, 256})
    for (const bool brain : {false, true}) {
      shapes.push_back({columns, brain, true, false, columns % 16 == 0});
      shapes.push_back({columns, brain, false, columns % 32 == 0, columns % 16 == 0});
    }
  Needs needs;
  const std::string kernels = shapesText(shapes, needs);
  const Outcome assembled = compiled(fileText(needs, kernels), hopper + " -Xptxas -v -cubin");
  EXPECT_TRUE(assembled.ok) << assembled.said;
  EXPECT_THAT(assembled.said, Not(HasSubstr("Potential Performance Loss")));
}
