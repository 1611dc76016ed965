// Regions that leave a value for each element, in registers.
#include "device/shared_division.h"
#include "role_fragment.h"

namespace polymend::print_room {

using device_room::sharingElements;

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
void FragmentPrinter::eachFour(const TileArray &tile, const std::string &text, const DeviceRegisters &part,
                               Writer &out) {
  out.pragma("unroll");
  out.block("for (int $four = 0; $four < " + std::to_string(elements(tile.name)) + "; $four += 4)", [&] {
    for (const DeviceDivision &division : part.divisions) {
      const std::string &quotient = named.at(division.quotient).text, all = quotient.substr(0, quotient.find('['));
      out.line("float " + all + "[4];");
      out.pragma("unroll");
      out.line("for (int $e = $four; $e < $four + 4; ++$e) " + quotient + " = " +
               textOf(division.denominator, part, At::Register) + ";");
      const Expr numerator = Expr::real(division.numerator, Type::Float32);
      out.line(context.primitive("divideFour") + "(" + printExpr(numerator, context) + ", " + all + ");");
    }
    eachElement(tile, text, "$four", sharingElements, out);
  });
}

void FragmentPrinter::moved(const DeviceRegisters &part, Writer &out) {
  const std::string &target = part.what.target.array;
  out.pragma("unroll");
  out.line("for (int $p = 0; $p < " + std::to_string(elements(target) / 2) + "; ++$p) " + context.names.of(target) +
           "[$p] = " + context.names.of(part.what.value->name) + "[$p] ^ " + zero + ";");
}

void FragmentPrinter::elementRegion(const DeviceRegisters &part, Writer &out) {
  const TileAssign &a = part.what;
  const TileArray &tile = *fragment(a.target.array);
  const std::string &name = context.names.of(tile.name);
  const Vote *const voted = part.vote.empty() ? nullptr : &votes.at(part.vote);
  const auto body = [&] {
    before(part, out);
    for (const DeviceDivision &d : part.divisions)
      named[d.quotient] = {context.names.fresh("quotient") + "[$e % 4]", Type::Float32, false};
    std::string text = textOf(a.value, part, At::Register);
    if (a.update == Update::Sum) text = name + "[$e] + " + text;
    if (voted && !part.everywhere) text = voted->rows + "[" + rowOfElement() + "] ? " + text + " : " + name + "[$e]";
    if (a.where && !voted) text = textOf(a.where, part, At::Register) + " ? " + text + " : " + name + "[$e]";
    if (part.form == DeviceRegisters::Form::Fours)
      eachFour(tile, text, part, out);
    else
      eachElement(tile, text, "0", elements(tile.name), out);
  };
  out.block("", [&] {
    if (voted)
      out.block("if (" + voted->any + ")", body);
    else
      body();
  });
}

} // namespace polymend::print_room
