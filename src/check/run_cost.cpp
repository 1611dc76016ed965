// A function and its sizes arrive, how long one side-by-side run of them takes leaves, as an estimate: operations are
// counted over the source's loops, whose bounds are taken where outer variables stand in the middle of their ranges.
// What an operation costs was measured over original, result and reference together; a factor of three is of no
// matter to who chooses sizes by it.
#include "run.h"

#include <algorithm>
#include <cmath>

namespace polymend {

namespace {

constexpr double perOperation = 1.2e-9, perCall = 12e-9, perElement = 180e-9, perRun = 15e-3;

/// Names and the values that stand for them; a value that is read counts as the largest size.
struct Middle {
  std::map<std::string, double> symbols;
  double largest = 1;
};

double valueOf(const Expr &e, const Middle &middle);

/// An operation of two operands, given theirs.
double combine(Op op, double a, double b) {
  switch (op) {
  case Op::Add: return a + b;
  case Op::Sub: return a - b;
  case Op::Mul: return a * b;
  case Op::Div: return b == 0 ? 0 : a / b;
  case Op::FloorDiv: return b == 0 ? 0 : std::floor(a / b);
  case Op::Mod:
  case Op::FloorMod: return b == 0 ? 0 : a - b * std::floor(a / b);
  case Op::Min: return std::min(a, b);
  case Op::Max: return std::max(a, b);
  default: return a;
  }
}

double valueOf(const Expr &e, const Middle &middle) {
  if (!e) return 0;
  switch (e.op()) {
  case Op::Integer: return static_cast<double>(e->integer);
  case Op::Symbol: {
    const auto found = middle.symbols.find(e->name);
    return found == middle.symbols.end() ? 0 : found->second;
  }
  case Op::Read: return middle.largest;
  case Op::Neg: return -valueOf(e.arg(0), middle);
  case Op::Cast: return valueOf(e.arg(0), middle);
  case Op::Select: return std::max(valueOf(e.arg(1), middle), valueOf(e.arg(2), middle));
  default: return e->args.size() == 2 ? combine(e.op(), valueOf(e.arg(0), middle), valueOf(e.arg(1), middle)) : 0;
  }
}

bool holdsRead(const Expr &e) {
  bool found = false;
  if (e) visit(e, [&](const Expr &part) { found = found || part.op() == Op::Read; });
  return found;
}

bool isCall(Op op) {
  switch (op) {
  case Op::Exp:
  case Op::Exp2:
  case Op::Log:
  case Op::Log2:
  case Op::Tanh:
  case Op::Sin:
  case Op::Cos:
  case Op::Pow:
  case Op::Call: return true;
  default: return false;
  }
}

/// One evaluation of the right-hand side and its store; subscripts go along for nothing.
double costOf(const Expr &value) {
  double total = isCall(value.op()) ? perCall : perOperation;
  if (value.op() == Op::Read) return total;
  for (const Expr &arg : value->args)
    if (arg) total += costOf(arg);
  return total;
}

double costOf(const Body &body, Middle &middle);

/// The trips of the loop times its body.
double costOf(const Loop &loop, Middle &middle) {
  const double first = valueOf(loop.first, middle), limit = valueOf(loop.limit, middle);
  const double span = holdsRead(loop.first) || holdsRead(loop.limit) ? middle.largest : std::fabs(limit - first);
  const bool runs = holdsRead(loop.first) || (loop.step > 0 ? first < limit : limit < first);
  if (!runs) return 0;
  middle.symbols[loop.variable] = (first + limit) / 2;
  return std::ceil(span / std::fabs(static_cast<double>(loop.step))) * costOf(loop.body, middle);
}

double costOf(const Body &body, Middle &middle) {
  double total = 0;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node))
      total += costOf(**loop, middle);
    else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node))
      total += costOf((*branch)->then, middle) + costOf((*branch)->otherwise, middle);
    else
      total += perOperation + costOf(std::get<std::shared_ptr<const Assign>>(node)->value);
  }
  return total;
}

} // namespace

double secondsOf(const CheckedFunction &checked, const Sizes &sizes, const std::vector<Shape> &shapes) {
  Middle middle;
  for (const auto &[name, value] : sizes) {
    middle.symbols[name] = static_cast<double>(value);
    middle.largest = std::max(middle.largest, static_cast<double>(value));
  }
  for (const DataSize &data : checked.function.dataSizes) middle.symbols[data.name] = middle.largest;
  double total = perRun + costOf(checked.function.body, middle);
  for (const Shape &shape : shapes) total += perElement * static_cast<double>(shape.count());
  return total;
}

} // namespace polymend
