// The interpreter and the verifier: values against sums done by hand, rounding to element types, and every fault found.
#include "polymend/interpret.h"
#include "polymend/element_types.h"
#include "polymend/tile.h"
#include "polymend/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace polymend;
using testing::HasSubstr;

namespace {

TileProgram read(const std::string &text) {
  const Result<TileProgram> p = readText(text);
  EXPECT_TRUE(p) << (p ? "" : p.refusal().reason);
  return p ? *p : TileProgram{};
}

constexpr const char *running = R"(program f
size n
array x : f32[n] written
array y : f32[n] written
kernel k grid () {
  points (i in [0, n) parallel, j in [0, i + 1) reduced) {
    y[i] += x[j] where j != 1
  }
  for i in [1, n) step 1 {
    x[i] = x[i - 1] * 2.0f32
  }
})";

TEST(Interpret, LoopsAndGuards) {
  Memory m{{{"n", 4}}, {}, {{"x", {1, 2, 3, 4}}, {"y", {0, 0, 0, 100}}}};
  ASSERT_EQ(interpret(read(running), m), std::nullopt);
  EXPECT_EQ(m.arrays[1].second, (std::vector<double>{1, 1, 4, 108}));
  EXPECT_EQ(m.arrays[0].second, (std::vector<double>{1, 2, 4, 8}));
}

TEST(Interpret, BitsAreThoseOfTwosComplement) {
  const TileProgram p = read(R"(program f
array a : i64[5] written
kernel k grid () {
  a[0] = bitand(-4, 7)
  a[1] = bitor(-8, 3)
  a[2] = bitxor(-1, 12)
  a[3] = shiftl(-3, 4)
  a[4] = shiftr(-3, 1)
})");
  Memory m{{}, {}, {{"a", {0, 0, 0, 0, 0}}}};
  ASSERT_EQ(interpret(p, m), std::nullopt);
  EXPECT_EQ(m.arrays[0].second, (std::vector<double>{4, -5, -13, -48, -2}));
}

TEST(Interpret, AnIntThatOverflowsHasNoValueInTheSource) {
  const TileProgram p = read("program f\nsize n\narray a : i32[1] written\nkernel k grid () {\n"
                             "  a[0] = (n * 65536):i32\n}");
  for (const std::int64_t n : {32767, 32768}) {
    Memory m{{{"n", n}}, {}, {{"a", {0}}}}, other = m;
    EXPECT_EQ(interpret(p, m), std::nullopt);
    EXPECT_EQ(interpretSource(p, other).value_or(""), n == 32768 ? "an int overflows" : "");
  }
}

TEST(Interpret, ScalarsOfIntegerTypesAreIntegers) {
  const TileProgram p = read(R"(program f
scalar mask : i32
scalar by : i64
array a : i64[2] written
kernel k grid () {
  a[0] = bitxor(mask, 12)
  a[1] = 7 / by
})");
  Memory m{{}, {{"mask", 10}, {"by", 2}}, {{"a", {0, 0}}}};
  ASSERT_EQ(interpret(p, m), std::nullopt);
  EXPECT_EQ(m.arrays[0].second, (std::vector<double>{6, 3}));
}

TEST(Interpret, NothingIsShiftedByMoreThanAWord) {
  const TileProgram p =
      read("program f\nsize n\narray a : i64[1] written\nkernel k grid () {\n  a[0] = shiftl(1, n)\n}");
  Memory m{{{"n", 64}}, {}, {{"a", {0}}}};
  EXPECT_THAT(interpret(p, m).value_or(""), HasSubstr("an integer is shifted by 64"));
}

TEST(Interpret, RoundsToTheElementType) {
  const TileProgram p = read(R"(program f
array a : f32 written
array b : bf16 written
array c : f16 written
array d : f32 written
kernel k grid () {
  a = f64(1.0f32) / 3.0f64
  b = 1.00390625f32
  c = 100000.0f32
  d = (16777216.0f32 + 1.0f32) + 1.0f32
})");
  Memory m{{}, {}, {{"a", {0}}, {"b", {0}}, {"c", {0}}, {"d", {0}}}};
  ASSERT_EQ(interpret(p, m), std::nullopt);
  EXPECT_EQ(m.arrays[0].second[0], static_cast<double>(static_cast<float>(1.0 / 3)));
  EXPECT_EQ(m.arrays[1].second[0], 1.0);
  EXPECT_EQ(m.arrays[2].second[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(m.arrays[3].second[0], 16777216.0);
}

TEST(Interpret, NarrowTypes) {
  EXPECT_EQ(roundTo(Type::Float16, 65519.0), 65504.0);
  EXPECT_EQ(roundTo(Type::Float16, 65520.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(roundTo(Type::Float16, std::ldexp(1.0, -25)), 0.0);
  EXPECT_EQ(roundTo(Type::Float16, std::ldexp(1.5, -25)), std::ldexp(1.0, -24));
  EXPECT_EQ(roundTo(Type::BFloat16, 1.01171875), 1.015625);
  EXPECT_EQ(roundTo(Type::BFloat16, std::ldexp(1.0, -133)), std::ldexp(1.0, -133));
  EXPECT_EQ(roundTo(Type::BFloat16, std::ldexp(1.0, -134)), 0.0);
  for (int i = -30000; i < 30000; i += 7)
    EXPECT_EQ(roundTo(Type::Float16, i / 7.0), static_cast<double>(static_cast<_Float16>(i / 7.0)));
}

TEST(Interpret, ComparisonsKeepNaNAsTheSourceDoes) {
  const TileProgram p = read(R"(program f
array x : f32[3]
array m : f32[3] written
kernel k grid () {
  points (i in [0, 3) reduced) {
    m[0] max= x[i]
    m[1] fmax= x[i]
    m[2] min= x[i]
  }
})");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Memory m{{}, {}, {{"x", {1, nan, 2}}, {"m", {0, nan, nan}}}};
  ASSERT_EQ(interpret(p, m), std::nullopt);
  EXPECT_EQ(m.arrays[1].second[0], 2.0);
  EXPECT_EQ(m.arrays[1].second[1], 2.0);
  EXPECT_TRUE(std::isnan(m.arrays[1].second[2]));
}

TEST(Interpret, AccessesAreChecked) {
  const TileProgram p =
      read("program f size n array x : f32[n] written kernel k grid (i in [0, n + 1) parallel) { x[i] = 1.0f32 }");
  Memory m{{{"n", 2}}, {}, {{"x", {0, 0}}}};
  EXPECT_THAT(interpret(p, m).value_or(""), HasSubstr("'x' is accessed at 2"));
  Memory shorter{{{"n", 2}}, {}, {{"x", {0}}}};
  EXPECT_THAT(interpret(p, shorter).value_or(""), HasSubstr("too short"));
  Memory none{{{"n", 2}}, {}, {}};
  EXPECT_THAT(interpret(p, none).value_or(""), HasSubstr("no argument 'x'"));
}

TEST(Interpret, ReturnsAndFreshTiles) {
  const TileProgram p = read(R"(program f returns f32
work `return` : f32
work fresh : f32
kernel k grid () {
  `return` = select(fresh[] == fresh[], 1.0f32, 7.0f32)
})");
  Memory m;
  ASSERT_EQ(interpret(p, m), std::nullopt);
  ASSERT_EQ(m.arrays.size(), 1U);
  EXPECT_EQ(m.arrays[0].second, std::vector<double>{7});
}

struct Fault {
  const char *text, *message;
};

class Verify : public testing::TestWithParam<Fault> {};

TEST_P(Verify, Finds) {
  const std::vector<std::string> found = verify(read(GetParam().text));
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found.front(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Faults, Verify,
    testing::Values(
        Fault{"program f kernel k grid () { a = 1.0f32 }", "no array 'a'"},
        Fault{"program f array a : f32 kernel k grid () { a = 1.0f32 }", "not declared written"},
        Fault{"program f work a : f32[4] kernel k grid () { a = 1.0f32 }", "dimensions"},
        Fault{"program f work a : f32 kernel k grid () { a = s }", "declared nowhere"},
        Fault{"program f size n kernel k grid () { tile t : f32[n] }", "symbolic"},
        Fault{"program f kernel k grid () { tile t : f32[0] }", "empty"},
        Fault{"program f size n array n : f32 kernel k grid () { }", "declared twice"},
        Fault{"program f size n kernel k grid (n in [0, 2) parallel) { }", "declared twice"},
        Fault{"program f kernel k grid (i in [0, 2) reduced) { }", "not parallel"},
        Fault{"program f kernel k grid () { for i in [0, 2) step 0 { } }", "step"},
        Fault{"program f kernel k grid (i in [j, 2) parallel) { }", "no size or loop variable"},
        Fault{"program f array r : i32[4] written kernel k grid (i in [0, r[0]) parallel) { r[i] = 0 }",
              "reads 'r', which is written"},
        Fault{"program f array r : i32[4] written kernel k grid (i in [0, 4) parallel) { r[r[i]] = 0 }",
              "reads 'r', which is written"},
        Fault{"program f array r : i32[4] written kernel k grid () { for i in [0, r[0]) step 1 { r[i] = 0 } }",
              "reads 'r', which is written"},
        Fault{"program f work a : f32[4] kernel k grid () { a[1.0f32] = 1.0f32 }", "not an integer"},
        Fault{"program f work a : f32 kernel k grid () { points (i in [0, 4) reduced) { a = 1.0f32 } }", "overwritten"},
        Fault{"program f returns f32 kernel k grid () { }", "return"},
        Fault{"program f kernel k grid () { } kernel k grid () { }", "two kernels"},
        Fault{"program f tile a : f32", "wrong space"}));

TEST(Verify, AcceptsSiblingsOfOneName) {
  EXPECT_TRUE(
      verify(
          read("program f work a : f32[4] kernel k grid () { for i in [0, 4) step 1 { a[i] = 0.0f32 } for i in [0, 4) "
               "step 1 { a[i] = 0.0f32 } } kernel l grid (i in [0, 4) parallel) { tile t : f32 t = 1.0f32 }"))
          .empty());
}

} // namespace
