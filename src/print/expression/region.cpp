// Regions as loops: a product goes to the register-blocked primitive, a reduction along the innermost dimension to a
// lane-wise one, anything else is a nest whose innermost parallel loop is marked for vectors.
#include "print/region.h"
#include "common.h"
#include "print/order.h"
#include "print/product.h"

#include <algorithm>
#include <array>

namespace polymend::print_room {

namespace {

std::string range(const PointDim &dim, Context &c) {
  return "{" + printExpr(simplify(dim.first), c) + ", " + printExpr(simplify(dim.limit), c) + "}";
}

std::string bindParameter(const PointDim &dim, Context &c) { return "std::int64_t " + c.names.of(dim.variable); }

const char *primitiveOf(Update update) {
  switch (update) {
  case Update::Sum: return "sum";
  case Update::Product: return "product";
  case Update::Max: return "maximum";
  case Update::Min: return "minimum";
  case Update::FMax: return "fmaximum";
  case Update::FMin: return "fminimum";
  case Update::Set: break;
  }
  return nullptr;
}

/// An element of a 16-bit type is rounded at every step, so that it is not reduced aside.
bool printReduction(const TilePoints &points, const PointDim &dim, Writer &out, Context &c) {
  const TileAssign &a = points.body.front();
  const Type type = c.typeOf(a.target.array);
  if (c.strict() || !reducesAside(points, dim) || computeType(type) != type) return false;
  if (isFloating(type) != isFloating(a.value.type())) return false;
  const std::string target = printRef(a.target.array, a.target.subscripts, c);
  const std::string bounds = printExpr(simplify(dim.first), c) + ", " + printExpr(simplify(dim.limit), c);
  noteSign(dim, c);
  const std::string parameter = bindParameter(dim, c);
  const Type wide = isFloating(type) ? std::max(type, computeType(a.value.type())) : type;
  std::string start = target;
  if (wide != type) start = "static_cast<" + spell(wide) + ">(" + target + ")";
  Expr value = Expr::cast(wide, a.value);
  if (a.where) value = Expr::make(Op::Select, wide, {a.where, value, neutral(operationOf(a.update), wide)});
  std::string call = c.primitive(primitiveOf(a.update)) + "(" + start + ", " + bounds + ", [&](" + parameter +
                     ") { return " + printAs(value, wide, c) + "; })";
  if (wide != type) call = "static_cast<" + spell(type) + ">(" + call + ")";
  out.line(target + " = " + call + ";");
  return true;
}

bool standsStill(const TilePoints &points, const PointDim &dim) {
  for (const TileAssign &a : points.body)
    if (motionOf(a.target.subscripts, dim.variable) == Motion::Still) return true;
  return false;
}

/// What one point does; what it would compute more than once has a name.
void printPoint(const std::vector<TileAssign> &body, Writer &out, Context &c) {
  const Commoned commoned = c.table.openmp ? withCommon(body, c) : Commoned{{}, body};
  for (const auto &[name, value] : commoned.values)
    out.line("const " + spell(value.type()) + " " + name + " = " + printAs(value, value.type(), c) + ";");
  for (const TileAssign &a : commoned.body) printAssign(a, out, c);
}

void printNest(const TilePoints &points, const std::vector<std::size_t> &order, std::size_t level, Writer &out,
               Context &c) {
  if (level == order.size()) return printPoint(points.body, out, c);
  const PointDim &dim = points.dims[order[level]];
  const bool innermost = level + 1 == order.size();
  if (innermost && printReduction(points, dim, out, c)) return;
  const bool parallel = innermost && dim.kind == PointDim::Kind::Parallel && !standsStill(points, dim);
  if (parallel && c.table.openmp) out.pragma("omp simd");
  const std::string head = loopHead(dim.variable, dim.first, dim.limit, 1, c);
  noteSign(dim, c);
  out.block(head, [&] { printNest(points, order, level + 1, out, c); });
}

void printProductCall(const TilePoints &points, const Product &p, Writer &out, Context &c) {
  const TileAssign &a = points.body.front();
  const PointDim &row = points.dims[p.row], &column = points.dims[p.column], &sum = points.dims[p.sum];
  const Type type = c.typeOf(a.target.array);
  const std::string ranges = range(row, c) + ", " + range(column, c) + ", " + range(sum, c);
  for (const PointDim *dim : {&row, &column, &sum}) noteSign(*dim, c);
  const std::string i = bindParameter(row, c), j = bindParameter(column, c), d = bindParameter(sum, c);
  const std::string value = printAs(p.columnFactor, type, c);
  const std::string along = "polymend_rt::AlongSum<" + spell(type) + ">{&" + value + "}";
  const std::string factor = p.columnMotion == Motion::Unit ? "&" + value : p.sumMotion == Motion::Unit ? along : value;
  out.line(c.primitive("multiply") + "<" + spell(type) + ">(" + ranges + ",");
  out.line("    [&](" + i + ", " + j + ") { return &" + printRef(a.target.array, a.target.subscripts, c) + "; },");
  out.line("    [&](" + i + ", " + d + ") { return " + printAs(p.rowFactor, type, c) + "; },");
  out.line("    [&](" + d + ", " + j + ") { return " + factor + "; });");
}

void printProduct(const TilePoints &points, const Product &p, std::size_t level, Writer &out, Context &c) {
  if (level == p.outer.size()) return printProductCall(points, p, out, c);
  const PointDim &dim = points.dims[p.outer[level]];
  const std::string head = loopHead(dim.variable, dim.first, dim.limit, 1, c);
  noteSign(dim, c);
  out.block(head, [&] { printProduct(points, p, level + 1, out, c); });
}

/// Does the assignment add a product to an element of the same type? Only there may the product stay unrounded: what is
/// subtracted elsewhere (a maximum, say) may be that very product, rounded.
bool addsProduct(const TileAssign &a, Type type, Context &c) {
  if (c.strict() || a.update != Update::Sum || a.value.op() != Op::Mul ||
      (type != Type::Float32 && type != Type::Float64))
    return false;
  return a.value.arg(0).type() == type && a.value.arg(1).type() == type;
}

std::string combined(const TileAssign &a, const std::string &target, Context &c) {
  const Type type = c.typeOf(a.target.array);
  if (addsProduct(a, type, c))
    return target + " = " + c.primitive(c.table.device ? "fusedMultiplyAdd" : "multiplyAdd") + "<" + spell(type) +
           ">(" + printExpr(a.value.arg(0), c) + ", " + printExpr(a.value.arg(1), c) + ", " + target + ");";
  const Expr old = Expr::read(a.target.array, a.target.subscripts, type);
  const Type wide = isFloating(type) && isFloating(a.value.type()) ? std::max(type, a.value.type()) : type;
  const auto operation = [&](Op op) {
    const Expr both = Expr::make(op, computeType(wide), {old, Expr::cast(computeType(wide), a.value)});
    return target + " = " + printAs(both, type, c) + ";";
  };
  const bool rounded = c.table.roundedProduct && isFloating(type) && a.update == Update::Product;
  const bool plain = computeType(type) == type && computeType(a.value.type()) == type && !rounded;
  switch (a.update) {
  case Update::Sum: return plain ? target + " += " + printExpr(a.value, c) + ";" : operation(Op::Add);
  case Update::Product: return plain ? target + " *= " + printExpr(a.value, c) + ";" : operation(Op::Mul);
  case Update::Max: return operation(Op::Max);
  case Update::Min: return operation(Op::Min);
  case Update::FMax: return operation(Op::FMax);
  case Update::FMin: return operation(Op::FMin);
  case Update::Set: break;
  }
  return target + " = " + printAs(a.value, type, c) + ";";
}

void printNode(const TileAssign &a, Writer &out, Context &c) { printAssign(a, out, c); }

void printNode(const TileNote &n, Writer &out, Context &) { printNote(n, out); }

void printNode(const std::shared_ptr<const TileLoop> &l, Writer &out, Context &c) {
  if (l->kind == TileLoop::Kind::Unroll) {
    c.primitive("unroll");
    out.line("POLYMEND_UNROLL");
  }
  const std::string head = loopHead(l->variable, l->first, l->limit, l->step, c);
  noteSign({l->variable, l->first, l->limit, PointDim::Kind::Serial}, c);
  out.block(head, [&] { printBlock(l->body, out, c); });
}

void printNode(const std::shared_ptr<const TileBranch> &b, Writer &out, Context &c) {
  const std::string head = "if (" + printExpr(b->condition, c) + ")";
  if (b->otherwise.empty()) return out.block(head, [&] { printBlock(b->then, out, c); });
  out.block(head, "} else {", [&] { printBlock(b->then, out, c); });
  out.inside([&] { printBlock(b->otherwise, out, c); });
  out.line("}");
}

void printNode(const std::shared_ptr<const TilePoints> &p, Writer &out, Context &c) { printPoints(*p, out, c); }

/// A copy whose source runs along another dimension than its target, as a transposition of blocks in registers.
bool printTransposition(const TilePoints &points, Writer &out, Context &c) {
  const std::optional<std::array<std::size_t, 2>> found = matchTransposition(points, c);
  if (!found) return false;
  const TileAssign &a = points.body.front();
  const PointDim &row = points.dims[(*found)[0]], &column = points.dims[(*found)[1]];
  out.line(c.primitive("transpose") + "<" + spell(c.typeOf(a.target.array)) + ">(" + range(row, c) + ", " +
           range(column, c) + ",");
  for (const PointDim *dim : {&row, &column}) noteSign(*dim, c);
  const std::string head = "    [&](" + bindParameter(row, c) + ", " + bindParameter(column, c) + ") { return &";
  out.line(head + printRef(a.target.array, a.target.subscripts, c) + "; },");
  out.line(head + printExpr(a.value, c) + "; });");
  return true;
}

void printRegion(const TilePoints &points, Writer &out, Context &c) {
  if (points.dims.size() == 2 && printTransposition(points, out, c)) return;
  if (const std::optional<Product> product = matchProduct(points, c)) return printProduct(points, *product, 0, out, c);
  printNest(points, chooseOrder(points, c.strict()), 0, out, c);
}

} // namespace

std::string loopHead(const std::string &variable, const Expr &first, const Expr &limit, std::int64_t step, Context &c) {
  const std::string from = printExpr(simplify(first), c), to = printExpr(simplify(limit), c);
  const std::string &name = c.names.of(variable);
  const std::string next = step == 1 ? "++" + name : name + " += " + std::to_string(step);
  return "for (std::int64_t " + name + " = " + from + "; " + name + " < " + to + "; " + next + ")";
}

void printNote(const TileNote &n, Writer &out) {
  for (std::size_t at = 0; at <= n.text.size();) {
    const std::size_t end = std::min(n.text.find('\n', at), n.text.size());
    std::string remark = n.text.substr(at, end - at);
    while (!remark.empty() && (remark.back() == '\\' || remark.back() == ' ')) remark.pop_back();
    out.line(remark.empty() ? "//" : "// " + remark);
    at = end + 1;
  }
}

void printAssign(const TileAssign &a, Writer &out, Context &c) {
  const std::string statement = combined(a, printRef(a.target.array, a.target.subscripts, c), c);
  out.line(a.where ? "if (" + printExpr(a.where, c) + ") " + statement : statement);
}

void noteSign(const PointDim &dim, Context &c) {
  if (isNonNegative(simplify(dim.first), c))
    c.nonNegative.insert(dim.variable);
  else
    c.nonNegative.erase(dim.variable);
}

void printPoints(const TilePoints &points, Writer &out, Context &c) {
  if (c.table.openmp && points.body.size() > 1 && hasCommon(points.body)) return printRegion(points, out, c);
  for (const TilePoints &part : distribute(points, c.strict())) printRegion(part, out, c);
}

void printNode(const TileSync &, Writer &, Context &) {}
void printNode(const std::shared_ptr<const TileAsync> &a, Writer &out, Context &c) { printPoints(a->points, out, c); }

void printBlock(const TileBlock &nodes, Writer &out, Context &c) {
  for (const TileNode &node : nodes) std::visit([&](const auto &x) { printNode(x, out, c); }, node);
}

} // namespace polymend::print_room
