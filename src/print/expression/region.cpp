// Statements of one thread, as every target spells them.
#include "print/region.h"

#include "polymend/source_marks.h"

namespace polymend::print_room {

namespace {

std::string combined(const TileAssign &a, bool fused, const std::string &target, Context &c) {
  const Type type = c.typeOf(a.target.array);
  if (fused)
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

} // namespace

std::string loopHead(const std::string &variable, const Expr &first, const Expr &limit, std::int64_t step, Context &c,
                     const Expr &goesOn) {
  const std::string from = plain(first, c), to = plain(limit, c);
  const std::string &name = c.names.of(variable);
  const std::string next = step == 1 ? "++" + name : name + " += " + std::to_string(step);
  const std::string also = goesOn ? " && " + printConjunct(goesOn, c) : "";
  return "for (std::int64_t " + name + " = " + from + "; " + name + " < " + to + also + "; " + next + ")";
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

std::string storeMark(const TileAssign &a, const Context &c) {
  const bool isNumber = a.value && (a.value.op() == Op::Real || a.value.op() == Op::Integer);
  if (!c.options.hasMarks || (a.update == Update::Set && !isNumber)) return "";
  return markOf(Stored{a.target.array, a.update != Update::Set});
}

void printAssign(const TileAssign &a, bool fused, Writer &out, Context &c) {
  const std::string statement = combined(a, fused, printRef(a.target.array, a.target.subscripts, c), c),
                    mark = storeMark(a, c);
  out.line(mark + (a.where ? "if (" + printExpr(a.where, c) + ") " + statement : statement));
}

} // namespace polymend::print_room
