#include "print/touched_text.h"

#include "device/extents.h"

#include "polymend/element_types.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::elementsOf;

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
    const std::string value = bounds(e.arg(0), dims, where);
    const Interval from = limitsOf(e.arg(0).type()), to = limitsOf(e.type());
    if (holds(to, from)) return value;
    const auto number = [&](std::int64_t one) { return printExpr(Expr::integer(one), context); };
    return value + ".converted(" + number(*to.low()) + ", " + number(*to.high()) + ")";
  }
  default: return type + "::unknown()";
  }
}

std::string TouchedPrinter::valuesOf(const Expr &read, const Dims &dims, const std::string &where) {
  const std::string elements = bounds(read.arg(0), dims, where);
  std::string &name = values[where + "\n" + read->name + "\n" + elements];
  if (!name.empty()) return name;
  const auto array =
      std::find_if(arrays.begin(), arrays.end(), [&](const TileArray &a) { return a.name == read->name; });
  std::string first = context.names.of(read->name);
  if (!noted && array != arrays.end() && !array->flat && array->extents.size() != 1) {
    first = "&" + first;
    for (std::size_t d = 0; d < array->extents.size(); ++d) first += "[0]";
  }
  name = context.names.fresh(read->name + "Values");
  const std::string type = context.primitive("Interval");
  std::string when = looked;
  if (!where.empty()) when += (when.empty() ? "" : " && (") + where + (when.empty() ? "" : ")");
  std::string call = context.primitive(noted ? "valuesNoted" : "valuesIn") + "(";
  if (noted) {
    call += notes + " + " + std::to_string(2 * noted->size()) + ", " + elements + ")";
    noted->push_back({out.text(), when, first, elements});
  } else {
    call += first + ", " + elements + ")";
  }
  if (when.empty()) {
    out.line("const " + type + " " + name + " = " + call + ";");
  } else {
    out.line(type + " " + name + ";");
    out.line("if (" + when + ") " + name + " = " + call + ";");
  }
  return name;
}

} // namespace polymend::print_room
