// A node, a statement: nothing is decided here.
#include "print/walk.h"

#include "print/region.h"

namespace polymend::print_room {

namespace {

std::string range(const PointDim &dim, Context &c) {
  return "{" + printExpr(simplify(dim.first), c) + ", " + printExpr(simplify(dim.limit), c) + "}";
}

std::string bindParameter(const PointDim &dim, Context &c) { return "std::int64_t " + c.names.of(dim.variable); }

/// A function of an index that `value` may name or not.
std::string functionOf(const PointDim &dim, const std::string &value, Context &c) {
  const std::string parameter = mentions(value, c.names.of(dim.variable)) ? bindParameter(dim, c) : "std::int64_t";
  return "[&](" + parameter + ") { return " + value + "; }";
}

/// Does the value call functions that take many operations each?
bool holdsCalls(const Expr &value) {
  bool found = false;
  visit(value, [&](const Expr &e) {
    const Op op = e.op();
    found = found || op == Op::Call || op == Op::Pow || (op >= Op::Exp && op <= Op::Cos && op != Op::Sqrt);
  });
  return found;
}

const char *primitiveOf(Update update, const Expr &value) {
  switch (update) {
  case Update::Sum: return holdsCalls(value) ? "sumOfCalls" : "sum";
  case Update::Product: return "product";
  case Update::Max: return "maximum";
  case Update::Min: return "minimum";
  case Update::FMax: return "fmaximum";
  case Update::FMin: return "fminimum";
  case Update::Set: break;
  }
  return nullptr;
}

/// How deep loops are nested. Turns of many points are handed out one by one.
std::size_t depthOf(const DeviceBlock &nodes) {
  std::size_t depth = 0;
  for (const DeviceNode &n : nodes) {
    if (const auto *l = std::get_if<std::shared_ptr<const DeviceLoop>>(&n))
      depth = std::max(depth, 1 + depthOf((*l)->body));
    else if (const auto *b = std::get_if<std::shared_ptr<const DeviceBranch>>(&n))
      depth = std::max({depth, depthOf((*b)->then), depthOf((*b)->otherwise)});
    else if (std::holds_alternative<DeviceFold>(n) || std::holds_alternative<DeviceMultiply>(n))
      depth = std::max<std::size_t>(depth, 1);
  }
  return depth;
}

class Walk {
public:
  Walk(Writer &writer, Context &names) : out(writer), c(names) {}
  void block(const DeviceBlock &nodes) {
    for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
  }

private:
  void node(const TileNote &n) { printNote(n, out); }
  void node(const DeviceLet &l);
  void node(const DeviceAssign &a);
  void node(const DeviceFold &f);
  void node(const DeviceMultiply &m);
  void node(const DeviceTranspose &t);
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  template <class Node> void node(const Node &) {} // of teams

  Writer &out;
  Context &c;
};

void Walk::node(const DeviceLet &l) {
  const Type type = l.value.type();
  if (type == Type::Void) return out.line("const auto " + c.names.of(l.name) + " = " + printExpr(l.value, c) + ";");
  const std::string value = printAs(l.value, type, c);
  out.line("const " + spell(type) + " " + c.names.of(l.name) + " = " + value + ";");
  c.scalars[l.name] = type;
}

void Walk::node(const DeviceAssign &a) {
  if (!a.declares) return printAssign(a.what, a.fused, out, c);
  const Type type = c.typeOf(a.what.target.array);
  const std::string value = printAs(a.what.value, type, c);
  out.line(storeMark(a.what, c) + spellFor(type, c.table) + " " + c.names.of(a.what.target.array) + " = " + value +
           ";");
}

void Walk::node(const DeviceFold &f) {
  const Type type = c.typeOf(f.what.target.array);
  const std::string target = printRef(f.what.target.array, f.what.target.subscripts, c);
  const std::string bounds = printExpr(simplify(f.along.first), c) + ", " + printExpr(simplify(f.along.limit), c);
  c.signs.note(f.along);
  const bool widens = f.carrier != type;
  const std::string start = widens ? "static_cast<" + spell(f.carrier) + ">(" + target + ")" : target;
  std::string call = c.primitive(primitiveOf(f.what.update, f.what.value)) + "(" + start + ", " + bounds + ", " +
                     functionOf(f.along, printAs(f.what.value, f.carrier, c), c) + ")";
  if (widens) call = "static_cast<" + spell(type) + ">(" + call + ")";
  out.line(storeMark(f.what, c) + target + " = " + call + ";");
}

void Walk::node(const DeviceMultiply &m) {
  const std::string ranges = range(m.row, c) + ", " + range(m.column, c) + ", " + range(m.sum, c);
  for (const PointDim *dim : {&m.row, &m.column, &m.sum}) c.signs.note(*dim);
  const std::string i = bindParameter(m.row, c), j = bindParameter(m.column, c), d = bindParameter(m.sum, c);
  const std::string value = printAs(m.columnFactor, m.type, c), type = spell(m.type);
  const std::string factor = m.walk == DeviceMultiply::Walk::Columns ? "&" + value
                             : m.walk == DeviceMultiply::Walk::Sums
                                 ? "polymend_rt::AlongSum<" + type + ">{&" + value + "}"
                                 : value;
  out.line(storeMark({m.target, Update::Sum, {}, {}}, c) + c.primitive("multiply") + "<" + type + ">(" + ranges + ",");
  out.line("    [&](" + i + ", " + j + ") { return &" + printRef(m.target.array, m.target.subscripts, c) + "; },");
  out.line("    [&](" + i + ", " + d + ") { return " + printAs(m.rowFactor, m.type, c) + "; },");
  out.line("    [&](" + d + ", " + j + ") { return " + factor + "; });");
}

void Walk::node(const DeviceTranspose &t) {
  out.line(c.primitive("transpose") + "<" + spell(c.typeOf(t.target.array)) + ">(" + range(t.row, c) + ", " +
           range(t.column, c) + ",");
  for (const PointDim *dim : {&t.row, &t.column}) c.signs.note(*dim);
  const std::string head = "    [&](" + bindParameter(t.row, c) + ", " + bindParameter(t.column, c) + ") { return &";
  out.line(head + printRef(t.target.array, t.target.subscripts, c) + "; },");
  out.line(head + printExpr(t.source, c) + "; });");
}

void Walk::node(const std::shared_ptr<const DeviceLoop> &l) {
  if (l->kind == DeviceLoop::Kind::Vector) out.pragma("omp simd");
  if (l->kind == DeviceLoop::Kind::Shared)
    out.pragma(std::string("omp parallel for schedule(") + (depthOf(l->body) > 1 ? "dynamic)" : "static)") + c.copies);
  if (l->kind == DeviceLoop::Kind::Unroll) {
    c.primitive("unroll");
    out.line("POLYMEND_UNROLL");
  }
  const std::string head = loopHead(l->variable, l->first, l->limit, l->step, c, l->goesOn);
  c.signs.note({l->variable, l->first, l->limit, PointDim::Kind::Serial});
  if (l->body.size() == 1 && std::holds_alternative<DeviceAssign>(l->body.front())) {
    out.line(head);
    out.inside([&] { block(l->body); });
  } else {
    out.block(head, [&] { block(l->body); });
  }
}

void Walk::node(const std::shared_ptr<const DeviceBranch> &b) {
  const std::string head = "if (" + printExpr(b->condition, c) + ")";
  if (b->otherwise.empty()) return out.block(head, [&] { block(b->then); });
  out.block(head, "} else {", [&] { block(b->then); });
  out.inside([&] { block(b->otherwise); });
  out.line("}");
}

} // namespace

void printBlock(const DeviceBlock &nodes, Writer &out, Context &context) { Walk(out, context).block(nodes); }

} // namespace polymend::print_room
