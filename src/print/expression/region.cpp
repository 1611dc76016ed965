// Statements of one thread, as every target spells them.
#include "print/region.h"

#include "polymend/source_marks.h"

#include <algorithm>

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
  return "for (" + c.indexOf(variable) + " " + name + " = " + from + "; " + name + " < " + to + also + "; " + next +
         ")";
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

namespace {

/// A store whose value says, under conditions, to leave the element as it is.
class PartialStore {
public:
  explicit PartialStore(const Ref &place) : target(place) {}

  /// Where it says something else; absent: everywhere. False, a number: nowhere.
  [[nodiscard]] Expr whereChanged(const Expr &value) const {
    if (isOld(value)) return Expr::integer(0, Type::Bool);
    if (value.op() != Op::Select) return {};
    const Expr &asked = value.arg(0);
    Expr then = whereChanged(value.arg(1)), otherwise = whereChanged(value.arg(2));
    if (!then && !otherwise) return {};
    const Expr denied = simplify(Expr::make(Op::Not, Type::Bool, {asked}));
    const auto isNever = [](const Expr &e) { return e && e.op() == Op::Integer; };
    if (isNever(then) && isNever(otherwise)) return then;
    const Expr first = !then ? asked : isNever(then) ? Expr() : both(asked, then);
    const Expr second = !otherwise ? denied : isNever(otherwise) ? Expr() : then ? both(denied, otherwise) : otherwise;
    if (!first || !second) return first ? first : second;
    return Expr::make(Op::Or, Type::Bool, {first, then ? second : otherwise});
  }

  /// What it says there.
  [[nodiscard]] Expr changed(const Expr &value) const {
    if (value.op() != Op::Select) return value;
    if (isNowhere(value.arg(1))) return changed(value.arg(2));
    if (isNowhere(value.arg(2))) return changed(value.arg(1));
    return Expr::make(Op::Select, value.type(), {value.arg(0), changed(value.arg(1)), changed(value.arg(2))});
  }

private:
  static Expr both(const Expr &a, const Expr &b) { return Expr::make(Op::And, Type::Bool, {a, b}); }
  [[nodiscard]] bool isNowhere(const Expr &value) const {
    const Expr where = whereChanged(value);
    return where && where.op() == Op::Integer;
  }
  [[nodiscard]] bool isOld(const Expr &e) const {
    const auto isSame = [](const Expr &x, const Expr &y) {
      const Expr apart = simplify(Expr::cast(Type::Int64, x) - Expr::cast(Type::Int64, y));
      return equal(x, y) || (apart.op() == Op::Integer && apart->integer == 0);
    };
    return e.op() == Op::Read && e->name == target.array && std::ranges::equal(e->args, target.subscripts, isSame);
  }

  const Ref &target;
};

} // namespace

/// A store under a condition, where the value says to leave the element as it is: nobody else's element is touched.
TileAssign underCondition(const TileAssign &a, const Context &c) {
  const auto place = c.places.find(a.target.array);
  TileAssign result = a;
  if (place == c.places.end() || place->second.array->space != Space::Argument || c.eager) return result;
  if (a.update != Update::Set || a.value.op() != Op::Select) return result;
  const PartialStore store(a.target);
  const Expr where = store.whereChanged(a.value);
  if (!where || where.op() == Op::Integer) return result;
  result.where = result.where ? Expr::make(Op::And, Type::Bool, {result.where, where}) : where;
  result.value = store.changed(a.value);
  return result;
}

std::string storeMark(const TileAssign &a, const Context &c) {
  const bool isNumber = a.value && (a.value.op() == Op::Real || a.value.op() == Op::Integer);
  if (!c.options.hasMarks || (a.update == Update::Set && !isNumber)) return "";
  return markOf(Stored{a.target.array, a.update != Update::Set});
}

void printAssign(const TileAssign &given, bool fused, Writer &out, Context &c) {
  const TileAssign a = underCondition(given, c);
  const std::string statement = combined(a, fused, printRef(a.target.array, a.target.subscripts, c), c),
                    mark = storeMark(a, c);
  out.line(mark + (a.where ? "if (" + printExpr(a.where, c) + ") " + statement : statement));
}

} // namespace polymend::print_room
