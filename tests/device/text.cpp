// The text form reads back to an equal program.
#include "mapping.h"

using namespace polymend;

namespace {

std::string again(const std::string &text) {
  const Result<DeviceProgram> program = readDeviceText(text);
  EXPECT_TRUE(program) << program.refusal().reason;
  return program ? writeText(*program) : "";
}

} // namespace

TEST(DeviceText, ReadsBack) {
  const std::string text = R"(device f returns f32
size n, m
given 0 < n
scalar scale : f64
array x : f16[n, m] flat
array y : f32[n, m] flat written
work return : f32 written
entry estimate 2.0f64 * f64(n) times 3 little (n) below 64 of 128 {
  given
  extents x y
  elements y x
}
kernel k grid (i in [0, n) parallel) dynamic listed {
  row r : f32[m] written on heap
  row q : f32[i + 1] written on point
  tile s : f32[8] written on stack
  # a note\nof two lines
  for j in [0, m) step 8 unroll {
    let common = exp(f32(x[i, j]))
    r[j] = common
    fused r[j] += common * r[j]
  }
  if (i < 3) {
    transpose (a in [0, 8) parallel, b in [0, 8) parallel) {
      y[a, b] = y[b, a]
    }
  } else {
    multiply f32 sums (a in [0, 8) parallel, b in [0, 8) parallel, c in [0, 8) reduced) {
      y[a, b] += s[a] * s[c] by s[c]
    }
  }
  for j in [0, m) step 1 vector {
    y[i, j] = r[j] where j < i
  }
  fold f64 (j in [0, m) reduced) {
    return fmax= f64(r[j])
  }
}
kernel l grid () alone {
  return = 0.0f32
}
kernel o grid (i in [0, n) parallel) dynamic outermost turn floordiv(n, 1024) {
  y[i, 0] = 0.0f32
}
)";
  EXPECT_EQ(again(text), text);
}

/// A word that begins a statement may be an array's name all the same.
TEST(DeviceText, TellsStatementsFromArraysOfTheirName) {
  const std::string text = R"(device f
size let
array fold : f32[let] flat written
array multiply : f32 written
entry {}
kernel k grid () alone {
  fold[0] = 1.0f32
  multiply max= fold[0]
  multiply = 2.0f32
}
)";
  EXPECT_EQ(again(text), text);
}

TEST(DeviceText, SaysWhereItIsWrong) {
  const Result<DeviceProgram> program = readDeviceText("device f\nentry {}\nkernel k grid () nowhere {\n}\n");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.refusal().where.line, 3U);
  EXPECT_NE(program.refusal().reason.find("'nowhere' is not expected here"), std::string::npos);
}
