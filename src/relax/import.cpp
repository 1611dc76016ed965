// Reads carry operand indices and operands carry isl maps; an expression that moves to another equation takes its
// operands along, composed with the map from the new equation's dimensions to the old one's.
#include "import.h"

#include <isl/map.h>

namespace polymend {

int addOperand(Equation &to, const Operand &operand) {
  for (std::size_t k = 0; k < to.operands.size(); ++k) {
    const Operand &known = to.operands[k];
    if (known.equation == operand.equation && known.array == operand.array && known.exact && operand.exact &&
        domainDimension(known.map) == domainDimension(operand.map) && known.map.is_equal(operand.map))
      return static_cast<int>(k);
  }
  to.operands.push_back(operand);
  return static_cast<int>(to.operands.size()) - 1;
}

Expr import(const Expr &value, const Equation &from, const std::vector<Expr> &at, const isl::map &map, Equation &to) {
  const auto place = [&](const std::string &name) {
    for (std::size_t k = 0; k < at.size(); ++k)
      if (from.dims[k] == name) return at[k];
    return Expr();
  };
  return rewrite(substitute(value, place), [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    Operand operand = from.operands[static_cast<std::size_t>(node->access)];
    operand.map = map.apply_range(operand.map).coalesce();
    ExprNode read = *node;
    read.access = addOperand(to, operand);
    return Expr{read};
  });
}

Equation shell(const Equation &equation) {
  Equation result = equation;
  result.value = Expr();
  result.initial = Expr();
  result.operands.clear();
  return result;
}

Equation rebuild(const Equation &equation, const ReadRewriter &replace) {
  Equation result = shell(equation);
  const auto visitor = [&](const Expr &node) {
    if (node.op() != Op::Read) return node;
    return replace(node, equation.operands[static_cast<std::size_t>(node->access)], result);
  };
  result.value = rewrite(equation.value, visitor);
  if (equation.initial) result.initial = rewrite(equation.initial, visitor);
  return result;
}

Expr readOf(const Expr &read, const Operand &operand, Equation &to, const System &system) {
  ExprNode node = *read;
  if (operand.equation >= 0) node.name = system.equations[static_cast<std::size_t>(operand.equation)].name;
  if (operand.exact) {
    const unsigned n = domainDimension(operand.map);
    const auto subscripts = toExprs(operand.map, symbolsOf({to.dims.begin(), to.dims.begin() + n}));
    if (subscripts) node.args = *subscripts;
  }
  node.access = addOperand(to, operand);
  return Expr{node};
}

} // namespace polymend
