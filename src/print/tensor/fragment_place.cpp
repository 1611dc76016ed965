// The expressions of a region at a thread's rows and registers. What does not change along a row is computed first,
// once for each of the thread's rows.
#include "role_fragment.h"

namespace polymend::print_room {

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
    out.line(type + " " + name + "[" + rows() + "];");
    out.pragma("unroll");
    out.line("for (int " + r + " = 0; " + r + " < " + rows() + "; ++" + r + ") " + name + "[" + r + "] = " + value +
             ";");
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
    const std::string text = symbol.substr(0, at) + "[" + rowOfElement("$e") + "]";
    if (context.narrow.contains(symbol)) context.narrow.insert(text);
    return Expr::symbol(symbolFor(text, type), type);
  });
}

/// Element `x` of words that hold pairs of 16-bit numbers.
std::string FragmentPrinter::wide(Type type, const std::string &words, const std::string &x) {
  const std::string widen = context.primitive(type == Type::BFloat16 ? "widenBrain" : "widenHalf");
  return widen + "(" + words + "[" + x + " / 2], " + x + " % 2)";
}

} // namespace polymend::print_room
