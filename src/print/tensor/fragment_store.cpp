// Elements of a matrix in registers go out to memory. A thread holds pairs of neighbours, four threads eight columns of
// a row: 16-bit elements change hands within the four, so that each of them stores 16 bytes at once: of four blocks of
// eight columns in a row, or, of warps side by side, of two blocks in two rows. Of these, pairs of floats are joined to
// 16 bytes too where rows begin at such.
#include "role_fragment.h"

namespace polymend::print_room {

namespace {

/// Elements in a store of 16 bytes.
std::int64_t groupOf(Type type) { return isNarrow(type) ? 8 : type == Type::Float64 ? 2 : 4; }

} // namespace

/// A condition over the column, or a subscript, at column `c`.
std::string FragmentPrinter::guardAt(const Expr &guard, const DeviceRegisters &part, const Expr &c) {
  return textOf(substitute(guard, [&](const std::string &name) { return name == part.column->variable ? c : Expr(); }),
                part, At::Row);
}

std::string FragmentPrinter::targetAt(const DeviceRegisters &part, const Expr &c) {
  std::vector<Expr> subscripts;
  for (const Expr &s : part.what.target.subscripts)
    subscripts.push_back(
        placed(substitute(s, [&](const std::string &name) { return name == part.column->variable ? c : Expr(); }), part,
               At::Row));
  return printRef(part.what.target.array, subscripts, context);
}

void FragmentPrinter::readRepeated(const DeviceRegisters &part, Writer &out) {
  for (const auto &[name, read] : part.reads)
    out.line("const " + spellFor(read.type(), context.table) + " " + named.at(name).text + " = " +
             printAs(placed(read, part, At::Row), read.type(), context) + ";");
}

/// $at, the value of element $e.
void FragmentPrinter::defineAt(const DeviceRegisters &part, Type type, const std::string &parameters, Writer &out) {
  const Expr value = placed(part.what.value, part, At::Row);
  const std::string text = isNarrow(type) ? printExpr(value, context) : printAs(value, type, context);
  if (part.reads.empty()) return out.line("const auto $at = [&](" + parameters + ") { return " + text + "; };");
  out.line("const auto $at = [&](" + parameters + ") {");
  out.inside([&] {
    readRepeated(part, out);
    out.line("return " + text + ";");
  });
  out.line("};");
}

void FragmentPrinter::store(const DeviceRegisters &part, Writer &out) {
  const Type type = context.typeOf(part.what.target.array);
  context.names.alias("$c");
  context.narrow.insert("$c");
  out.block("", [&] {
    named.clear();
    for (const auto &[name, read] : part.reads) {
      const std::string &array = read.op() == Op::Select ? read.arg(1)->name : read->name;
      named[name] = {context.names.fresh(context.names.of(array) + "_here"), read.type(), false};
    }
    const auto reads = named;
    before(part, out);
    named.insert(reads.begin(), reads.end());
    if (part.form == DeviceRegisters::Form::Stored)
      oneByOne(part, type, out);
    else if (isNarrow(type))
      narrowWords(part, type, out);
    else
      wideWords(part, type, out);
  });
}

void FragmentPrinter::oneByOne(const DeviceRegisters &part, Type type, Writer &out) {
  const std::int64_t width = constant(part.column->limit) / warpsN; // of a warp
  out.pragma("unroll");
  out.block("for (int $r = 0; $r < " + rows() + "; ++$r)", [&] {
    const std::string where = part.what.where ? textOf(part.what.where, part, At::Row) : "";
    out.pragma("unroll");
    out.block("for (int $k = 0; $k < " + number(width / 4) + "; ++$k)", [&] {
      out.line("const int $e = 4 * ($k / 2) + " + firstOfRow() + " + $k % 2;");
      out.line("const int $c = " + std::string(column) + " + " + cx + ";");
      const std::string test = where.empty() ? "" : "if (" + where + ")";
      const std::string assign = targetAt(part, Expr::symbol("$c", Type::Int64)) + " = " +
                                 printAs(placed(part.what.value, part, At::Row), type, context) + ";";
      if (part.reads.empty()) return out.line(where.empty() ? assign : test + " " + assign);
      out.block(test, [&] {
        readRepeated(part, out);
        out.line(assign);
      });
    });
  });
}

void FragmentPrinter::narrowWords(const DeviceRegisters &part, Type type, Writer &out) {
  const std::int64_t width = constant(part.column->limit) / warpsN;
  const std::string pack = context.primitive(type == Type::BFloat16 ? "packBrain" : "packHalf");
  const std::string quad = context.primitive("transposeQuad"), place = std::string(lane) + " % 4";
  out.pragma("unroll");
  if (warpsN == 1) {
    // Columns outside, rows within: what both rows of a thread read is at hand once.
    out.block("for (int $b = 0; $b < " + number(width / 8) + "; $b += 4)", [&] {
      out.pragma("unroll");
      out.block("for (int $r = 0; $r < 2; ++$r)", [&] {
        defineAt(part, type, "int $e", out);
        out.line("const auto $pair = [&](int $b) { return " + pack +
                 "($at(4 * $b + 2 * $r), $at(4 * $b + 2 * $r + 1)); };");
        out.line("const uint4 $words = " + quad + "($pair($b), $pair($b + 1), $pair($b + 2), $pair($b + 3));");
        out.line("const int $c = 8 * ($b + " + place + ");");
        storeWord(part, type, out);
      });
    });
    return;
  }
  // Rows outside: what all columns read in advance leaves sums no registers.
  const std::string ofWarp = coordinateOf(matrix, 1, Digit::To::Warp, "$warp");
  out.block("for (int $p = 0; $p < " + number(warpsN) + "; ++$p)", [&] {
    out.pragma("unroll");
    out.block("for (int $b = 0; $b < " + number(width / 8) + "; $b += 2)", [&] {
      const std::string first = "4 * $b + " + firstOfRow();
      defineAt(part, type, "[[maybe_unused]] int $r, int $e", out);
      out.line("const auto $pair = [&](int $b, int $r) { return " + pack + "($at($r, " + first + "), $at($r, " + first +
               " + 1)); };");
      out.line("const uint4 $words = " + quad +
               "($pair($b, 2 * $p), $pair($b + 1, 2 * $p), $pair($b, 2 * $p + 1), $pair($b + 1, 2 * $p + 1));");
      out.line("const int $r = 2 * $p + " + place + " / 2;");
      out.line("const int $c = " + ofWarp + " + " + number(8 * warpsN) + " * $b + 8 * (" + lane + " % 2);");
      storeWord(part, type, out);
    });
  });
}

/// Of floats and doubles, where rows begin at 16 bytes.
void FragmentPrinter::wideWords(const DeviceRegisters &part, Type type, Writer &out) {
  const bool isDouble = type == Type::Float64;
  const std::int64_t width = constant(part.column->limit) / warpsN;
  const std::string pair = context.primitive(isDouble ? "pairOfDoubles" : "joinPairs"), turn = number(8 * warpsN);
  const std::string ofWarp = coordinateOf(matrix, 1, Digit::To::Warp, "$warp");
  const auto atOnce = [&] {
    out.pragma("unroll");
    out.block("for (int $r = 0; $r < " + rows() + "; ++$r)", [&] {
      out.pragma("unroll");
      out.block("for (int $b = 0; $b < " + number(width / 8) + "; $b += 2)", [&] {
        defineAt(part, type, "int $e", out);
        const std::string first = "4 * $b + " + firstOfRow();
        const std::string start = "const int $c = " + ofWarp + " + " + turn + " * $b + ";
        if (!isDouble) {
          out.line("const uint4 $words = " + pair + "($at(" + first + "), $at(" + first + " + 1), $at(" + first +
                   " + 4), $at(" + first + " + 5));");
          out.line(start + "8 * (" + lane + " % 2) + " + lane + " % 4 / 2 * 4;");
          return storeWord(part, type, out);
        }
        out.pragma("unroll");
        out.block("for (int $k = 0; $k < 2; ++$k)", [&] {
          out.line("const uint4 $words = " + pair + "($at(4 * $k + " + first + "), $at(4 * $k + " + first + " + 1));");
          out.line(start + "8 * $k + 2 * (" + lane + " % 4);");
          storeWord(part, type, out);
        });
      });
    });
  };
  const std::string &target = part.what.target.array;
  const TileArray *array = context.places.at(target).array;
  std::string reach = "reinterpret_cast<std::uintptr_t>(" + context.names.of(target) + ") % 16 == 0";
  if (array && array->extents.size() > 1)
    reach += " && " + printExpr(array->extents.back(), context) + " % " + number(groupOf(type)) + " == 0";
  context.needs.headers.insert("cstdint");
  out.block("if (" + reach + ")", "} else {", atOnce);
  out.inside([&] { oneByOne(part, type, out); });
  out.line("}");
}

/// The elements of `$words`, whose first is in column `$c`.
void FragmentPrinter::storeWord(const DeviceRegisters &part, Type type, Writer &out) {
  const std::int64_t group = groupOf(type);
  const Expr first = Expr::symbol("$c", Type::Int64);
  const std::string whole = "*reinterpret_cast<uint4 *>(&" + targetAt(part, first) + ") = $words;";
  const std::string each = part.each ? "if (" + guardAt(part.each, part, first) + ")" : "";
  if (!part.ends) return out.line(part.each ? each + " " + whole : whole);
  const auto stores = [&] {
    const Expr last = first + Expr::integer(group - 1);
    out.block("if (" + guardAt(part.ends, part, first) + " && " + guardAt(part.ends, part, last) + ")", "} else {",
              [&] { out.line(whole); });
    out.inside([&] {
      context.names.alias("$i");
      context.narrow.insert("$i");
      const Expr one = first + Expr::symbol("$i", Type::Int64);
      out.pragma("unroll");
      out.line("for (int $i = 0; $i < " + number(group) + "; ++$i) if (" + guardAt(part.ends, part, one) + ") " +
               targetAt(part, one) + " = reinterpret_cast<const " + spellFor(type, context.table) +
               " *>(&$words)[$i];");
    });
    out.line("}");
  };
  if (each.empty())
    stores();
  else
    out.block(each, stores);
}

} // namespace polymend::print_room
