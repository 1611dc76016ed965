// Work is estimated, not proved: it decides whether threads are worth their start, never a value. A statement takes its
// operations, functions and divisions counted by what they cost, times the extents of the box around its domain. A loop
// whose bounds other loops move counts half, as in a triangle, or the constant that it never goes beyond.
// One whose bounds are read from arrays, or that data alone end, counts as short. What a compiler does in vectors costs
// a part of that: maps, sums of integers, and sums over windows of a constant few elements, which it writes out.
#include "work.h"

#include "polymend/polynomial.h"
#include "polymend/subscripts.h"
#include "polymend/window.h"

#include "tile/frame.h"
#include "worth.h"

#include <algorithm>
#include <set>

namespace polymend {
namespace {

constexpr double functionCost = 16, divisionCost = 4, loopCost = 256;
constexpr double widthOfMaps = 8, widthOfWindows = 32; // maps wait for memory
constexpr std::int64_t largestWindow = 64;
constexpr std::int64_t lengthOfRow = 8; // of which nobody knows it

bool isCalled(const Expr &node) { return node.op() >= Op::Exp && node.op() <= Op::Call && node.op() != Op::Abs; }

double costOf(const Expr &value, const Function &function) {
  double cost = 1;
  visit(value, [&](const Expr &node) {
    if (isOwnCall(node))
      cost += std::ranges::any_of(function.outlined,
                                  [&](const Outlined &one) { return one.turns && one.name == node->name; })
                  ? loopCost
                  : functionCost;
    else if (isCalled(node))
      cost += functionCost;
    else if (node.op() == Op::Div)
      cost += divisionCost;
    else if (!node->args.empty() && node.op() != Op::Cast)
      ++cost;
  });
  return cost;
}

/// How many of the statement's dimensions are outside the window that it sums, if it sums one.
unsigned dimensionsAround(const Statement &statement) {
  auto around = static_cast<unsigned>(statement.iterators.size());
  for (std::int64_t elements = 1; around > 0 && !movesAlong(statement.write.relation, around - 1, 1); --around) {
    elements *= std::min(constantExtent(statement.domain, around - 1).value_or(largestWindow + 1), largestWindow + 1);
    if (elements > largestWindow) break;
  }
  return around;
}

/// Does the statement read what another of its instances writes, along the innermost dimension around a window?
bool readsNeighbours(const Statement &statement) {
  return std::ranges::any_of(statement.reads, [&](const Access &read) {
    if (read.array != statement.write.array) return false;
    return !read.exact || (rangeDimension(read.relation) > 0 &&
                           !lastSubscript(read.relation).is_equal(lastSubscript(statement.write.relation)));
  });
}

/// Does the access lie in one place along a dimension, or run along memory?
bool runs(const Access &access, unsigned dimension) {
  return (access.exact && runsAlongMemory(access.relation, dimension)) || !movesAlong(access.relation, dimension, 1);
}

/// Does the statement add up integers along its innermost dimension? In any order, that is.
bool sumsIntegers(const Statement &statement, const Scop &scop) {
  if (statement.iterators.empty() || !isInteger(scop.array(statement.write.array).type)) return false;
  const auto last = static_cast<unsigned>(statement.iterators.size()) - 1;
  return !movesAlong(statement.write.relation, last, 1) &&
         std::ranges::all_of(statement.reads, [&](const Access &read) { return runs(read, last); });
}

/// How many instances of the statement a compiler computes at once, in vectors along the innermost dimension.
double widthOf(const Statement &statement, const Scop &scop) {
  bool calls = false;
  visit(statement.value, [&](const Expr &node) { calls = calls || isCalled(node); });
  if (calls) return 1;
  if (sumsIntegers(statement, scop)) return widthOfMaps;
  const unsigned around = dimensionsAround(statement);
  if (around == 0 || readsNeighbours(statement)) return 1;
  const auto runsAround = [&](const Access &access) { return runs(access, around - 1); };
  if (!runsAround(statement.write) || !std::ranges::all_of(statement.reads, runsAround)) return 1;
  const bool isSummed = around < statement.iterators.size();
  const Array &written = scop.array(statement.write.array);
  const bool isTemporary = written.storage == Array::Storage::Local && written.extents.empty();
  const bool isOrdered = isTemporary ? !isSummed && reads(statement.value, written.name)
                                     : !movesAlong(statement.write.relation, around - 1, 1);
  return isOrdered ? 1 : isSummed ? widthOfWindows : widthOfMaps;
}

/// An integer expression in arithmetic that cannot wrap; quotients stay fractions.
Expr asReal(const Expr &e) {
  switch (e.op()) {
  case Op::Integer: return Expr::real(static_cast<double>(e->integer), Type::Float64);
  case Op::FloorMod:
  case Op::Mod: return asReal(e.arg(1));
  case Op::Select: return Expr::make(Op::Max, Type::Float64, {asReal(e.arg(1)), asReal(e.arg(2))});
  case Op::Neg: return Expr::make(Op::Neg, Type::Float64, {asReal(e.arg(0))});
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Min:
  case Op::Max: return Expr::make(e.op(), Type::Float64, {asReal(e.arg(0)), asReal(e.arg(1))});
  case Op::Div:
  case Op::FloorDiv: return Expr::make(Op::Div, Type::Float64, {asReal(e.arg(0)), asReal(e.arg(1))});
  default: return Expr::cast(Type::Float64, e);
  }
}

/// A statement's cost at each point of a box.
struct Box {
  std::vector<Expr> extents;
  double cost = 1;
};

/// Adds a side to the box.
void extend(Box &box, const Expr &extent) {
  if (extent.op() == Op::Integer)
    box.cost *= static_cast<double>(std::max<std::int64_t>(extent->integer, 0));
  else
    box.extents.push_back(extent);
}

/// The side of a dimension whose bounds others move: the window's, or half of all. No size is as small as some windows.
void extendMoved(Box &box, const Expr &extent, const std::optional<std::int64_t> &window) {
  constexpr std::int64_t small = 8;
  const bool isConstant = extent.op() == Op::Integer;
  if (window && (isConstant ? *window < extent->integer : *window <= small)) return extend(box, Expr::integer(*window));
  if (window && !isConstant) return extend(box, Expr::make(Op::Min, Type::Int64, {extent, Expr::integer(*window)}));
  box.cost /= 2;
  extend(box, extent);
}

/// What a difference of quotients by one number is a quotient of, over all: rounding is forgotten.
struct Fraction {
  Expr dividend, divisor;
};

std::optional<Fraction> fractionOf(const Expr &e) {
  if (e.op() == Op::Cast) return fractionOf(e.arg(0));
  if (e.op() == Op::Div || e.op() == Op::FloorDiv) return Fraction{e.arg(0), e.arg(1)};
  if (e.op() != Op::Add && e.op() != Op::Sub) return std::nullopt;
  const auto a = fractionOf(e.arg(0)), b = fractionOf(e.arg(1));
  if (!a || !b || !equal(a->divisor, b->divisor)) return std::nullopt;
  return Fraction{Expr::make(e.op(), Type::Int64, {a->dividend, b->dividend}), a->divisor};
}

/// How many elements a row has whose end is no affine function: those between two quotients in which the loops around
/// cancel; of one that is read from arrays nobody knows it before.
Expr lengthOf(const isl::set &line, const Scop &scop) {
  const auto isData = [&](const std::string &name) {
    return std::ranges::any_of(scop.dataSizes, [&](const DataSize &data) { return data.name == name; });
  };
  const auto isSize = [&](const std::string &name) {
    return !isData(name) && std::ranges::find(scop.parameters, name) != scop.parameters.end();
  };
  const auto [low, high] = outermostBounds(line, "x");
  const std::set<std::string> bounding = high ? symbols(high) : std::set<std::string>();
  for (const DataSize &data : scop.dataSizes) {
    if (!bounding.contains(data.name)) continue;
    const auto fraction = fractionOf(data.value);
    if (!fraction || reads(data.value)) return Expr::integer(lengthOfRow);
    const Linear dividend = linear(fraction->dividend, isSize), divisor = linear(fraction->divisor, isSize);
    const auto isConstant = [](const auto &term) { return term.first.empty(); };
    if (!std::ranges::all_of(dividend.terms, isConstant) || !std::ranges::all_of(divisor.terms, isConstant))
      return Expr::integer(lengthOfRow);
    return Expr::make(Op::Div, Type::Int64, {expression(dividend), expression(divisor)});
  }
  return Expr::integer(lengthOfRow);
}

std::optional<Box> boxOf(const Statement &statement, const std::set<std::string> &moved, const Function &function,
                         const Scop &scop) {
  Box box{{}, costOf(statement.value, function) / widthOf(statement, scop)};
  for (unsigned d = 0; d < statement.iterators.size(); ++d) {
    const isl::set line = onlyDimension(statement.domain, d);
    const auto [low, high] = outermostBounds(withoutDataSizes(line, scop), "x");
    if ((!low || !high) && dependsOnData(line, scop)) {
      extend(box, lengthOf(line, scop));
      continue;
    }
    if (!low || !high) return std::nullopt;
    const Expr span = simplify(high - low);
    const bool isUncounted = span.op() == Op::Integer && span->integer >= endlessTurns;
    const Expr extent = isUncounted ? Expr::integer(lengthOfRow) : span;
    if (moved.contains(statement.iterators[d]))
      extendMoved(box, extent, constantWindow(statement.domain, d));
    else
      extend(box, extent);
  }
  return box;
}

/// Has the box every side of the other, each as often?
bool covers(const Box &box, const Box &other) {
  std::vector<Expr> left = box.extents;
  return std::all_of(other.extents.begin(), other.extents.end(), [&](const Expr &extent) {
    const auto at = std::find_if(left.begin(), left.end(), [&](const Expr &e) { return equal(e, extent); });
    if (at == left.end()) return false;
    left.erase(at);
    return true;
  });
}

/// Adds a box to those that count: boxes of equal sides are one, and one within a larger is not worth the words.
void add(std::vector<Box> &boxes, const Box &box) {
  for (Box &other : boxes) {
    if (!covers(other, box)) continue;
    if (covers(box, other)) other.cost += box.cost;
    return;
  }
  std::erase_if(boxes, [&](const Box &other) { return covers(box, other); });
  boxes.push_back(box);
}

Expr product(const Box &box) {
  Expr result = Expr::real(box.cost, Type::Float64);
  for (const Expr &extent : box.extents) result = result * asReal(extent);
  return result;
}

} // namespace

Expr workOf(const Function &function, const Scop &scop) {
  const std::set<std::string> moved = movedLoops(function);
  std::vector<Box> boxes;
  for (const Statement &statement : scop.statements) {
    const auto box = boxOf(statement, moved, function, scop);
    if (!box) return {};
    add(boxes, *box);
  }
  Expr sum;
  for (const Box &box : boxes) sum = sum ? sum + product(box) : product(box);
  return sum;
}

Expr startsOf(const TileProgram &program) {
  constexpr std::int64_t sooner = 4;
  Expr again = Expr::integer(0);
  for (const Kernel &kernel : program.kernels)
    if (kernel.grid.empty() && kernel.roles.empty()) again = again + startsWithin(kernel.body);
  again = simplify(again);
  const auto first = static_cast<std::int64_t>(std::max<std::size_t>(program.kernels.size(), 1));
  if (again.op() == Op::Integer) return Expr::integer(first + again->integer / sooner);
  const auto real = [](std::int64_t number) { return Expr::real(static_cast<double>(number), Type::Float64); };
  return real(first) + Expr::make(Op::Div, Type::Float64, {asReal(again), real(sooner)});
}

} // namespace polymend
