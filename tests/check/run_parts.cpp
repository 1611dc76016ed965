// The parts of the side-by-side run: promotion of text, element types, shapes, data.
#include "check/run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace polymend;

namespace {

const Expr n = Expr::symbol("n", Type::Int32), m = Expr::symbol("m", Type::Int32);
const Expr i = Expr::symbol("i", Type::Int32), j = Expr::symbol("j", Type::Int32);

std::shared_ptr<const Loop> loop(const char *variable, Expr first, Expr limit, Body body) {
  return std::make_shared<const Loop>(Loop{variable, variable, first, limit, 1, std::move(body), {}});
}

std::shared_ptr<const Assign> assign(const char *target, std::vector<Expr> subscripts, Expr value) {
  return std::make_shared<const Assign>(Assign{target, std::move(subscripts), value, {}});
}

Array pointer(const char *name, Type type = Type::Float32) {
  Array array;
  array.name = name;
  array.type = type;
  array.extents = {Expr()};
  array.storage = Array::Storage::Parameter;
  array.flat = true;
  return array;
}

CheckedFunction described(std::vector<Array> arrays, Body body) {
  CheckedFunction checked;
  checked.function.name = "f";
  checked.function.parameters = {{"n", Type::Int32, false}, {"m", Type::Int32, false}};
  checked.function.sizes = {"n", "m"};
  checked.function.arrays = std::move(arrays);
  checked.function.body = std::move(body);
  return checked;
}

} // namespace

TEST(Promote, MakesEveryFloatingTypeWide) {
  const std::string text = promote("float f(const __bf16 *x, _Float16 y) { double z = expf(x[0]); return float(z); }");
  EXPECT_NE(text.find("polymend_wide f(const polymend_wide *x, polymend_wide y) { polymend_wide z = exp(x[0]); return "
                      "polymend_wide(z); }"),
            std::string::npos)
      << text;
}

TEST(Promote, TakesTheWideTypeThatIsAskedFor) {
  EXPECT_NE(promote("float x;").find("using polymend_wide = long double;"), std::string::npos);
  EXPECT_NE(promote("float x;", "double").find("using polymend_wide = double;"), std::string::npos);
}

TEST(Promote, WrapsFloatingLiteralsOnly) {
  const std::string text = promote("0.5f + 1e-5 + .5 + 0x1p-3f + 0xff + 1'000 + 3 + a.b + 7u");
  EXPECT_NE(
      text.find(
          "polymend_wide(0.5f) + polymend_wide(1e-5) + polymend_wide(.5) + polymend_wide(0x1p-3f) + 0xff + 1'000 + 3 "
          "+ a.b + 7u"),
      std::string::npos)
      << text;
}

TEST(Promote, LeavesCommentsStringsAndDirectives) {
  const std::string source =
      "#include <float.h>\n// float 1.0\n/* double 2.0 */ const char *s = \"float\\\"3.0\"; long double w; floats f;";
  EXPECT_NE(promote(source).find(source), std::string::npos);
}

TEST(Numbers, AgreeWithTheCompilersHalf) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    _Float16 half;
    std::memcpy(&half, &pattern, 2);
    std::byte bytes[2];
    std::memcpy(bytes, &pattern, 2);
    const long double value = load(bytes, Type::Float16);
    if (std::isnan(static_cast<float>(half))) {
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    ASSERT_EQ(value, static_cast<float>(half)) << bits;
    store(bytes, Type::Float16, value);
    ASSERT_EQ(std::memcmp(bytes, &pattern, 2), 0) << bits;
  }
}

TEST(Numbers, RoundAsTheCompilerRounds) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 100000; ++k) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, 4);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(rounded(value, Type::Float16), static_cast<float>(static_cast<_Float16>(value))) << value;
    const std::uint32_t up = bits + 0x7fff + ((bits >> 16) & 1);
    const auto top = static_cast<std::uint16_t>(up >> 16);
    std::byte bytes[2];
    store(bytes, Type::BFloat16, value);
    ASSERT_EQ(std::memcmp(bytes, &top, 2), 0) << value;
  }
}

TEST(Shapes, BoundFlatArraysFromTheirSubscripts) {
  const Expr subscript = (i * m + j) * Expr::integer(4) + Expr::integer(2);
  Array in = pointer("a"), out = pointer("b");
  const CheckedFunction checked = described(
      {in, out},
      {loop("i", Expr::integer(0), n,
            {loop("j", Expr::integer(0), m, {assign("b", {i}, Expr::read("a", {subscript}, Type::Float32))})})});
  const auto found = shapes(checked, {{"n", 3}, {"m", 5}});
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)[0].count(), (2 * 5 + 4) * 4 + 3);
  EXPECT_TRUE((*found)[0].read);
  EXPECT_FALSE((*found)[0].written);
  EXPECT_EQ((*found)[1].count(), 3);
  EXPECT_TRUE((*found)[1].written);
  EXPECT_EQ((*shapes(checked, {{"n", 0}, {"m", 5}}))[0].count(), 0);
}

TEST(Shapes, UseExtentsFoundBehindAPointer) {
  Array in = pointer("a");
  in.extents = {Expr::integer(8), n, Expr::integer(64)};
  const CheckedFunction checked = described({in}, {});
  EXPECT_EQ((*shapes(checked, {{"n", 3}, {"m", 1}}))[0].count(), 8 * 3 * 64);
}

TEST(Shapes, PoisonWhatLiesBeyondTheReach) {
  Array grid = pointer("a");
  grid.flat = false;
  grid.extents = {Expr::integer(4), Expr::integer(6)};
  const CheckedFunction checked = described(
      {grid}, {loop("i", Expr::integer(0), n,
                    {loop("j", Expr::integer(0), m, {assign("a", {i, j}, Expr::read("a", {i, j}, Type::Float32))})})});
  const Sizes sizes{{"n", 2}, {"m", 3}};
  const auto found = shapes(checked, sizes);
  ASSERT_TRUE(found);
  const Data data = makeData(checked, sizes, *found, {}, 1);
  ASSERT_EQ((*found)[0].extents, (std::vector<std::int64_t>{2, 6}));
  EXPECT_EQ((*found)[0].spare, 2 * 6);
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 6; ++c)
      EXPECT_EQ(std::isnan(data.arrays[0][static_cast<std::size_t>(6 * r + c)]), c >= 3) << r << "," << c;
  const auto tooLarge = shapes(checked, {{"n", 5}, {"m", 3}});
  ASSERT_FALSE(tooLarge);
  EXPECT_EQ(tooLarge.refusal().reason, "the source leaves 'a' at these sizes");
}

TEST(Shapes, GiveIndexArraysTheirRange) {
  Array index = pointer("t", Type::Int32);
  const Expr inner = Expr::read("t", {i}, Type::Int32);
  CheckedFunction checked =
      described({index, pointer("z"), pointer("o")},
                {loop("i", Expr::integer(0), n, {assign("o", {i}, Expr::read("z", {inner}, Type::Float32))})});
  const auto found = shapes(checked, {{"n", 7}, {"m", 4}});
  ASSERT_TRUE(found);
  ASSERT_TRUE((*found)[0].range);
  EXPECT_EQ((*found)[0].range->high(), 3);
  EXPECT_EQ((*found)[1].count(), 4);
  EXPECT_FALSE(shapes(checked, {{"n", 7}, {"m", 0}}));
  checked.ranges = {{"t", Expr::integer(2), n + m}};
  EXPECT_EQ((*shapes(checked, {{"n", 7}, {"m", 4}}))[0].range->high(), 10);
  const Data data = makeData(checked, {{"n", 7}, {"m", 4}}, *shapes(checked, {{"n", 7}, {"m", 4}}), {}, 3);
  for (long double value : data.arrays[0]) EXPECT_TRUE(value >= 2 && value <= 10);
}

TEST(Data, IsNeverZeroAndHoldsWhatItsKindSays) {
  Array in = pointer("a");
  in.extents = {n, m};
  const CheckedFunction checked =
      described({in}, {loop("i", Expr::integer(0), n * m, {assign("s", {}, Expr::read("a", {i}, Type::Float32))})});
  const Sizes sizes{{"n", 40}, {"m", 50}};
  const auto found = *shapes(checked, sizes);
  for (const DataKind &kind : dataKinds(found)) {
    const Data data = makeData(checked, sizes, found, kind, 11);
    int zeros = 0, infinite = 0, nans = 0;
    for (long double value : data.arrays[0]) {
      zeros += value == 0;
      infinite += std::isinf(value);
      nans += std::isnan(value);
    }
    using Value = DataKind::Value;
    EXPECT_EQ(zeros > 0, kind.value == Value::ZeroRows) << kind.name;
    EXPECT_EQ(nans > 0, kind.value == Value::NaN) << kind.name;
    EXPECT_EQ(infinite > 0, kind.value == Value::MinusInfinity || kind.value == Value::MinusInfinityRows ||
                                kind.value == Value::PlusInfinity)
        << kind.name;
  }
}
