// Regions that leave a value for each row. Sums over a row stay apart, one part a thread, until something reads them
// otherwise than by scaling; maxima are combined at once.
#include "role_fragment.h"

#include "print/region.h"

namespace polymend::print_room {
namespace {

/// The text with conditions whose parts are all evaluated: registers are at hand, jumps would part a warp.
std::string withoutBranches(std::string text) {
  for (const auto &[from, to] : {std::pair{" && ", " & "}, std::pair{" || ", " | "}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) text.replace(at, 4, to);
  return text;
}

} // namespace

void FragmentPrinter::combine(const std::string &name, Writer &out) {
  parts.erase(name);
  noteWritten(name);
  const std::string &text = context.names.of(name);
  out.pragma("unroll");
  out.line("for (int $r = 0; $r < 2; ++$r) " + text + "[$r] = " + context.primitive("combineLanes") + "<4>(" + text +
           "[$r], polymend_rt::Sum{});");
  context.needs.primitives.insert("Sum");
}

void FragmentPrinter::rowRegion(const TileAssign &a, const Plane &plane, Writer &out) {
  if (roles.marks == DeviceMarks::Never && a.target.array == kernel.fallback) return;
  const std::string r = "$r";
  const Expr value = arrange(placed(a.value, plane, r, "$e"), scope, approximates);
  std::string test = a.where ? rowCondition(a.where, plane) : "";
  if (vote && vote->condition == test) test = vote->rows + "[$r]";
  std::string target;
  if (fragment(a.target.array)) {
    target = context.names.of(a.target.array) + "[$r]";
  } else {
    std::vector<Expr> subscripts;
    for (const Expr &s : a.target.subscripts) subscripts.push_back(placed(s, plane, r, "$e"));
    target = printRef(a.target.array, subscripts, context);
    test = std::string(lane) + " % 4 == 0" + (test.empty() ? "" : " && " + test);
  }
  const Type type = fragment(a.target.array) ? fragment(a.target.array)->type : a.value.type();
  const Expr old = Expr::symbol(symbolFor(target, type), type);
  Expr result = value;
  switch (a.update) {
  case Update::Set: break;
  case Update::Sum: result = old + value; break;
  case Update::Product: result = old * value; break;
  case Update::Max:
  case Update::FMax: result = Expr::make(isFloating(type) ? Op::FMax : Op::Max, type, {old, value}); break;
  case Update::Min:
  case Update::FMin: result = Expr::make(isFloating(type) ? Op::FMin : Op::Min, type, {old, value}); break;
  }
  test = withoutBranches(test);
  out.pragma("unroll");
  const std::string loop = "for (int $r = 0; $r < 2; ++$r)";
  if (a.target.array == kernel.fallback) {
    out.block(loop + " if (" + test + ")", [&] {
      out.line(target + " = static_cast<int>(" + printExpr(result, context) + ");");
      if (!notesMark.empty()) out.line("if (" + target + " != 0) " + notesMark);
    });
    return;
  }
  const std::string text = withoutBranches(isFloating(type) ? printAs(result, type, context)
                                                            : "static_cast<int>(" + printExpr(result, context) + ")");
  out.line(loop + (test.empty() ? " " : " if (" + test + ") ") + target + " = " + text + ";");
}

namespace {

/// How the start of an accumulator is spelled.
std::string neutralText(Update update, Type type) {
  const bool sum = update == Update::Sum, most = update == Update::Max || update == Update::FMax;
  if (!isFloating(type)) return sum ? "0" : most ? "INT_MIN" : "INT_MAX";
  return sum ? (type == Type::Float64 ? "0.0" : "0.0f") : most ? "-INFINITY" : "INFINITY";
}

} // namespace

std::optional<Refusal> FragmentPrinter::reduction(const TileAssign &a, const Plane &plane, Writer &out) {
  const TileArray *tile = fragment(a.target.array);
  if (!tile || tile->extents.size() != 1 || warpsN > 1) return Refusal{"a reduction that is none of rows", {}};
  const std::string &name = context.names.of(a.target.array);
  const bool sum = a.update == Update::Sum, product = a.update == Update::Product;
  const bool most = a.update == Update::Max || a.update == Update::FMax;
  if (product || a.update == Update::Set) return Refusal{"a reduction of this kind", {}};
  const bool floating = isFloating(tile->type);
  const std::string hoistRow = "$r";
  std::optional<Refusal> refusal;
  out.block("", [&] {
    const std::string type = floating ? spell(computeType(tile->type)) : "int";
    const bool isDouble = tile->type == Type::Float64;
    Expr value = placed(a.value, plane, hoistRow, "$e");
    Monotone peeled{value, {}};
    const std::string hole = "$best";
    if (!sum && floating) peeled = peelIncreasing(value, scope, hole);
    const Expr inner = ofRegister(hoisted(arrange(peeled.inner, scope, approximates), hoistRow, out));
    Expr where;
    if (a.where) {
      const Expr condition = placed(a.where, plane, hoistRow, "$e");
      where = ofRegister(hoisted(arrangeCondition(condition, scope), hoistRow, out));
    }
    context.needs.headers.insert("cmath");
    if (!floating) context.needs.headers.insert("climits");
    const std::string n = neutralText(a.update, tile->type);
    out.line(type + " $part[4] = {" + n + ", " + n + ", " + n + ", " + n + "};");
    std::int64_t registers = constant(plane.columns->limit) / 2;
    std::string text = printExpr(inner, context);
    if (!floating) text = "static_cast<int>(" + text + ")";
    if (where) text = "(" + printExpr(where, context) + " ? " + text + " : " + n + ")";
    const std::string part = "$part[$e % 8 / 2]";
    const std::string combine =
        floating ? isDouble ? (most ? "fmax" : "fmin") : (most ? "fmaxf" : "fminf") : (most ? "max" : "min");
    out.pragma("unroll");
    out.line("for (int $e = 0; $e < " + std::to_string(registers) + "; ++$e) " + part +
             (sum ? " += " + text : " = " + combine + "(" + part + ", " + text + ")") + ";");
    out.pragma("unroll");
    out.block("for (int $r = 0; $r < 2; ++$r)", [&] {
      if (sum) {
        const std::string all = "$part[$r] + $part[$r + 2]";
        const bool open = parts.count(a.target.array) > 0;
        if (!open) context.needs.primitives.insert("Sum");
        out.line(name + "[$r] += " +
                 (open ? all : context.primitive("combineLanes") + "<4>(" + all + ", polymend_rt::Sum{})") + ";");
        return;
      }
      out.line(type + " $best = " + combine + "($part[$r], $part[$r + 2]);");
      for (const char *distance : {"1", "2"})
        out.line("$best = " + combine + "($best, __shfl_xor_sync(0xffffffffu, $best, " + distance + "));");
      std::string result = "$best";
      if (peeled.outer) {
        symbolFor(hole, tile->type);
        result = printExpr(peeled.outer, context);
      }
      out.line(name + "[$r] = " + combine + "(" + name + "[$r], " + result + ");");
    });
  });
  return refusal;
}

} // namespace polymend::print_room
