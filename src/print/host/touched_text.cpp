#include "print/touched_text.h"

#include "device/extents.h"

#include "polymend/element_types.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::elementsOf;

namespace {

/// The read of an array of one dimension that a bound is; absent: another bound.
Expr read(const Expr &bound) {
  const Expr &e = bound.op() == Op::Cast ? bound.arg(0) : bound;
  return e.op() == Op::Read && e->args.size() == 1 && isInteger(e.type()) ? e : Expr();
}

} // namespace

std::string TouchedPrinter::elements(const TileArray &array, const TouchedElements *touched) {
  const std::string type = context.primitive("Interval");
  if (!touched) {
    const std::string count = array.extents.empty() ? "1" : printExpr(simplify(elementsOf(array)), context);
    return type + "::upTo(" + count + ")";
  }
  if (touched->parts.empty()) return type + "()";
  std::string &name = declared[array.name];
  if (!name.empty()) return name;
  std::vector<std::pair<std::string, std::string>> parts;
  for (const TouchedPart &part : touched->parts) {
    const std::string where = part.where ? printExpr(part.where, context) : "";
    const std::string text = bounds(part.element, part.dims, where);
    if (std::find(parts.begin(), parts.end(), std::pair(where, text)) == parts.end()) parts.emplace_back(where, text);
  }
  name = context.names.fresh(array.name + "Elements");
  out.line(type + " " + name + ";");
  for (const auto &[where, text] : parts)
    out.line((where.empty() ? "" : "if (" + where + ") ") + name + " = " + name + ".with(" + text + ");");
  return name;
}

std::string TouchedPrinter::meeting(const Touching &a, const Touching &b) {
  const auto range = [&](const Touching &of) {
    const std::string size = "std::int64_t{sizeof(" + spellFor(of.array.type, context.table) + ")}";
    return of.begin + ", " + size + ", " + elements(of.array, of.touched);
  };
  const std::string first = range(a), second = range(b);
  return context.primitive("meets") + "(" + first + ", " + second + ")";
}

std::vector<std::string> conditionsOf(const std::vector<std::string> &tests) {
  constexpr std::size_t most = 4;
  std::vector<std::string> all;
  for (std::size_t k = 0; k < tests.size(); ++k)
    if (k % most == 0)
      all.push_back(tests[k]);
    else
      all.back() += " || " + tests[k];
  return all;
}

std::string besideTest(const Function &function, const Touching &array, TouchedPrinter &touched) {
  std::string any;
  for (const NumberBeside &one : function.beside) {
    if (one.array != array.array.name) continue;
    TileArray number;
    number.name = one.number;
    number.type = one.type;
    any += (any.empty() ? "" : " || ") + touched.meeting(array, {number, "&(" + one.number + ")"});
  }
  return any;
}

std::string TouchedPrinter::call(const std::string &method, const Expr &e, const Dims &dims, const std::string &where) {
  return bounds(e.arg(0), dims, where) + "." + method + "(" + bounds(e.arg(1), dims, where);
}

std::string TouchedPrinter::bounds(const Expr &e, const Dims &dims, const std::string &where) {
  const std::string type = context.primitive("Interval");
  if (e.type() == Type::Bool && e.op() != Op::Read) return type + "::from(0, 1)";
  switch (e.op()) {
  case Op::Integer: return type + "(" + printExpr(e, context) + ")";
  case Op::Symbol: {
    const auto dim = std::find_if(dims.begin(), dims.end(), [&](const PointDim &d) { return d.variable == e->name; });
    if (dim == dims.end()) return type + "(" + context.names.of(e->name) + ")";
    if (const std::string rows = rowsOf(*dim, dims, where); !rows.empty()) return rows;
    return type + "::between(" + bounds(dim->first, dims, where) + ", " + bounds(dim->limit, dims, where) + ")";
  }
  case Op::Read: return valuesOf(e, dims, where);
  case Op::Neg: return bounds(e.arg(0), dims, where) + ".negated()";
  case Op::Add: return call("plus", e, dims, where) + ")";
  case Op::Sub: return call("minus", e, dims, where) + ")";
  case Op::Mul: return call("times", e, dims, where) + ")";
  case Op::Div: return call("over", e, dims, where) + ", false)";
  case Op::FloorDiv: return call("over", e, dims, where) + ", true)";
  case Op::Mod: return call("rest", e, dims, where) + ", false)";
  case Op::FloorMod: return call("rest", e, dims, where) + ", true)";
  case Op::Min: return call("lower", e, dims, where) + ")";
  case Op::Max: return call("higher", e, dims, where) + ")";
  case Op::Abs: {
    const std::string value = bounds(e.arg(0), dims, where);
    return value + ".with(" + value + ".negated())";
  }
  case Op::Select: return bounds(e.arg(1), dims, where) + ".with(" + bounds(e.arg(2), dims, where) + ")";
  case Op::Cast: {
    if (isFloating(e.arg(0).type())) return atEnds(e, dims, where);
    std::string value = bounds(e.arg(0), dims, where);
    const Interval from = limitsOf(e.arg(0).type()), to = limitsOf(e.type());
    if (holds(to, from)) return value;
    const auto number = [&](std::int64_t one) { return printExpr(Expr::integer(one), context); };
    return value + ".converted(" + number(*to.low()) + ", " + number(*to.high()) + ")";
  }
  default: return type + "::unknown()";
  }
}

/// The name of an interval of an integer that a float becomes: its values where each variable is at an end of its
/// range.
std::string TouchedPrinter::atEnds(const Expr &e, const Dims &dims, const std::string &where) {
  const std::string type = context.primitive("Interval");
  std::vector<Expr> corners{e};
  std::string when = looked, filled;
  const auto also = [](std::string &all, const std::string &one) { all += (all.empty() ? "" : " && ") + one; };
  if (!where.empty()) also(when, "(" + where + ")");
  for (const PointDim &dim : dims) {
    if (!symbols(e).contains(dim.variable)) continue;
    const std::string turns = context.names.fresh(dim.variable + "Turns");
    out.line("const " + type + " " + turns + " = " + bounds(Expr::symbol(dim.variable, Type::Int64), dims, where) +
             ";");
    also(when, turns + ".known");
    also(filled, "!" + turns + ".empty()");
    std::vector<Expr> all;
    for (const Expr &corner : corners)
      for (const std::string &end : {turns + ".least", turns + ".most"}) {
        context.names.alias(end);
        all.push_back(substitute(corner, [&](const std::string &name) {
          return name == dim.variable ? Expr::symbol(end, Type::Int64) : Expr();
        }));
      }
    corners = all;
  }
  std::string values;
  for (const Expr &corner : corners) {
    const std::string one = type + "(" + printExpr(corner, context) + ")";
    values += values.empty() ? one : ".with(" + one + ")";
  }
  const std::string name = context.names.fresh("indexValues");
  out.line(type + " " + name + " = " + (when.empty() ? type + "()" : type + "::unknown()") + ";");
  const std::string set =
      name + " = " + (filled.empty() ? values : filled + " ? " + values + " : " + type + "()") + ";";
  out.line((when.empty() ? "" : "if (" + when + ") ") + set);
  return name;
}

/// Where an array begins that is read: on a device it is a pointer to its first element.
std::string TouchedPrinter::beginOf(const std::string &read) const {
  const auto array = std::find_if(arrays.begin(), arrays.end(), [&](const TileArray &a) { return a.name == read; });
  std::string first = context.names.of(read);
  if (noted || array == arrays.end() || array->flat || array->extents.size() == 1) return first;
  first = "&" + first;
  for (std::size_t d = 0; d < array->extents.size(); ++d) first += "[0]";
  return first;
}

/// The name of an interval that data tell: on the host `in` looks at what `given` says, on a device `note` does in a
/// kernel of its own, and the interval is that of what it noted of `elements`.
std::string TouchedPrinter::toldByData(const std::string &array, const Looks &looks, const std::string &where) {
  std::string &name = values[where + "\n" + looks.in + "\n" + looks.given];
  if (!name.empty()) return name;
  name = context.names.fresh(array + "Values");
  const std::string type = context.primitive("Interval");
  std::string when = looked;
  if (!where.empty()) when += (when.empty() ? "" : " && (") + where + (when.empty() ? "" : ")");
  std::string call;
  if (noted) {
    const std::string words = notes + " + " + std::to_string(2 * noted->size());
    call = context.primitive("valuesNoted") + "(" + words + ", " + looks.elements + ")";
    noted->push_back({out.text(), when, context.primitive(looks.note) + "(" + looks.given});
  } else {
    call = context.primitive(looks.in) + "(" + looks.given + ")";
  }
  if (when.empty()) {
    out.line("const " + type + " " + name + " = " + call + ";");
  } else {
    out.line(type + " " + name + ";");
    out.line("if (" + when + ") " + name + " = " + call + ";");
  }
  return name;
}

std::string TouchedPrinter::valuesOf(const Expr &read, const Dims &dims, const std::string &where) {
  if (const auto rows = apart.find(read->name); rows != apart.end())
    return toldByData(read->name, {"valuesInRows", "", rows->second, ""}, where);
  const std::string elements = bounds(read.arg(0), dims, where);
  return toldByData(read->name, {"valuesIn", "noteValues", beginOf(read->name) + ", " + elements, elements}, where);
}

/// Rows from one read to another, of one place and another that is so many further: what the rows that have elements
/// hold, whatever stands where one has none; empty: other bounds.
std::string TouchedPrinter::rowsOf(const PointDim &dim, const Dims &dims, const std::string &where) {
  const Expr first = read(dim.first), limit = read(dim.limit);
  if (first && limit && (apart.contains(first->name) || apart.contains(limit->name))) return "";
  if (!first || !limit || simplify(limit.arg(0) - first.arg(0)).op() != Op::Integer) return "";
  const std::string begins = bounds(first.arg(0), dims, where), ends = bounds(limit.arg(0), dims, where);
  const std::string given = beginOf(first->name) + ", " + begins + ", " + beginOf(limit->name) + ", " + ends;
  return toldByData(first->name, {"rowsIn", "noteRows", given, begins}, where);
}

} // namespace polymend::print_room
