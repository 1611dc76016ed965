// Shared loops of a kernel that runs in order are launches whose blocks take their turns, with tiles of their own; a
// thread takes several rows of a tile that read one another's neighbours.
#include "mapping.h"

#include <gmock/gmock.h>

#include <regex>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

/// Sums of what lies above and below, twice a turn, in tiles of 32 by 64.
const std::string sweeps = R"(program sweeps
size steps, n
array a : f64[n, 64] flat written
array b : f64[n, 64] flat written
kernel sweeps grid () {
  tile s : f64[32, 64] written
  tile r : f64[32, 64] written
  for t in [0, steps) step 1 {
    for i_tile in [0, floordiv(n + 29, 30)) step 1 shared {
      points (i in [max(0, 1 - 30 * i_tile), min(32, n + 1 - 30 * i_tile)) parallel, j in [0, 64) parallel) {
        s[i, j] = a[30 * i_tile + i - 1, j]
      }
      points (i in [max(1, 2 - 30 * i_tile), min(31, n - 30 * i_tile)) parallel, j in [1, 63) parallel) {
        r[i, j] = s[i - 1, j] + 0.5f64 * (s[i + 1, j] - s[i, j - 1])
      }
      points (i in [max(1, 2 - 30 * i_tile), min(31, n - 30 * i_tile)) parallel, j in [1, 63) parallel) {
        b[30 * i_tile + i - 1, j] = r[i, j]
      }
    }
    points (i2 in [0, n) parallel, j2 in [0, 64) parallel) {
      a[i2, j2] = b[i2, j2]
    }
  }
}
)";

DeviceProgram onGpu(const std::string &text) {
  const Result<TileProgram> program = readText(text);
  EXPECT_TRUE(program) << (program ? "" : program.refusal().reason);
  const Result<DeviceProgram> result = mapToGpu({}, program ? *program : TileProgram(), {163 * 1024, true}, false);
  EXPECT_TRUE(result) << (result ? "" : result.refusal().reason);
  return result ? *result : DeviceProgram();
}

Memory memoryOf(const DeviceProgram &program, std::int64_t n) {
  Memory memory;
  memory.sizes = {{"steps", 2}, {"n", n}};
  double value = 0.2;
  for (const TileArray &a : program.arrays) {
    std::vector<double> elements(static_cast<std::size_t>(n * 64));
    for (double &element : elements) element = value = 3.9 * value * (1 - value);
    memory.arrays.emplace_back(a.name, elements);
  }
  return memory;
}

} // namespace

TEST(SharedLoops, AreLaunchesWithinTheLoopsOfTheHost) {
  const DeviceProgram program = onGpu(sweeps);
  const std::string text = writeText(program);
  EXPECT_THAT(text, HasSubstr("  for t in [0, steps) step 1 {\n    launch 0\n    launch 1\n  }"));
  EXPECT_THAT(text, HasSubstr("grid (i_tile in [0, floordiv(n + 29, 30)) parallel) block of 256"));
  EXPECT_THAT(text, Not(HasSubstr("memory tile"))) << "tiles are the blocks' own";
  EXPECT_THAT(verify(program), IsEmpty());
  const auto again = readDeviceText(text);
  ASSERT_TRUE(again) << again.refusal().reason;
  EXPECT_EQ(writeText(*again), text);
}

TEST(SharedLoops, MeanWhatTheyDid) {
  const DeviceProgram program = onGpu(sweeps);
  for (const std::int64_t n : {1, 2, 31, 64, 95}) {
    Memory wanted = memoryOf(program, n), got = wanted;
    ASSERT_FALSE(interpret(*readText(sweeps), wanted));
    ASSERT_FALSE(interpret(forget(program), got));
    EXPECT_EQ(wanted.arrays, got.arrays) << n;
    EXPECT_THAT(races(program, memoryOf(program, n)), IsEmpty()) << n;
  }
}

TEST(SharedLoops, WaitBetweenTheirRegions) {
  const DeviceProgram program = onGpu(sweeps);
  const std::string unguarded = std::regex_replace(writeText(program), std::regex("  barrier\n"), "");
  const auto wrong = readDeviceText(unguarded);
  ASSERT_TRUE(wrong);
  EXPECT_THAT(races(*wrong, memoryOf(program, 64)), Not(IsEmpty()));
}

TEST(Rows, AreTakenTogetherWhereNeighboursReadTheSame) {
  EXPECT_THAT(writeText(onGpu(sweeps)), HasSubstr("i 30 from 1 first limit as n - 30 * i_tile) rows 4 {"));
  const auto without = [](const std::string &from, const std::string &to) {
    const std::string changed = std::regex_replace(sweeps, std::regex(from), to);
    EXPECT_NE(changed, sweeps);
    EXPECT_THAT(writeText(onGpu(changed)), Not(HasSubstr("rows 4"))) << to;
  };
  without("s\\[i - 1, j\\] \\+ 0.5f64 \\* \\(s\\[i \\+ 1, j\\] - s\\[i, j - 1\\]\\)", "s[i, j] + s[i, j - 1]");
  without("s\\[i - 1, j\\]", "s[i - 2, j]");                    // of which there is none at the first point
  without("s\\[i - 1, j\\]", "a[i, j] + s[i - 1, j]");          // which may not be there
  without("r\\[i, j\\] = ", "r[i, j] = r[i, j] + ");            // which another thread may have stored
  without("s\\[i - 1, j\\]", "s[i - 1, j] + f64(n / (i - j))"); // which may stop the machine
}

TEST(Rows, AreRowsOfAConstantBox) {
  const std::string text = writeText(onGpu(sweeps));
  const auto wrong = readDeviceText(std::regex_replace(text, std::regex("rows 4"), "rows 64"));
  ASSERT_TRUE(wrong);
  EXPECT_THAT(verify(*wrong), testing::Contains(HasSubstr("rows that are none of a constant box")));
}
