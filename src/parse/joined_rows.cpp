// Records in rows. Where which record is meant is no affine expression, as the pixel y * width + x is, the numbers of
// all records are read as one flat array, whose subscripts the model divides into those of each dimension.
#include "reader.h"

#include "polymend/in_body.h"

#include <algorithm>

namespace polymend {

namespace {

/// Is the number a product of what is not constant?
bool multiplies(const Expr &number) {
  bool found = false;
  visit(number, [&](const Expr &node) {
    found = found || (node.op() == Op::Mul && std::none_of(node->args.begin(), node->args.end(),
                                                           [](const Expr &one) { return one.op() == Op::Integer; }));
  });
  return found;
}

/// Is there such a subscript of the array's rows?
bool hasProducts(const Function &function, const std::string &array) {
  bool found = false;
  const auto within = [&](const Expr &e) {
    visit(e, [&](const Expr &node) {
      found = found || (node.op() == Op::Read && node->name == array && multiplies(node->args.front()));
    });
    return e;
  };
  static_cast<void>(inBody(function.body, within, [&](const Assign &assign) {
    found = found || (assign.target == array && multiplies(assign.subscripts.front()));
  }));
  for (const DataSize &data : function.dataSizes) within(data.value);
  return found;
}

Expr joined(const std::vector<Expr> &subscripts, const std::vector<Expr> &extents) {
  Expr number = subscripts.front();
  for (std::size_t d = 1; d < subscripts.size(); ++d) number = number * extents[d] + subscripts[d];
  return simplify(number);
}

} // namespace

void Reader::joinRows() {
  for (Array &array : function.arrays) {
    const bool isRows = array.storage == Array::Storage::Parameter && !array.flat && array.extents.size() > 1 &&
                        !array.extents.front() &&
                        std::all_of(array.extents.begin() + 1, array.extents.end(),
                                    [](const Expr &extent) { return extent && extent.op() == Op::Integer; });
    const auto parameter = std::find_if(function.parameters.begin(), function.parameters.end(),
                                        [&](const Parameter &one) { return one.name == array.name; });
    if (!isRows || parameter == function.parameters.end()) continue;
    const std::size_t open = parameter->taken.find(" (*)["), close = parameter->taken.find(">(");
    if (!parameter->taken.starts_with("reinterpret_cast<") || open == std::string::npos || close < open ||
        !hasProducts(function, array.name))
      continue;
    const std::vector<Expr> extents = array.extents;
    const auto inRows = [&](const Expr &e) {
      return rewrite(e, [&](const Expr &node) {
        if (node.op() != Op::Read || node->name != array.name || node->args.size() != extents.size()) return node;
        ExprNode read = *node;
        read.args = {joined(node->args, extents)};
        return Expr(std::move(read));
      });
    };
    function.body = inBody(function.body, inRows, [&](Assign &assign) {
      if (assign.target == array.name) assign.subscripts = {joined(assign.subscripts, extents)};
    });
    for (DataSize &data : function.dataSizes) data.value = inRows(data.value);
    parameter->taken.replace(open, close - open, " *");
    array.extents = {Expr()};
    array.flat = true;
  }
}

} // namespace polymend
