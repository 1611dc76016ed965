// The text form: every kind of node, operation and type survives writing and reading; faults are refused with a place.
#include "chain.h"
#include "polymend/verify.h"

#include <limits>

using namespace polymend;

namespace {

TileProgram withValue(const Expr &value) {
  TileProgram p;
  p.function = "f";
  p.sizes = {"n"};
  p.scalars = {{"s", Type::Float32}};
  p.arrays = {{"x", Type::Float64, {Expr::symbol("n", Type::Int64)}, Space::Argument, true, true}};
  Kernel k;
  k.name = "k";
  k.body = {TileAssign{{"x", {Expr::integer(0)}}, Update::Set, value, {}}};
  p.kernels = {k};
  return p;
}

void expectRoundTrip(const TileProgram &p) {
  const std::string text = writeText(p);
  const Result<TileProgram> back = readText(text);
  ASSERT_TRUE(back) << back.refusal().reason << " at line " << back.refusal().where.line << " of\n" << text;
  EXPECT_TRUE(equal(*back, p)) << text << "became\n" << writeText(*back);
}

TEST(TileText, EveryOperationOfEveryType) {
  const Expr n = Expr::symbol("n", Type::Int64), s = Expr::symbol("s", Type::Float32);
  const Expr d = Expr::real(0.1, Type::Float64);
  for (int op = static_cast<int>(Op::Neg); op <= static_cast<int>(Op::Cast); ++op) {
    const auto o = static_cast<Op>(op);
    if (o == Op::Call) continue;
    const bool unary = o == Op::Neg || (o >= Op::Exp && o <= Op::Trunc) || o == Op::Not || o == Op::Cast;
    for (const Type type :
         {Type::Bool, Type::Int32, Type::Int64, Type::Float16, Type::BFloat16, Type::Float32, Type::Float64}) {
      for (const Expr &a : {n, s, d}) {
        std::vector<Expr> args{a};
        if (!unary) args.push_back(s);
        if (o == Op::Select) args.push_back(d);
        expectRoundTrip(withValue(Expr::make(o, type, args)));
        expectRoundTrip(withValue(Expr::make(Op::Neg, {Expr::make(o, type, args)})));
      }
    }
  }
}

TEST(TileText, PrecedenceIsKept) {
  const Expr a = Expr::symbol("a", Type::Int64), b = Expr::symbol("b", Type::Int64), c = Expr::symbol("c", Type::Int64);
  for (const Op outer : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Lt, Op::Eq, Op::And, Op::Or})
    for (const Op inner : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Le, Op::Ne, Op::And, Op::Or}) {
      expectRoundTrip(withValue(Expr::make(outer, {Expr::make(inner, {a, b}), c})));
      expectRoundTrip(withValue(Expr::make(outer, {a, Expr::make(inner, {b, c})})));
      expectRoundTrip(withValue(Expr::make(Op::Not, {Expr::make(inner, {b, c})})));
    }
}

TEST(TileText, NumbersAreExact) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {0.0, -0.0, 0.1, 1.0 / 3, -1e-310, 5e-324, 1.7976931348623157e308, infinity, -infinity,
                             std::numeric_limits<double>::quiet_NaN(), 16777217.0})
    for (const Type type : {Type::Float16, Type::BFloat16, Type::Float32, Type::Float64}) {
      expectRoundTrip(withValue(Expr::real(value, type)));
      expectRoundTrip(withValue(Expr::make(Op::Neg, {Expr::real(value, type)})));
    }
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-7}, std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min()})
    for (const Type type : {Type::Bool, Type::Int32, Type::Int64, Type::Float32}) {
      expectRoundTrip(withValue(Expr::integer(value, type)));
      expectRoundTrip(withValue(Expr::make(Op::Sub, {Expr::integer(1), Expr::integer(value, type)})));
    }
}

TEST(TileText, NamesThatAreWords) {
  for (const char *name : {"for", "max", "f32", "parallel", "a b", "tick`\\s", "", "inf", "9lives", "return"}) {
    TileProgram p = withValue(Expr::symbol(name, Type::Int32));
    p.function = name;
    p.kernels[0].name = name;
    p.kernels[0].body.emplace_back(TileAssign{{name, {}}, Update::FMin, Expr::read(name, {}, Type::Float16), {}});
    p.kernels[0].body.emplace_back(TileAssign{{name, {}}, Update::Max, Expr::call(name, {}, Type::Float64), {}});
    expectRoundTrip(p);
  }
}

TEST(TileText, EveryNode) {
  const Expr n = Expr::symbol("n", Type::Int64), zero = Expr::integer(0), i = Expr::symbol("i", Type::Int64);
  TileProgram p = withValue(n);
  p.returns = Type::Float32;
  p.arrays.push_back({"open", Type::BFloat16, {Expr(), n}, Space::Argument, true, false});
  p.arrays.push_back({"part", Type::Float32, {n, n}, Space::Work, false, true});
  Kernel k;
  k.name = "second";
  k.grid = {{"g", zero, n, PointDim::Kind::Parallel}};
  k.tiles = {{"t", Type::Float32, {Expr::integer(4)}, Space::Thread, false, false},
             {"r", Type::Int32, {n}, Space::Row, false, true}};
  TilePoints points;
  points.dims = {{"i", zero, n, PointDim::Kind::Parallel},
                 {"j", i, n, PointDim::Kind::Reduced},
                 {"l", zero, i, PointDim::Kind::Serial}};
  for (const Update u :
       {Update::Set, Update::Sum, Update::Product, Update::Max, Update::Min, Update::FMax, Update::FMin})
    points.body.push_back({{"t", {i}}, u, Expr::read("r", {i}, Type::Int32), Expr::make(Op::Lt, {i, n})});
  TileLoop loop{"J", zero, n, 7, TileLoop::Kind::Unroll, {std::make_shared<const TilePoints>(points)}};
  TileBranch branch{
      Expr::make(Op::Eq, {n, zero}), {TileNote{"line one\nline \\n two \r"}}, {TileNote{""}, TileNote{"  x "}}};
  k.body = {std::make_shared<const TileLoop>(loop), std::make_shared<const TileBranch>(branch), TileNote{"a # b"}};
  p.kernels.push_back(k);
  expectRoundTrip(p);
  expectRoundTrip(TileProgram{});
}

TEST(TileText, DifferencesAreSeen) {
  const TileProgram p = withValue(Expr::real(1, Type::Float32));
  EXPECT_FALSE(equal(p, withValue(Expr::real(1, Type::Float64))));
  TileProgram other = p;
  other.arrays[0].flat = false;
  EXPECT_FALSE(equal(p, other));
  other = p;
  other.kernels[0].body.emplace_back(TileNote{"more"});
  EXPECT_FALSE(equal(p, other));
}

/// A block of every kind of node, loops and roles nested `depth` deep, numbers and names drawn from `seed`.
TileBlock drawnBlock(unsigned &seed, int depth) {
  const auto draw = [&](std::size_t count) { return ((seed = seed * 1664525U + 1013904223U) >> 16) % count; };
  const std::vector<std::string> names{"x", "get", "role", "ring", "order", "b c", "copy", "points", ""};
  const auto name = [&] { return names[draw(names.size())]; };
  const Expr e = Expr::symbol(name(), Type::Int64), zero = Expr::integer(0);
  TileBlock block;
  for (std::size_t length = draw(5); length > 0; --length) {
    const TilePoints points{{{name(), zero, e, PointDim::Kind::Parallel}}, {{{name(), {e}}, Update::Sum, e, {}}}};
    switch (draw(6)) {
    case 0: block.emplace_back(TileSync{static_cast<TileSync::Kind>(draw(4)), name()}); break;
    case 1:
      block.emplace_back(
          std::make_shared<const TileAsync>(TileAsync{static_cast<TileAsync::Kind>(draw(2)), name(), points}));
      break;
    case 2: block.emplace_back(std::make_shared<const TilePoints>(points)); break;
    case 3: block.emplace_back(TileNote{name()}); break;
    default:
      if (depth == 0) break;
      block.emplace_back(std::make_shared<const TileLoop>(
          TileLoop{name(), zero, e, 2, TileLoop::Kind::Serial, drawnBlock(seed, depth - 1)}));
      block.emplace_back(
          std::make_shared<const TileBranch>(TileBranch{e, drawnBlock(seed, depth - 1), drawnBlock(seed, depth - 1)}));
    }
  }
  return block;
}

TEST(TileText, RolesAndTheirWaits) {
  expectRoundTrip(tests::readProgram(tests::roleChain));
  for (unsigned seed = 0; seed < 300; ++seed) {
    unsigned state = seed;
    Kernel k;
    k.name = "order";
    k.tiles = {{"shared", Type::BFloat16, {Expr::integer(8)}, Space::Shared, false, false, 3},
               {"fragment", Type::Float32, {Expr::integer(64)}, Space::Fragment, false, false, 1}};
    k.body = drawnBlock(state, 2);
    for (unsigned r = 0; r < seed % 3; ++r)
      k.roles.push_back(
          {r == 0 ? "a" : "groups", static_cast<int>(r), static_cast<int>(seed % 2), drawnBlock(state, 2)});
    if (seed % 2 == 1) k.lets = {{"half", Expr::integer(4)}, {"let", Expr::symbol("half", Type::Int64)}};
    if (seed % 4 == 1)
      k.order = {"t",
                 {{"twice", Expr::integer(2) * Expr::symbol("t", Type::Int64)}},
                 Expr::integer(3),
                 {Expr::symbol("t", Type::Int64), Expr::integer(1)}};
    TileProgram p;
    p.function = "f";
    p.kernels = {k};
    expectRoundTrip(p);
    EXPECT_FALSE(verify(p).empty());
  }
}

/// Layouts over threads and over bytes, with copies, parts and a swizzle, of axes without digits.
TEST(TileText, Layouts) {
  constexpr auto r = Digit::To::Register, l = Digit::To::Lane, w = Digit::To::Warp, g = Digit::To::Group,
                 b = Digit::To::Byte;
  const std::vector<std::pair<TileLayout, std::string>> all{
      {{{{{8, l, 4}, {2, r, 2}, {4, w, 1}}, {{2, r, 1}, {4, l, 1}, {10, r, 4}}}, {}, {}, {}},
       "<8l4 2r2 4w1 | 2r1 4l1 10r4>"},
      {{{{{8, l, 4}, {3, g, 1}}}, {{4, l, 1}}, {}, {}}, "<8l4 3g1 ~ 4l1>"},
      {{{{{8, l, 4}}}, {{2, w, 1}}, {{4, l, 1}, {2, w, 2}}, {}}, "<8l4 ~ 2w1 + 4l1 2w2>"},
      {{{{{128, b, 128}}, {{64, b, 2}, {2, b, 16384}}}, {}, {}, {1, 2, 4}}, "<128b128 | 64b2 2b16384 ^ 1 2 4>"},
      {{{{}, {{2, r, 1}}, {}}, {}, {}, {}}, "<| 2r1 |>"},
      {{{{}}, {}, {}, {}}, "<>"}};
  for (const auto &[layout, text] : all) {
    EXPECT_EQ(show(layout), text);
    TileProgram p = tests::readProgram(tests::roleChain);
    TileArray &tile = p.kernels[0].tiles[0];
    tile.layout = layout;
    expectRoundTrip(p);
    EXPECT_NE(writeText(p).find("shared Q : f32[64, 4] " + text + "\n"), std::string::npos) << writeText(p);
    TileProgram other = p;
    other.kernels[0].tiles[0].layout.axes.front().push_back({2, r, 64});
    EXPECT_FALSE(equal(p, other));
    EXPECT_FALSE(verify(p).empty());
  }
}

/// A text may spell a layout in more digits than it has.
TEST(TileText, LayoutsAreReadInNormalForm) {
  const auto of = [](const std::string &layout) {
    return tests::readProgram("program f kernel k grid () { fragment a : f32[64, 16] " + layout + " }")
        .kernels[0]
        .tiles[0]
        .layout;
  };
  EXPECT_EQ(of("<8l4 2r2 4w1 | 2r1 4l1 2r4>"), of("<2l4 4l8 2r2 1g1 4w1 | 2r1 2l1 2l2 2r4>"));
  EXPECT_NE(of("<8l4 2r2 4w1 | 2r1 4l1 2r4>"), of("<8l4 2r2 4w1 | 2r1 2l1 2l4 2r4>"));
}

TEST(TileText, PartsOfWiderArraysAndWhatTheyRestOn) {
  const std::string text = "program f\nsize n, pitch\ngiven 0 <= pitch - n\n"
                           "array given : f32[n, pitch] flat used [n, n]\narray used : f32[n] written\n";
  const TileProgram p = tests::readProgram(text);
  ASSERT_TRUE(p.given);
  EXPECT_EQ(p.arrays[0].used.size(), 2U);
  EXPECT_TRUE(p.arrays[1].used.empty());
  EXPECT_EQ(writeText(p), text);
  expectRoundTrip(p);
  TileProgram other = p;
  other.arrays[0].used[1] = Expr::integer(3);
  EXPECT_FALSE(equal(p, other));
  other = p;
  other.given = {};
  EXPECT_FALSE(equal(p, other));
}

TEST(TileText, DifferencesOfRolesAreSeen) {
  const TileProgram p = tests::readProgram(tests::roleChain);
  const std::vector<std::function<void(Kernel &)>> changes{[](Kernel &k) { k.roles[0].name = "other"; },
                                                           [](Kernel &k) { k.roles[0].groups = 2; },
                                                           [](Kernel &k) { k.roles[1].registers = 0; },
                                                           [](Kernel &k) { k.roles[1].body.pop_back(); },
                                                           [](Kernel &k) { k.roles.pop_back(); },
                                                           [](Kernel &k) { k.order.reset(); },
                                                           [](Kernel &k) { k.order->ticket = "u"; },
                                                           [](Kernel &k) { k.order->count = Expr::integer(1); },
                                                           [](Kernel &k) { k.order->at.clear(); },
                                                           [](Kernel &k) { k.tiles[1].ring = 3; },
                                                           [](Kernel &k) { k.lets = {{"named", Expr::integer(1)}}; }};
  for (const auto &change : changes) {
    TileProgram other = p;
    change(other.kernels[0]);
    EXPECT_FALSE(equal(p, other));
    expectRoundTrip(other);
  }
}

TEST(TileText, FaultsHaveAPlace) {
  for (const char *text : {"program",
                           "program p kernel k",
                           "program p\nkernel k grid () {",
                           "program p array a f32",
                           "program p kernel k grid () { a = }",
                           "program p kernel k grid () { a = 1.5 }",
                           "program p $",
                           "program p kernel k grid () { a = exp(1, 2) }",
                           "program p kernel k grid () { a = 99999999999999999999 }",
                           "program p kernel k grid (i in [0, 1) sideways) { }",
                           "program `p",
                           "program p } ",
                           "program p kernel k grid () { role r { } }",
                           "program p kernel k grid () { role r groups 1 { } a = 1 }",
                           "program p kernel k grid () { get }",
                           "program p kernel k grid () order t in [1, 2) -> () { }",
                           "program p kernel k grid () { copy a }",
                           "program p array a : f32 ring 99999999999",
                           "program p array a : f32 <",
                           "program p array a : f32 <8l4",
                           "program p array a : f32 <8x4>",
                           "program p array a : f32 <8>",
                           "program p array a : f32 <8l4 ^ a>",
                           "program p array a : f32 <0l4>",
                           "program p array a : f32 <8l4 | 1.5r1>",
                           "program p kernel k grid () conversions 1 { }",
                           "program p kernel k grid () { combine }"}) {
    const Result<TileProgram> p = readText(text);
    ASSERT_FALSE(p) << text;
    EXPECT_GT(p.refusal().where.line, 0U);
    EXPECT_FALSE(p.refusal().reason.empty());
  }
  std::string deep = "program p kernel k grid () { a = ";
  for (int i = 0; i < 100000; ++i) deep += "(";
  EXPECT_FALSE(readText(deep));
  std::string minuses = "program p kernel k grid () { a = ";
  for (int i = 0; i < 100000; ++i) minuses += "- ";
  EXPECT_FALSE(readText(minuses + "a }"));
}

} // namespace
