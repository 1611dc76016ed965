// Regions that leave a value for each row.
#include "role_fragment.h"

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
  const std::string &text = context.names.of(name);
  out.pragma("unroll");
  out.line("for (int $r = 0; $r < 2; ++$r) " + text + "[$r] = " + context.primitive("combineLanes") + "<4>(" + text +
           "[$r], polymend_rt::Sum{});");
  context.needs.primitives.insert("Sum");
}

void FragmentPrinter::rowRegion(const DeviceRegisters &part, Writer &out) {
  const TileAssign &a = part.what;
  if (roles.marks == DeviceMarks::Never && a.target.array == kernel.fallback) return;
  named.clear();
  const Expr value = placed(a.value, part, At::Row);
  const bool asks = a.where && !part.everywhere;
  std::string test = !asks               ? ""
                     : part.vote.empty() ? textOf(a.where, part, At::Row)
                                         : votes.at(part.vote).rows + "[$r]";
  std::string target;
  const TileArray *tile = fragment(a.target.array);
  if (tile) {
    target = context.names.of(a.target.array) + "[$r]";
  } else {
    std::vector<Expr> subscripts;
    for (const Expr &s : a.target.subscripts) subscripts.push_back(placed(s, part, At::Row));
    target = printRef(a.target.array, subscripts, context);
    test = std::string(lane) + " % 4 == 0" + (test.empty() ? "" : " && " + test);
  }
  const Type type = tile ? tile->type : a.value.type();
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

void FragmentPrinter::reduction(const DeviceRegisters &part, Writer &out) {
  const TileAssign &a = part.what;
  const Type held = fragment(a.target.array)->type;
  const std::string &name = context.names.of(a.target.array);
  const bool sum = a.update == Update::Sum, most = a.update == Update::Max || a.update == Update::FMax;
  const bool floating = isFloating(held), isDouble = held == Type::Float64;
  out.block("", [&] {
    const std::string type = floating ? spell(computeType(held)) : "int";
    before(part, out);
    context.needs.headers.insert("cmath");
    if (!floating) context.needs.headers.insert("climits");
    const std::string n = neutralText(a.update, held);
    out.line(type + " $part[4] = {" + n + ", " + n + ", " + n + ", " + n + "};");
    std::string text = textOf(a.value, part, At::Register);
    if (!floating) text = "static_cast<int>(" + text + ")";
    if (a.where) text = "(" + textOf(a.where, part, At::Register) + " ? " + text + " : " + n + ")";
    const std::string own = "$part[$e % 8 / 2]";
    const std::string combine =
        floating ? isDouble ? (most ? "fmax" : "fmin") : (most ? "fmaxf" : "fminf") : (most ? "max" : "min");
    out.pragma("unroll");
    out.line("for (int $e = 0; $e < " + std::to_string(constant(part.column->limit) / 2) + "; ++$e) " + own +
             (sum ? " += " + text : " = " + combine + "(" + own + ", " + text + ")") + ";");
    out.pragma("unroll");
    out.block("for (int $r = 0; $r < 2; ++$r)", [&] {
      if (sum) {
        const std::string all = "$part[$r] + $part[$r + 2]";
        if (!part.open) context.needs.primitives.insert("Sum");
        out.line(name + "[$r] += " +
                 (part.open ? all : context.primitive("combineLanes") + "<4>(" + all + ", polymend_rt::Sum{})") + ";");
        return;
      }
      out.line(type + " $best = " + combine + "($part[$r], $part[$r + 2]);");
      for (const char *distance : {"1", "2"})
        out.line("$best = " + combine + "($best, __shfl_xor_sync(0xffffffffu, $best, " + distance + "));");
      std::string result = "$best";
      if (part.outer) {
        named[resultOfRow] = {"$best", held, false};
        result = textOf(part.outer, part, At::Row);
      }
      out.line(name + "[$r] = " + combine + "(" + name + "[$r], " + result + ");");
    });
  });
}

} // namespace polymend::print_room
