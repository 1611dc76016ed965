// A region is a loop over the registers of its target. What does not change along a row is computed first, once for
// each of the thread's two rows. Sums over a row stay apart, one part a thread, until something reads them otherwise
// than by scaling; maxima are combined at once.
#include "print/role_fragment.h"

#include "polymend/atoms.h"

#include "print/region.h"

#include <algorithm>

namespace polymend::print_room {
namespace {

std::int64_t constant(const Expr &e) { return e && e.op() == Op::Integer ? e->integer : 0; }

/// The text with conditions whose parts are all evaluated: registers are at hand, jumps would part a warp.
std::string withoutBranches(std::string text) {
  for (const auto &[from, to] : {std::pair{" && ", " & "}, std::pair{" || ", " | "}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) text.replace(at, 4, to);
  return text;
}

} // namespace

FragmentPrinter::FragmentPrinter(const Kernel &k, Context &c) : kernel(k), context(c) {
  const auto first = std::find_if(kernel.tiles.begin(), kernel.tiles.end(),
                                  [&](const TileArray &t) { return columns(t.name) > 0 && t.layout; });
  if (first != kernel.tiles.end()) matrix = first->layout;
  if (matrix) {
    cx = "(" + coordinateOf(matrix, 1, Digit::To::Register, "$e") + ")";
    rowOf = "($row + " + coordinateOf(sliced(matrix, 1, false), 0, Digit::To::Register, "$r") + ")";
    rowOfRegister = "($row + " + coordinateOf(matrix, 0, Digit::To::Register, "$e") + ")";
  }
  scope.column = cx;
  scope.moving.insert(cx);
  context.names.alias(cx);
  for (const char *name : {row, column, lane}) context.names.alias(name);
  for (const TileArray &tile : kernel.tiles)
    if (!tile.layout.parts.empty()) parts.insert(tile.name);
}

const TileArray *FragmentPrinter::fragment(const std::string &name) const {
  const auto at =
      std::find_if(kernel.tiles.begin(), kernel.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == kernel.tiles.end() || at->space != Space::Fragment ? nullptr : &*at;
}

std::int64_t FragmentPrinter::columns(const std::string &name) const {
  const TileArray *tile = fragment(name);
  return tile && tile->extents.size() == 2 ? constant(tile->extents[1]) : 0;
}

/// The 16-bit matrix that is moved, as it is, into another.
const TileArray *FragmentPrinter::movedFrom(const TileAssign &a) const {
  const TileArray *from = a.value.op() == Op::Read ? fragment(a.value->name) : nullptr;
  const TileArray *to = fragment(a.target.array);
  const bool moves = from && to && isNarrow(to->type) && from->type == to->type && to->extents.size() == 2 &&
                     a.update == Update::Set && !a.where;
  return moves ? from : nullptr;
}

bool FragmentPrinter::hasMoves(const TileBlock &block) const {
  return std::any_of(block.begin(), block.end(), [&](const TileNode &node) {
    if (const auto *l = std::get_if<std::shared_ptr<const TileLoop>>(&node)) return hasMoves((*l)->body);
    if (const auto *b = std::get_if<std::shared_ptr<const TileBranch>>(&node)) return hasMoves((*b)->then);
    const auto *p = std::get_if<std::shared_ptr<const TilePoints>>(&node);
    return p && std::any_of((*p)->body.begin(), (*p)->body.end(), [&](const TileAssign &a) { return movedFrom(a); });
  });
}

std::optional<Refusal> FragmentPrinter::misplaced() const {
  const MatrixAtom atom = atomOf(MatrixInstructions::MmaSync, 2);
  for (const TileArray &tile : kernel.tiles) {
    if (tile.space != Space::Fragment) continue;
    const bool vector = tile.extents.size() == 1;
    const std::int64_t groups = constant(tile.extents[0]) / (4 * atom.rows);
    const TileLayout sums = sumsOf(atom, vector ? atom.columns : columns(tile.name), groups);
    if (tile.layout != (vector ? sliced(sums, 1, !tile.layout.parts.empty()) : sums))
      return Refusal{"'" + tile.name + "', which lies as " + show(tile.layout), {}};
  }
  return std::nullopt;
}

void FragmentPrinter::place(Writer &out, const std::string &group) const {
  out.line("// This thread's first element of every tile: rows go on by 8, columns in blocks of 8.");
  out.line("[[maybe_unused]] const int " + std::string(row) + " = 64 * " + group + " + " +
           coordinateOf(matrix, 0, Digit::To::Warp, "$warp") + " + " + coordinateOf(matrix, 0, Digit::To::Lane, lane) +
           ";");
  out.line("[[maybe_unused]] const int " + std::string(column) + " = " +
           coordinateOf(matrix, 1, Digit::To::Lane, lane) + ";");
  context.narrow.insert(row);
  context.narrow.insert(column);
}

void FragmentPrinter::declare(Writer &out) {
  for (const TileRole &role : kernel.roles) {
    if (!hasMoves(role.body)) continue;
    out.line(
        "// Always zero, unknown to the assembler: else a register that products still read is also where the next");
    out.line("// one's operand is made.");
    out.line("const std::uint32_t " + std::string(zero) + " = static_cast<std::uint32_t>($points >> 62);");
  }
  for (const TileArray &tile : kernel.tiles) {
    if (tile.space != Space::Fragment) continue;
    const bool words = tile.extents.size() == 2 && isNarrow(tile.type);
    const std::string type = words                      ? "std::uint32_t"
                             : isFloating(tile.type)    ? spell(computeType(tile.type))
                             : tile.extents.size() == 1 ? "int"
                                                        : spell(computeType(tile.type));
    out.line(type + " " + context.names.of(tile.name) + "[" +
             std::to_string(registersOf(tile.layout) / (words ? 2 : 1)) + "];");
  }
}

std::optional<FragmentPrinter::Plane> FragmentPrinter::planeOf(const TilePoints &points) const {
  if (points.dims.empty() || points.dims.size() > 2) return std::nullopt;
  std::set<std::string> rowNames;
  const auto note = [&](const std::string &array, const std::vector<Expr> &subscripts) {
    if (fragment(array) && !subscripts.empty() && subscripts[0].op() == Op::Symbol)
      rowNames.insert(subscripts[0]->name);
  };
  for (const TileAssign &a : points.body) {
    note(a.target.array, a.target.subscripts);
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) note(e->name, e->args);
    });
  }
  Plane plane;
  const bool rowsAlone = rowNames.empty() && points.dims.size() == 1;
  for (const PointDim &d : points.dims) (rowsAlone || rowNames.count(d.variable) ? plane.rows : plane.columns) = &d;
  if (!plane.rows || (points.dims.size() == 2) != (plane.columns != nullptr)) return std::nullopt;
  return plane;
}

std::string FragmentPrinter::symbolFor(const std::string &text, Type type) {
  context.names.alias(text);
  if (isFloating(type)) context.scalars[text] = computeType(type);
  return text;
}

/// The expression at row `r` of the thread and register `x`.
Expr FragmentPrinter::placed(const Expr &e, const Plane &plane, const std::string &r, const std::string &x) {
  Expr rowIndex = Expr::symbol(symbolFor(rowOf, Type::Int64), Type::Int64);
  context.narrow.insert(rowOf);
  const Expr moved = substitute(e, [&](const std::string &name) {
    if (name == plane.rows->variable) return rowIndex;
    if (plane.columns && name == plane.columns->variable)
      return Expr::symbol(column, Type::Int64) + Expr::symbol(scope.column, Type::Int64);
    return Expr();
  });
  return rewrite(moved, [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    if (const auto words = loaded.find(node->name); words != loaded.end()) {
      const Type type = computeType(node.type());
      const std::string text =
          symbolFor(isNarrow(node.type()) ? wide(node.type(), words->second, x) : words->second + "[" + x + "]", type);
      scope.moving.insert(text);
      return Expr::symbol(text, type);
    }
    const TileArray *tile = fragment(node->name);
    if (!tile) return node;
    const std::string &name = context.names.of(node->name);
    if (tile->extents.size() == 1) return Expr::symbol(symbolFor(name + "[" + r + "]", tile->type), node.type());
    const bool narrow = isNarrow(tile->type);
    const std::string text = symbolFor(narrow ? wide(tile->type, name, x) : name + "[" + x + "]", tile->type);
    scope.moving.insert(text);
    return Expr::symbol(text, narrow ? Type::Float32 : node.type());
  });
}

/// Parts of `e` that are the same along a row and are no plain values go to arrays of two before the loop.
Expr FragmentPrinter::hoisted(const Expr &e, const std::string &r, Writer &out) {
  const bool leaf = e->args.empty() || e.op() == Op::Read;
  if (!movesInRow(e, scope)) {
    const bool simple = leaf || (e.op() == Op::Neg && e.arg(0)->args.empty());
    bool uniform = true;
    visit(e, [&](const Expr &node) {
      if (node.op() == Op::Symbol && node->name.find(r) != std::string::npos &&
          node->name.find_first_of("[+") != std::string::npos)
        uniform = false;
    });
    if (simple && e.op() != Op::Read) return e;
    const std::string name = context.names.fresh("h" + std::to_string(++counter));
    const bool isInt = isInteger(e.type());
    const std::string type = e.type() == Type::Bool ? "bool" : isInt ? "int" : spell(computeType(e.type()));
    const std::string value = isInt ? "static_cast<int>(" + printExpr(e, context) + ")" : printExpr(e, context);
    if (uniform) {
      out.line("const " + type + " " + name + " = " + value + ";");
      const std::string text = symbolFor(name, e.type());
      if (isInt) context.narrow.insert(text);
      return Expr::symbol(text, e.type());
    }
    out.line(type + " " + name + "[2];");
    out.pragma("unroll");
    out.line("for (int " + r + " = 0; " + r + " < 2; ++" + r + ") " + name + "[" + r + "] = " + value + ";");
    const std::string text = symbolFor(name + "[" + r + "]", e.type());
    if (isInt) context.narrow.insert(text);
    return Expr::symbol(text, e.type());
  }
  if (leaf) return e;
  ExprNode node = *e;
  for (Expr &arg : node.args) arg = hoisted(arg, r, out);
  return Expr{node};
}

/// The expression with the row of register e for row r.
Expr FragmentPrinter::ofRegister(const Expr &e) {
  return substitute(e, [&](const std::string &symbol) {
    if (symbol == rowOf) {
      context.narrow.insert(rowOfRegister);
      return Expr::symbol(symbolFor(rowOfRegister, Type::Int64), Type::Int64);
    }
    const std::size_t at = symbol.find("[$r]");
    if (at == std::string::npos) return Expr();
    const auto real = context.scalars.find(symbol);
    const Type type = real == context.scalars.end() ? Type::Int64 : real->second;
    const std::string text = symbol.substr(0, at) + "[$e / 2 % 2]";
    if (context.narrow.contains(symbol)) context.narrow.insert(text);
    return Expr::symbol(symbolFor(text, type), type);
  });
}

void FragmentPrinter::combine(const std::string &name, Writer &out) {
  parts.erase(name);
  const std::string &text = context.names.of(name);
  out.pragma("unroll");
  out.line("for (int $r = 0; $r < 2; ++$r) " + text + "[$r] = " + context.primitive("combineLanes") + "<4>(" + text +
           "[$r], polymend_rt::Add{});");
  context.needs.primitives.insert("Add");
}

std::optional<Refusal> FragmentPrinter::rowRegion(const TileAssign &a, const Plane &plane, Writer &out) {
  if (neverMarks && a.target.array == kernel.again) return std::nullopt;
  const std::string r = "$r";
  const Expr value = arrange(placed(a.value, plane, r, "$e"), scope, context);
  std::string test = a.where ? printExpr(placed(a.where, plane, r, "$e"), context) : "";
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
  if (a.target.array == kernel.again) {
    out.block(loop + " if (" + test + ")", [&] {
      out.line(target + " = static_cast<int>(" + printExpr(result, context) + ");");
      if (!markWord.empty()) out.line("if (" + target + " != 0) " + markWord + " = 1;");
    });
    return std::nullopt;
  }
  const std::string text = withoutBranches(isFloating(type) ? printAs(result, type, context)
                                                            : "static_cast<int>(" + printExpr(result, context) + ")");
  out.line(loop + (test.empty() ? " " : " if (" + test + ") ") + target + " = " + text + ";");
  return std::nullopt;
}

std::optional<Refusal> FragmentPrinter::elementRegion(const TileAssign &a, const Plane &plane, Writer &out) {
  const std::string r = "$e / 2 % 2";
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
    out.line("for (int $p = 0; $p < " + std::to_string(columns(a.target.array) / 4) + "; ++$p) " + name +
             "[$p] = " + context.names.of(from->name) + "[$p] ^ " + zero + ";");
    return std::nullopt;
  }
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
    bool perRow = false;
    if (a.where) {
      const Expr placedWhere = placed(a.where, plane, hoistRow, "$e");
      perRow = !movesInRow(placedWhere, scope);
      if (perRow) {
        out.line("bool $moves[2];");
        out.pragma("unroll");
        out.line("for (int $r = 0; $r < 2; ++$r) $moves[$r] = " + printExpr(placedWhere, context) + ";");
      }
    }
    const auto body = [&] {
      const Expr source = pairs ? beforeRounding(a.value) : a.value;
      const Expr value = prepare(source, false);
      if (a.where && !perRow) where = prepare(a.where, true);
      std::string text = printExpr(value, context);
      if (a.update == Update::Sum) text = name + "[$e] + " + text;
      if (perRow) text = "$moves[" + r + "] ? " + text + " : " + name + "[$e]";
      if (where) text = printExpr(where, context) + " ? " + text + " : " + name + "[$e]";
      out.pragma("unroll");
      if (!pairs) {
        out.line("for (int $e = 0; $e < " + std::to_string(columns(a.target.array) / 2) + "; ++$e) " + name +
                 "[$e] = " + text + ";");
        return;
      }
      const std::string pack = context.primitive(tile->type == Type::BFloat16 ? "packBrain" : "packHalf");
      out.block("for (int $p = 0; $p < " + std::to_string(columns(a.target.array) / 4) + "; ++$p)", [&] {
        out.line("const auto $at = [&](int $e) { return " + text + "; };");
        out.line(name + "[$p] = " + pack + "($at(2 * $p), $at(2 * $p + 1));");
      });
    };
    if (perRow)
      out.block("if (__any_sync(0xffffffffu, $moves[0] || $moves[1]))", body);
    else
      body();
  });
  return std::nullopt;
}

std::optional<Refusal> FragmentPrinter::reduction(const TileAssign &a, const Plane &plane, Writer &out) {
  const TileArray *tile = fragment(a.target.array);
  if (!tile || tile->extents.size() != 1) return Refusal{"a reduction that is none of rows", {}};
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
    const Expr inner = ofRegister(hoisted(arrange(peeled.inner, scope, context), hoistRow, out));
    Expr where;
    if (a.where) {
      const Expr condition = placed(a.where, plane, hoistRow, "$e");
      where = ofRegister(hoisted(arrangeCondition(condition, scope), hoistRow, out));
    }
    std::string neutralText = sum ? (isDouble ? "0.0" : "0.0f") : most ? "-INFINITY" : "INFINITY";
    if (!floating) neutralText = sum ? "0" : most ? "INT_MIN" : "INT_MAX";
    context.needs.headers.insert("cmath");
    if (!floating) context.needs.headers.insert("climits");
    const std::string n = neutralText;
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
        if (!open) context.needs.primitives.insert("Add");
        out.line(name + "[$r] += " +
                 (open ? all : context.primitive("combineLanes") + "<4>(" + all + ", polymend_rt::Add{})") + ";");
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

/// Element `x` of words that hold pairs of 16-bit numbers.
std::string FragmentPrinter::wide(Type type, const std::string &words, const std::string &x) {
  const std::string widen = context.primitive(type == Type::BFloat16 ? "widenBrain" : "widenHalf");
  return widen + "(" + words + "[" + x + " / 2], " + x + " % 2)";
}

/// Takes this thread's share of every tile in shared memory that the region reads into registers, laid out as
/// fragments.
void FragmentPrinter::load(const TilePoints &points, const Plane &plane, Writer &out) {
  std::map<std::string, bool> across; // tiles, and whether their rows are the region's columns
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read && slots.count(e->name) && plane.columns)
        across[e->name] = e->args[0].op() != Op::Symbol || e->args[0]->name != plane.rows->variable;
    });
  for (const auto &[name, turned] : across) {
    const Slot &slot = slots.at(name);
    const std::string words = context.names.fresh(context.names.of(name) + "_words");
    if (!isNarrow(slot.type)) {
      loadWide(words, slot, turned, constant(plane.columns->limit), out);
      loaded[name] = words;
      continue;
    }
    const std::string panel = std::to_string(slot.panelBytes), width = std::to_string(constant(plane.columns->limit));
    out.line("std::uint32_t " + words + "[" + width + " / 4];");
    out.pragma("unroll");
    const std::string loop = "for (int $k = 0; $k < " + width + " / 16; ++$k) ";
    if (turned)
      out.line(loop + context.primitive("loadBlockAcross") + "(&" + words + "[4 * $k], " + slot.address + " + " + row +
               " / 64 * " + panel + ", 16 * $k, " + row + " % 64 / 8);");
    else
      out.line(loop + context.primitive("loadBlock") + "(&" + words + "[4 * $k], " + slot.address + " + $k / 4 * " +
               panel + ", " + row + " - " + lane + " / 4, 2 * ($k % 4));");
    loaded[name] = words;
  }
}

/// The same of a tile of floats or doubles: blocks of 8 x 8 elements.
void FragmentPrinter::loadWide(const std::string &words, const Slot &slot, bool turned, std::int64_t width,
                               Writer &out) {
  const std::string type = spell(slot.type), panel = std::to_string(slot.panelBytes);
  const std::string across = turned ? "true" : "false";
  const std::string load = context.primitive("loadShare") + "<" + across + ", " + panel + ">(";
  out.line(type + " " + words + "[" + std::to_string(width / 2) + "];");
  const std::string start = context.names.fresh(words + "_start");
  out.line("const std::uint32_t " + start + " = " + context.primitive("shareStart") + "<" + type + ", " + across +
           ">(" + slot.address + ");");
  out.pragma("unroll");
  out.block("for (int $k = 0; $k < " + std::to_string(width / 8) + "; ++$k)", [&] {
    for (int half = 0; half < 2; ++half) {
      const std::string block = std::string(row) + " / 8" + (half == 0 ? "" : " + 1");
      out.line(load + words + "[4 * $k + " + std::to_string(2 * half) + "], " + words + "[4 * $k + " +
               std::to_string(2 * half + 1) + "], " + start + ", " + (turned ? "$k, " + block : block + ", $k") + ");");
    }
  });
}

std::optional<Refusal> FragmentPrinter::region(const TilePoints &points, Writer &out) {
  const auto plane = planeOf(points);
  if (!plane) return Refusal{"a region without rows", {}};
  bool shared = false;
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) { shared = shared || (e.op() == Op::Read && slots.count(e->name) > 0); });
  if (!shared) return compute(points, *plane, out);
  std::optional<Refusal> refusal;
  out.block("", [&] {
    load(points, *plane, out);
    refusal = compute(points, *plane, out);
  });
  loaded.clear();
  return refusal;
}

std::optional<Refusal> FragmentPrinter::compute(const TilePoints &points, const Plane &plane, Writer &out) {
  for (const TileAssign &a : points.body) {
    std::optional<Refusal> refusal;
    if (!plane.columns)
      refusal = rowRegion(a, plane, out);
    else if (plane.columns->kind == PointDim::Kind::Parallel)
      refusal = elementRegion(a, plane, out);
    else
      refusal = reduction(a, plane, out);
    if (refusal) return refusal;
  }
  return std::nullopt;
}

} // namespace polymend::print_room
