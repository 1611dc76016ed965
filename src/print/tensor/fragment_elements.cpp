// Regions that leave a value for each element, in registers.
#include "role_fragment.h"

namespace polymend::print_room {

/// Leaves `text`, a value at element $e, in `count` elements from `first` on, a multiple of four.
void FragmentPrinter::eachElement(const TileArray &tile, const std::string &text, const std::string &first,
                                  std::int64_t count, Writer &out) {
  const std::string &name = context.names.of(tile.name);
  const auto loop = [&](const std::string &variable, std::int64_t width) {
    const std::string from = first == "0" || width == 1 ? first : first + " / " + std::to_string(width);
    const std::string times = std::to_string(count / width), limit = first == "0" ? times : from + " + " + times;
    return "for (int " + variable + " = " + from + "; " + variable + " < " + limit + "; ++" + variable + ")";
  };
  out.pragma("unroll");
  if (!isNarrow(tile.type)) {
    out.line(loop("$e", 1) + " " + name + "[$e] = " + text + ";");
    return;
  }
  const std::string pack = context.primitive(tile.type == Type::BFloat16 ? "packBrain" : "packHalf");
  out.block(loop("$p", 2), [&] {
    out.line("const auto $at = [&](int $e) { return " + text + "; };");
    out.line(name + "[$p] = " + pack + "($at(2 * $p), $at(2 * $p + 1));");
  });
}

/// The same by a loop over elements that share divisions.
void FragmentPrinter::eachFour(const TileArray &tile, const std::string &text,
                               const std::vector<SharedDivision> &divisions, Writer &out) {
  out.pragma("unroll");
  out.block("for (int $four = 0; $four < " + std::to_string(elements(tile.name)) + "; $four += 4)", [&] {
    for (const SharedDivision &division : divisions) {
      const std::string all = division.quotient.substr(0, division.quotient.find('['));
      out.line("float " + all + "[4];");
      out.pragma("unroll");
      out.line("for (int $e = $four; $e < $four + 4; ++$e) " + division.quotient + " = " +
               printExpr(division.denominator, context) + ";");
      const Expr numerator = Expr::real(division.numerator, Type::Float32);
      out.line(context.primitive("divideFour") + "(" + printExpr(numerator, context) + ", " + all + ");");
    }
    eachElement(tile, text, "$four", sharingElements, out);
  });
}

std::optional<Refusal> FragmentPrinter::elementRegion(const TileAssign &a, const Plane &plane, Writer &out) {
  const std::string r = rowOfElement("$e");
  const TileArray *tile = fragment(a.target.array);
  if (!tile) {
    store(a, plane, out);
    return std::nullopt;
  }
  if (a.update != Update::Set && a.update != Update::Sum)
    return Refusal{"an update of '" + a.target.array + "', element by element, that is no sum", {}};
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
      p = condition ? arrangeCondition(p, scope) : arrange(p, scope, approximates);
      p = hoisted(p, hoistRow, out);
      // the row of register e
      return ofRegister(p);
    };
    Expr where;
    const auto body = [&] {
      DividedValue divided{prepare(pairs ? beforeRounding(a.value) : a.value, false), {}};
      if (a.where && !perRow) where = prepare(a.where, true);
      if (roles.reported.contains(a.target.array))
        divided = shareDivisions(divided.value, scope, [&] {
          return symbolFor(context.names.fresh("quotient") + "[$e % 4]", Type::Float32);
        });
      std::string text = printExpr(divided.value, context);
      if (a.update == Update::Sum) text = name + "[$e] + " + text;
      if (perRow && !standsElsewhere(a)) text = vote->rows + "[" + r + "] ? " + text + " : " + name + "[$e]";
      if (where) text = printExpr(where, context) + " ? " + text + " : " + name + "[$e]";
      if (divided.divisions.empty())
        eachElement(*tile, text, "0", elements(tile->name), out);
      else
        eachFour(*tile, text, divided.divisions, out);
    };
    if (perRow)
      out.block("if (" + vote->any + ")", body);
    else
      body();
  });
  return std::nullopt;
}

} // namespace polymend::print_room
