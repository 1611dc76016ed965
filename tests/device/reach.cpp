// How far from zero integers of kernels are: what bounds them, what has 64 bits in any case, and what has no bound.
#include "mapping.h"

#include "device/reach.h"

using namespace polymend;

namespace {

const std::string head =
    "device f\nsize n, m\narray t : i32[n] flat\narray big : i64[n] flat\narray x : f32[n, m] flat\n"
    "array y : f32[n, m] flat written\nentry {}\nqueue {\n  copy x of n * m\n  copy y back\n}\n"
    "step {\n  launch 0\n}\n";

/// The kernel of a thread for each i in [0, n), after the analysis.
DeviceKernel kernelWith(const std::string &nodes) {
  const auto program = readDeviceText(
      head + "kernel f grid (i in [0, n) parallel) thread of 256 box ([0, n)) bytes 0 {\n" + nodes + "}\n");
  EXPECT_TRUE(program) << program.refusal().reason;
  return program ? device_room::withReaches(*program).kernels.front() : DeviceKernel();
}

std::string reachOf(const std::string &nodes) {
  const Expr reach = kernelWith(nodes).reach;
  return reach ? show(reach) : "unknown";
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(Reach, IsThatOfPlacesInArrays) {
  const std::string reach = reachOf("for j in [0, m) step 1 {\ny[i, j] = x[i, j]\n}\n");
  EXPECT_TRUE(has(reach, "bound(1.0, m, n)")) << reach;
  EXPECT_TRUE(has(reach, "bound(2.0, n)")) << reach << ": the number of the thread's next point";
}

TEST(Reach, CountsPartsOfSumsAndProducts) {
  const std::string reach = reachOf("for j in [0, m) step 1 {\ny[i, j] = f32(4 * j - (i + 3) * m)\n}\n");
  EXPECT_TRUE(has(reach, "bound(1.0, m, n)")) << reach;
  EXPECT_TRUE(has(reach, "m)")) << reach;
  const std::string quotient = reachOf("y[i, 0] = f32(64 * floordiv(i * m + 63, 64))\n");
  EXPECT_TRUE(has(quotient, "bound(1.0, m, n)")) << quotient << ": a quotient is so much less";
}

/// What is read is computed with in 64 bits; where it ends a loop, so is the loop's variable.
TEST(Reach, LeavesOutWhatIsRead) {
  const std::string reach = reachOf("y[i, 0] = x[t[i] * m * m, 0]\n");
  EXPECT_FALSE(has(reach, "m, m")) << reach;
  EXPECT_EQ(kernelWith("for j in [0, t[i]) step 1 {\ny[i, 0] += f32(j * j)\n}\n").wide, std::set<std::string>{"j"});
}

TEST(Reach, IsUnknownOfWhatIsShiftedByData) { EXPECT_EQ(reachOf("y[i, 0] = f32(shiftl(n, t[i]))\n"), "unknown"); }

/// What is computed with a value of 64 bits is.
TEST(Reach, NeedsNoBoundOfWhatIsOf64BitsInAnyCase) {
  EXPECT_NE(reachOf("y[big[i] * 3, 0] = 1.0f32\n"), "unknown");
  const DeviceKernel ends = kernelWith("for j in [0, big[i]) step 1 {\ny[i, 0] += f32(j * j)\n}\n");
  EXPECT_TRUE(ends.reach);
  EXPECT_EQ(ends.wide, std::set<std::string>{"j"});
}

TEST(Reach, OfAMaximumIsThatOfWhatBoundsIt) {
  const std::string reach = reachOf("y[max(0, min(t[i], n - 1)), 0] = 1.0f32\n");
  EXPECT_NE(reach, "unknown");
  EXPECT_FALSE(has(reach, "2147483648")) << reach;
}

/// Verification runs subscripts at small sizes, and sees what goes beyond.
TEST(Reach, IsVerified) {
  const auto faults = [](const std::string &reach) {
    const auto program =
        readDeviceText(head + "kernel f grid (i in [0, n) parallel) thread of 256 box ([0, n)) bytes 0 reach " + reach +
                       " {\nfor j in [0, m) step 1 {\ny[i, j] = x[i, j]\n}\n}\n");
    EXPECT_TRUE(program) << program.refusal().reason;
    Memory memory;
    memory.sizes = {{"n", 9}, {"m", 7}};
    std::string all;
    for (const std::string &fault : races(*program, memory, 100000)) all += fault + "\n";
    return all;
  };
  EXPECT_TRUE(has(faults("@`polymend_rt::bound`(1.0f64, n)"), "beyond what its integers reach")) << faults("1.0f64");
  EXPECT_EQ(faults("@`polymend_rt::bound`(2.0f64, n, m) + @`polymend_rt::bound`(2097152.0f64)"), "");
}
