// Regions that leave a value for each element, in registers.
#include "print/role_fragment.h"

namespace polymend::print_room {

std::optional<Refusal> FragmentPrinter::elementRegion(const TileAssign &a, const Plane &plane, Writer &out) {
  const std::string r = rowOfElement("$e");
  const TileArray *tile = fragment(a.target.array);
  if (!tile) {
    store(a, plane, out);
    return std::nullopt;
  }
  if (a.update != Update::Set && a.update != Update::Sum) return Refusal{"an update of a matrix", {}};
  const bool pairs = isNarrow(tile->type);
  const std::string &name = context.names.of(a.target.array);
  if (const TileArray *from = movedFrom(a)) {
    out.pragma("unroll");
    out.line("for (int $p = 0; $p < " + std::to_string(elements(a.target.array) / 2) + "; ++$p) " + name +
             "[$p] = " + context.names.of(from->name) + "[$p] ^ " + zero + ";");
    return std::nullopt;
  }
  const bool perRow = a.where && !movesInRow(placed(a.where, plane, "$r", "$e"), scope);
  if (perRow) voteOn(a.where, plane, out);
  out.block("", [&] {
    const std::string hoistRow = "$r";
    const auto prepare = [&](const Expr &e, bool condition) {
      Expr p = placed(e, plane, hoistRow, "$e");
      p = condition ? arrangeCondition(p, scope) : arrange(p, scope, context);
      p = hoisted(p, hoistRow, out);
      // the row of register e
      return ofRegister(p);
    };
    Expr where;
    const auto body = [&] {
      const Expr source = pairs ? beforeRounding(a.value) : a.value;
      const Expr value = prepare(source, false);
      if (a.where && !perRow) where = prepare(a.where, true);
      std::string text = printExpr(value, context);
      if (a.update == Update::Sum) text = name + "[$e] + " + text;
      if (perRow && !standsElsewhere(a)) text = vote->rows + "[" + r + "] ? " + text + " : " + name + "[$e]";
      if (where) text = printExpr(where, context) + " ? " + text + " : " + name + "[$e]";
      out.pragma("unroll");
      if (!pairs) {
        out.line("for (int $e = 0; $e < " + std::to_string(elements(a.target.array)) + "; ++$e) " + name +
                 "[$e] = " + text + ";");
        return;
      }
      const std::string pack = context.primitive(tile->type == Type::BFloat16 ? "packBrain" : "packHalf");
      out.block("for (int $p = 0; $p < " + std::to_string(elements(a.target.array) / 2) + "; ++$p)", [&] {
        out.line("const auto $at = [&](int $e) { return " + text + "; };");
        out.line(name + "[$p] = " + pack + "($at(2 * $p), $at(2 * $p + 1));");
      });
    };
    if (perRow)
      out.block("if (" + vote->any + ")", body);
    else
      body();
  });
  return std::nullopt;
}

} // namespace polymend::print_room
