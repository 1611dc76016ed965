// Elements of a matrix in registers go out to memory. A thread holds pairs of neighbours, four threads eight columns of
// a row: 16-bit elements change hands within the four, so that each of them stores 16 bytes at once: of four blocks of
// eight columns in a row, or, of warps side by side, of two blocks in two rows. Of these, pairs of floats are joined to
// 16 bytes too where rows begin at such.
#include "device/stride.h"
#include "role_fragment.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::dependsOn;
using device_room::Motion;
using device_room::motionOf;
using device_room::residueOf;
using device_room::stepOf;
namespace {

/// Elements in a store of 16 bytes.
std::int64_t groupOf(Type type) { return isNarrow(type) ? 8 : type == Type::Float64 ? 2 : 4; }

void conjuncts(const Expr &e, std::vector<Expr> &out) {
  if (!e) return;
  if (e.op() != Op::And) return out.push_back(e);
  for (const Expr &arg : e->args) conjuncts(arg, out);
}

std::string number(std::int64_t n) { return std::to_string(n); }

Expr at(const Expr &e, const std::string &variable, const Expr &value) {
  return substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); });
}

/// What is known of a condition at the columns of one group, which begins at a multiple of its size.
enum class AlongGroup {
  Alike,  // true at all columns or at none
  Convex, // true between two columns where it is true
  Unknown
};

/// `multiples`: sizes that are known to be multiples of the group's size.
AlongGroup alongGroup(const Expr &condition, const std::string &column, std::int64_t group,
                      const std::set<std::string> &multiples) {
  if (!dependsOn(condition, column)) return AlongGroup::Alike;
  const bool order = condition.op() == Op::Le || condition.op() == Op::Lt;
  if (!order || !isInteger(condition.arg(0).type())) return AlongGroup::Unknown;
  // condition: rest + step * column >= 0
  const Expr difference = condition.arg(1) - condition.arg(0);
  const std::optional<std::int64_t> step = stepOf(difference, column);
  if (!step) return AlongGroup::Unknown;
  std::optional<std::int64_t> residue = residueOf(at(difference, column, Expr::integer(0)), group, multiples);
  if (residue && condition.op() == Op::Lt) residue = (*residue + group - 1) % group;
  const bool alike = residue && ((*step == -1 && *residue == group - 1) || (*step == 1 && *residue == 0));
  return alike ? AlongGroup::Alike : AlongGroup::Convex;
}

} // namespace

/// A store of whole groups: which tests decide for a group.
struct FragmentPrinter::GroupGuards {
  Expr each; // holds for all columns of a group or for none
  Expr ends; // holds for all columns of a group where it holds for the first and the last; absent: no such test
};

/// Nothing where groups may not be stored at once: elements that are no neighbours, do not begin at 16 bytes, or go out
/// under a condition of which it is not known where it holds.
std::optional<FragmentPrinter::GroupGuards> FragmentPrinter::groupGuards(const TileAssign &a,
                                                                         const Plane &plane) const {
  const std::string &along = plane.columns->variable;
  const std::vector<Expr> &subscripts = a.target.subscripts;
  const Type type = context.typeOf(a.target.array);
  const bool wide = type == Type::Float32 || type == Type::Float64;
  const std::int64_t group = groupOf(type), together = warpsN == 1 ? 32 : 16; // columns of stores side by side
  if ((!isNarrow(type) && (!wide || warpsN == 1)) || constant(plane.columns->limit) / warpsN % together != 0)
    return std::nullopt;
  if (wide && !context.places.contains(a.target.array)) return std::nullopt;
  // Rows of 16-bit elements that the kernels write begin at multiples of 16 bytes: the host asks before it launches
  // this one; the kernel asks of wider ones.
  std::set<std::string> multiples;
  for (const auto &[name, place] : context.places)
    if (const TileArray *array = place.array; array && array->written && array->space == Space::Argument &&
                                              (wide ? name == a.target.array : isNarrow(array->type)) &&
                                              array->extents.size() > 1 && array->extents.back().op() == Op::Symbol)
      multiples.insert(array->extents.back()->name);
  const Expr first = at(subscripts.back(), along, Expr::integer(0));
  if (motionOf(subscripts, along) != Motion::Unit || residueOf(first, group, multiples) != 0) return std::nullopt;
  std::vector<Expr> conditions;
  conjuncts(a.where, conditions);
  GroupGuards guards;
  for (const Expr &condition : conditions) {
    const AlongGroup kind = alongGroup(condition, along, group, multiples);
    if (kind == AlongGroup::Unknown) return std::nullopt;
    Expr &all = kind == AlongGroup::Alike ? guards.each : guards.ends;
    all = all ? Expr::make(Op::And, {all, condition}) : condition;
  }
  return guards;
}

/// Reads of memory that move along a row and that the value needs more than once, with the choice of what is read
/// beyond the array: a name for each, in the value's place of them.
std::vector<std::pair<std::string, Expr>> FragmentPrinter::nameRepeatedReads(Expr &value) {
  const auto isRead = [&](const Expr &e) { return e.op() == Op::Read && movesInRow(e, scope); };
  const auto isGuarded = [&](const Expr &e) {
    return e.op() == Op::Select && isRead(e.arg(1)) && e.arg(2)->args.empty() && isFloating(e.type());
  };
  std::vector<std::pair<Expr, int>> counts;
  visit(value, [&](const Expr &e) {
    if (!isGuarded(e)) return;
    const auto known = std::find_if(counts.begin(), counts.end(), [&](const auto &c) { return equal(c.first, e); });
    if (known == counts.end())
      counts.emplace_back(e, 1);
    else
      ++known->second;
  });
  std::vector<std::pair<std::string, Expr>> names;
  for (const auto &[read, count] : counts) {
    if (count < 2) continue;
    const std::string name = context.names.fresh(context.names.of(read.arg(1)->name) + "_here");
    context.names.alias(name);
    context.scalars[name] = read.type();
    scope.moving.insert(name);
    const Expr symbol = Expr::symbol(name, read.type());
    value = rewrite(value, [&](const Expr &e) { return equal(e, read) ? symbol : e; });
    names.emplace_back(name, read);
  }
  return names;
}

void FragmentPrinter::store(const TileAssign &a, const Plane &plane, Writer &out) {
  const Type type = context.typeOf(a.target.array);
  const std::string r = "$r", here = "$c";
  const std::int64_t width = constant(plane.columns->limit) / warpsN; // of a warp
  const std::string ofWarp = coordinateOf(matrix, 1, Digit::To::Warp, "$warp");
  context.names.alias(here);
  context.narrow.insert(here);
  const auto atColumn = [&](const Expr &e, const Expr &c) {
    return placed(at(e, plane.columns->variable, c), plane, r, "$e");
  };
  const auto placeOf = [&](const Expr &c) {
    std::vector<Expr> subscripts;
    for (const Expr &s : a.target.subscripts) subscripts.push_back(atColumn(s, c));
    return printRef(a.target.array, subscripts, context);
  };
  const Expr c = Expr::symbol(here, Type::Int64);
  out.block("", [&] {
    Expr moved = placed(isNarrow(type) ? beforeRounding(a.value) : a.value, plane, r, "$e");
    std::vector<std::pair<std::string, Expr>> repeated = nameRepeatedReads(moved);
    for (auto &one : repeated) one.second = hoisted(arrange(one.second, scope, approximates), r, out);
    const Expr value = hoisted(arrange(moved, scope, approximates), r, out);
    const auto readRepeated = [&] {
      for (const auto &[name, read] : repeated)
        out.line("const " + spellFor(read.type(), context.table) + " " + name + " = " +
                 printAs(read, read.type(), context) + ";");
    };
    const auto defineAt = [&](const std::string &parameters) {
      const std::string text = isNarrow(type) ? printExpr(value, context) : printAs(value, type, context);
      if (repeated.empty()) return out.line("const auto $at = [&](" + parameters + ") { return " + text + "; };");
      out.line("const auto $at = [&](" + parameters + ") {");
      out.inside([&] {
        readRepeated();
        out.line("return " + text + ";");
      });
      out.line("};");
    };
    const auto guards = groupGuards(a, plane);
    if (guards && isNarrow(type)) {
      const std::string pack = context.primitive(type == Type::BFloat16 ? "packBrain" : "packHalf");
      const std::string quad = context.primitive("transposeQuad"), place = std::string(lane) + " % 4";
      out.pragma("unroll");
      if (warpsN == 1) {
        // Columns outside, rows within: what both rows of a thread read is at hand once.
        out.block("for (int $b = 0; $b < " + std::to_string(width / 8) + "; $b += 4)", [&] {
          out.pragma("unroll");
          out.block("for (int $r = 0; $r < 2; ++$r)", [&] {
            defineAt("int $e");
            out.line("const auto $pair = [&](int $b) { return " + pack +
                     "($at(4 * $b + 2 * $r), $at(4 * $b + 2 * $r + 1)); };");
            out.line("const uint4 $words = " + quad + "($pair($b), $pair($b + 1), $pair($b + 2), $pair($b + 3));");
            out.line("const int $c = 8 * ($b + " + place + ");");
            storeGroup(*guards, type, atColumn, placeOf, out);
          });
        });
        return;
      }
      // Rows outside: what all columns read in advance leaves sums no registers.
      out.block("for (int $p = 0; $p < " + std::to_string(warpsN) + "; ++$p)", [&] {
        out.pragma("unroll");
        out.block("for (int $b = 0; $b < " + std::to_string(width / 8) + "; $b += 2)", [&] {
          const std::string first = "4 * $b + " + firstOfRow("$r");
          defineAt("[[maybe_unused]] int $r, int $e");
          out.line("const auto $pair = [&](int $b, int $r) { return " + pack + "($at($r, " + first + "), $at($r, " +
                   first + " + 1)); };");
          out.line("const uint4 $words = " + quad +
                   "($pair($b, 2 * $p), $pair($b + 1, 2 * $p), $pair($b, 2 * $p + 1), $pair($b + 1, 2 * $p + 1));");
          out.line("const int $r = 2 * $p + " + place + " / 2;");
          out.line("const int $c = " + ofWarp + " + " + std::to_string(8 * warpsN) + " * $b + 8 * (" + lane + " % 2);");
          storeGroup(*guards, type, atColumn, placeOf, out);
        });
      });
      return;
    }
    const auto oneByOne = [&] {
      out.pragma("unroll");
      out.block("for (int $r = 0; $r < " + rows() + "; ++$r)", [&] {
        const Expr where = a.where ? placed(a.where, plane, r, "$e") : Expr();
        out.pragma("unroll");
        out.block("for (int $k = 0; $k < " + std::to_string(width / 4) + "; ++$k)", [&] {
          out.line("const int $e = 4 * ($k / 2) + " + firstOfRow("$r") + " + $k % 2;");
          out.line("const int $c = " + std::string(column) + " + " + cx + ";");
          const std::string test = where ? "if (" + printExpr(where, context) + ")" : "";
          const std::string assign = placeOf(c) + " = " + printAs(value, type, context) + ";";
          if (repeated.empty()) return out.line(where ? test + " " + assign : assign);
          out.block(test, [&] {
            readRepeated();
            out.line(assign);
          });
        });
      });
    };
    if (!guards) return oneByOne();
    const auto atOnce = [&] {
      const bool isDouble = type == Type::Float64;
      const std::string pair = context.primitive(isDouble ? "pairOfDoubles" : "joinPairs"), turn = number(8 * warpsN);
      out.pragma("unroll");
      out.block("for (int $r = 0; $r < " + rows() + "; ++$r)", [&] {
        out.pragma("unroll");
        out.block("for (int $b = 0; $b < " + number(width / 8) + "; $b += 2)", [&] {
          defineAt("int $e");
          const std::string first = "4 * $b + " + firstOfRow("$r");
          const std::string start = "const int $c = " + ofWarp + " + " + turn + " * $b + ";
          if (!isDouble) {
            out.line("const uint4 $words = " + pair + "($at(" + first + "), $at(" + first + " + 1), $at(" + first +
                     " + 4), $at(" + first + " + 5));");
            out.line(start + "8 * (" + lane + " % 2) + " + lane + " % 4 / 2 * 4;");
            return storeGroup(*guards, type, atColumn, placeOf, out);
          }
          out.pragma("unroll");
          out.block("for (int $k = 0; $k < 2; ++$k)", [&] {
            out.line("const uint4 $words = " + pair + "($at(4 * $k + " + first + "), $at(4 * $k + " + first +
                     " + 1));");
            out.line(start + "8 * $k + 2 * (" + lane + " % 4);");
            storeGroup(*guards, type, atColumn, placeOf, out);
          });
        });
      });
    };
    const TileArray *array = context.places.at(a.target.array).array;
    std::string reach = "reinterpret_cast<std::uintptr_t>(" + context.names.of(a.target.array) + ") % 16 == 0";
    if (array && array->extents.size() > 1)
      reach += " && " + printExpr(array->extents.back(), context) + " % " + number(groupOf(type)) + " == 0";
    context.needs.headers.insert("cstdint");
    out.block("if (" + reach + ")", "} else {", atOnce);
    out.inside(oneByOne);
    out.line("}");
  });
}

/// The elements of `$words`, whose first is in column `$c`.
void FragmentPrinter::storeGroup(const GroupGuards &guards, Type type,
                                 const std::function<Expr(const Expr &, const Expr &)> &atColumn,
                                 const std::function<std::string(const Expr &)> &placeOf, Writer &out) {
  const std::int64_t group = groupOf(type);
  const Expr first = Expr::symbol("$c", Type::Int64);
  const auto test = [&](const Expr &e, const Expr &column) { return printExpr(atColumn(e, column), context); };
  const std::string whole = "*reinterpret_cast<uint4 *>(&" + placeOf(first) + ") = $words;";
  const std::string each = guards.each ? "if (" + test(guards.each, first) + ")" : "";
  if (!guards.ends) return out.line(guards.each ? each + " " + whole : whole);
  const auto stores = [&] {
    const Expr last = first + Expr::integer(group - 1);
    out.block("if (" + test(guards.ends, first) + " && " + test(guards.ends, last) + ")", "} else {",
              [&] { out.line(whole); });
    out.inside([&] {
      context.names.alias("$i");
      context.narrow.insert("$i");
      const Expr one = first + Expr::symbol("$i", Type::Int64);
      out.pragma("unroll");
      out.line("for (int $i = 0; $i < " + std::to_string(group) + "; ++$i) if (" + test(guards.ends, one) + ") " +
               placeOf(one) + " = reinterpret_cast<const " + spellFor(type, context.table) + " *>(&$words)[$i];");
    });
    out.line("}");
  };
  if (each.empty())
    stores();
  else
    out.block(each, stores);
}

} // namespace polymend::print_room
