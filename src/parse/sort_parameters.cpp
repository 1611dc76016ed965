// Which scalar parameters are sizes (bounds, subscripts or conditions use them) and which are mere values.
#include "reader.h"

#include <algorithm>

namespace polymend {

namespace {

using NameSet = std::set<std::string>;

/// Is it made of elements and constants alone?
bool isOfData(const Expr &e) {
  if (e.op() == Op::Read) return true;
  return e.op() != Op::Symbol && std::ranges::all_of(e->args, isOfData);
}

/// Does the comparison hold data to a number of the caller's, as a threshold? It says nothing of points.
bool isThreshold(const Expr &comparison) {
  const auto isGiven = [](const Expr &e) { return (e.op() == Op::Cast ? e.arg(0) : e).op() == Op::Symbol; };
  const Expr &a = comparison.arg(0), &b = comparison.arg(1);
  return (isGiven(a) && reads(b) && isOfData(b)) || (isGiven(b) && reads(a) && isOfData(a));
}

/// Symbols in subscripts and integer comparisons of e.
void collectSizes(const Expr &e, NameSet &sizes) {
  visit(e, [&](const Expr &node) {
    const bool isComparison = node.op() >= Op::Lt && node.op() <= Op::Ne;
    const bool compares = isComparison && isInteger(node.arg(0).type()) && !isThreshold(node);
    if (node.op() == Op::Read || compares)
      for (const Expr &arg : node->args) sizes.merge(symbols(arg));
  });
}

void collectSymbols(const Body &body, NameSet &sizes, NameSet &values) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      sizes.merge(symbols((*loop)->first));
      sizes.merge(symbols((*loop)->limit));
      collectSymbols((*loop)->body, sizes, values);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      sizes.merge(symbols((*branch)->condition));
      collectSymbols((*branch)->then, sizes, values);
      collectSymbols((*branch)->otherwise, sizes, values);
    } else {
      const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
      for (const Expr &s : assign.subscripts) sizes.merge(symbols(s));
      values.merge(symbols(assign.value));
      collectSizes(assign.value, sizes);
    }
  }
}

} // namespace

void Reader::sortParameters() {
  NameSet sizes, values;
  collectSymbols(function.body, sizes, values);
  for (const Array &array : function.arrays)
    for (const Expr &extent : array.extents) sizes.merge(symbols(extent));
  for (const Expr &condition : function.given) sizes.merge(symbols(condition));
  for (const DataSize &data : function.dataSizes) sizes.merge(symbols(data.value));
  for (const Parameter &parameter : function.parameters) {
    if (parameter.isArray) continue;
    if (!isFloating(parameter.type) && sizes.contains(parameter.name))
      function.sizes.push_back(parameter.name);
    else if (values.contains(parameter.name))
      function.scalars.push_back(parameter.name);
  }
  for (const auto &[name, meaning] : function.derived) function.sizes.push_back(name);
}

} // namespace polymend
