// Several turns of a loop over time in a launch: the same bits as turn by turn, and nothing where that is not shown.
#include "polymend/time_tiles.h"

#include "polymend/interpret.h"
#include "polymend/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

TileProgram programOf(const std::string &arrays, const std::string &body) {
  const std::string text = "program f\nsize steps, n\n" + arrays +
                           "kernel f grid () {\n  for t in [0, steps) step 1 {\n" + body + "  }\n}\n";
  const Result<TileProgram> program = readText(text);
  EXPECT_TRUE(program) << text << (program ? "" : program.refusal().reason);
  return program ? *program : TileProgram();
}

const std::string two = "array a : f64[n, n] flat written\narray b : f64[n, n] flat written\n";
const std::string inner = "i in [1, n - 1) parallel, j in [1, n - 1) parallel";

/// A sweep from one array to the other.
std::string sweep(const std::string &to, const std::string &from) {
  return "    points (" + inner + ") {\n      " + to + "[i, j] = 0.2f64 * (" + from + "[i, j] + " + from +
         "[i, j - 1] + " + from + "[i + 1, j] + " + from + "[i - 1, j + 1])\n    }\n";
}

const std::string thereAndBack = sweep("b", "a") + sweep("a", "b");

/// What the program leaves of arrays of n by n, each element another number; nothing where it cannot run.
std::vector<std::vector<double>> valuesAfter(const TileProgram &program, std::int64_t steps, std::int64_t n) {
  Memory memory;
  memory.sizes = {{"steps", steps}, {"n", n}};
  double value = 0.1;
  for (const TileArray &array : program.arrays) {
    if (array.space != Space::Argument) continue;
    std::vector<double> elements(static_cast<std::size_t>(n * n));
    for (double &element : elements) element = value = 3.9 * value * (1 - value);
    memory.arrays.emplace_back(array.name, elements);
  }
  std::vector<std::vector<double>> result;
  if (interpret(program, memory)) return result;
  for (const auto &[name, elements] : memory.arrays) result.push_back(elements);
  return result;
}

/// The sizes at which the two leave other bits.
std::vector<std::string> differences(const TileProgram &before, const TileProgram &after) {
  std::vector<std::string> found;
  for (const std::int64_t steps : {0, 1, 2, 3, 5, 8})
    for (const std::int64_t n : {1, 2, 3, 6, 11}) {
      const auto wanted = valuesAfter(before, steps, n);
      EXPECT_TRUE(n < 2 || !wanted.empty()) << "the source has no meaning";
      if (!wanted.empty() && wanted != valuesAfter(after, steps, n))
        found.push_back(std::to_string(steps) + " steps of " + std::to_string(n));
    }
  return found;
}

/// The program with small tiles, which leaves the same.
std::string tiled(const std::string &arrays, const std::string &body) {
  const TileProgram program = programOf(arrays, body);
  const auto small = withTimeTiles(program, {0, true});
  if (!small) return "";
  EXPECT_THAT(verify(*small), IsEmpty());
  EXPECT_THAT(differences(program, *small), IsEmpty());
  const std::string text = writeText(*small);
  const auto again = readText(text);
  EXPECT_TRUE(again && equal(*again, *small)) << text;
  return text;
}

} // namespace

TEST(TimeTiles, LeaveEveryBit) {
  const std::string text = tiled(two, thereAndBack);
  EXPECT_THAT(text, HasSubstr("shared"));
  EXPECT_THAT(text, Not(HasSubstr("work"))) << "the array that no turn keeps is where launches leave their results";
}

TEST(TimeTiles, OfUsualExtentsLeaveEveryBit) {
  const TileProgram program = programOf(two, thereAndBack);
  const auto usual = withTimeTiles(program, {72 * 1024});
  ASSERT_TRUE(usual);
  const auto wanted = valuesAfter(program, 11, 70);
  ASSERT_FALSE(wanted.empty());
  EXPECT_EQ(wanted, valuesAfter(*usual, 11, 70));
}

TEST(TimeTiles, KeepWhatEachTurnReadsOfTheLast) {
  const std::string fields = tiled(
      two,
      "    points (j in [0, n) parallel) {\n      b[0, j] = f64(t)\n    }\n"
      "    points (i in [1, n) parallel, j in [0, n) parallel) {\n      b[i, j] += a[i, j] * f64(i) - a[i - 1, j]\n"
      "    }\n    points (i in [0, n - 1) parallel, j in [1, n) parallel) {\n"
      "      a[i, j] += 0.3f64 * (b[i + 1, j] - b[i, j - 1])\n    }\n");
  EXPECT_THAT(fields, HasSubstr("work a_next"));
  EXPECT_THAT(fields, HasSubstr("work b_next"));
}

TEST(TimeTiles, ReadOtherArraysWhereTheyLie) {
  const std::string text =
      tiled(two + "array c : f64[n, n] flat\n",
            "    points (" + inner +
                ") {\n      b[i, j] = c[j, i] * a[i, j + 1] + c[n - 1, 0] * f64(t)\n    }\n    points (" + inner +
                ") {\n      a[i, j] = b[i, j]\n    }\n");
  EXPECT_THAT(text, Not(HasSubstr("c_tile")));
}

TEST(TimeTiles, TakeLinesOfTheirOwn) {
  tiled(two, thereAndBack + "    points (j in [0, n) parallel) {\n      a[0, j] = a[1, j] * 0.5f64\n    }\n"
                            "    points (i in [0, n) parallel) {\n      a[i, n - 1] = a[i, n - 2]\n    }\n");
  EXPECT_THAT(tiled("array u : f64[n] flat written\narray v : f64[n] flat written\n",
                    "    points (i in [1, n - 1) parallel) {\n      v[i] = u[i - 1] + u[i + 1]\n    }\n"
                    "    points (i in [1, n - 1) parallel) {\n      u[i] = v[i]\n    }\n    u[0] = u[1]\n"),
              HasSubstr("shared"));
}

TEST(TimeTiles, AreOfNothingElse) {
  const auto region = [](const std::string &dims, const std::string &assign) {
    return "    points (" + dims + ") {\n      " + assign + "\n    }\n";
  };
  for (const std::string &body :
       {region(inner, "b[i, j] = a[j, i]") + sweep("a", "b"),                                      // transposed
        region(inner, "b[i, j] = a[i, 0]") + sweep("a", "b"),                                      // no distance
        region(inner, "b[i, j] = a[i, n - 1 - j]") + sweep("a", "b"),                              // mirrored
        region(inner, "b[i, j] = a[i, j] where j < i") + sweep("a", "b"),                          // at some points
        region(inner, "b[i, j] = select(j < i, a[i, j - 1], 0.0f64)") + sweep("a", "b"),           // read at some
        region("i in [1, n - 1) parallel, j in [1, i) parallel", "b[i, j] = a[i, j]"),             // a triangle
        region("i in [1, n - 1) parallel, j in [1, min(n, t)) parallel", "b[i, j] = a[i, j - 1]"), // grows with time
        region("j in [1, n - 1) parallel", "a[t, j] = a[t, j - 1]")})                              // time in space
    EXPECT_THAT(tiled(two, body), IsEmpty()) << body;
}

/// Tiles larger by one turn's reach at one side are not right without it.
TEST(TimeTiles, NeedAllThatLiesAround) {
  const TileProgram program = programOf(two, thereAndBack);
  const std::string text = writeText(*withTimeTiles(program, {0, true}));
  const std::string loaded = "points (i_point in [max(0, ";
  const auto at = text.find(loaded);
  ASSERT_NE(at, std::string::npos) << text;
  std::string late = text;
  late.replace(at, loaded.size(), "points (i_point in [max(1, ");
  const auto wrong = readText(late);
  ASSERT_TRUE(wrong);
  EXPECT_THAT(differences(program, *wrong), Not(IsEmpty()));
}
