// A data size is over loop variables of the source; a row of the grid is such a variable of each equation that the
// kernel computes.
#include "data_ranges.h"

#include "polymend/segments.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend {

namespace {

/// What the variables of the source's loops are at a grid point.
std::map<std::string, Expr> rowsOf(const KernelFrame &frame) {
  std::map<std::string, Expr> rows;
  for (const Phase &phase : frame.plan.phases)
    for (const Member &member : phase.members) {
      const Equation &e = frame.equation(member.equation);
      for (std::size_t r = 0; r < member.rows.size(); ++r)
        if (frame.rows[r].own == 1)
          rows[plainName(e.dims[static_cast<std::size_t>(member.rows[r])])] = frame.rows[r].axis.base;
    }
  return rows;
}

/// The value at a grid point.
Expr atRows(const Expr &value, const std::map<std::string, Expr> &rows) {
  return substitute(value, [&](const std::string &name) {
    const auto at = rows.find(name);
    return at == rows.end() ? Expr() : at->second;
  });
}

} // namespace

Kernel withDataRead(Kernel kernel, const KernelFrame &frame) {
  if (frame.scop.dataSizes.empty()) return kernel;
  std::vector<DataSize> here = frame.scop.dataSizes;
  const std::map<std::string, Expr> rows = rowsOf(frame);
  for (DataSize &data : here) data.value = atRows(data.value, rows);
  for (PointDim &dim : kernel.grid) {
    dim.first = withData(dim.first, here);
    dim.limit = withData(dim.limit, here);
  }
  kernel.body = rewriteExprs(kernel.body, [&](const Expr &e) { return withData(e, here); });
  return kernel;
}

std::vector<Expr> inSource(const std::string &array, const std::vector<Expr> &subscripts, const Function &function,
                           const Scop &scop) {
  const std::string index = indexOf(function, array);
  if (index.empty() || scop.array(array).storage == Array::Storage::Local) return subscripts;
  std::vector<Expr> result(subscripts.begin() + 1, subscripts.end());
  const Expr begin = Expr::read(index, {subscripts.front()}, scop.array(index).type);
  result.front() = simplify(begin + result.front());
  return result;
}

TileBlock inSource(const TileBlock &block, const Function &function, const Scop &scop) {
  const auto isArray = [&](const std::string &name) {
    return std::any_of(scop.arrays.begin(), scop.arrays.end(), [&](const Array &a) { return a.name == name; });
  };
  const TileBlock read = rewriteExprs(block, [&](const Expr &e) {
    return rewrite(e, [&](const Expr &node) {
      if (node.op() != Op::Read || !isArray(node->name)) return node;
      ExprNode moved = *node;
      moved.args = inSource(node->name, node->args, function, scop);
      return Expr{moved};
    });
  });
  return rewrite(read, [&](const TileAssign &assign) {
    TileAssign moved = assign;
    if (isArray(assign.target.array))
      moved.target.subscripts = inSource(assign.target.array, assign.target.subscripts, function, scop);
    return moved;
  });
}

void placeSegments(TileProgram &program, const Function &function, const Scop &scop) {
  for (Kernel &kernel : program.kernels) kernel.body = inSource(kernel.body, function, scop);
}

Result<std::vector<std::pair<std::string, Expr>>> dataLets(const KernelFrame &frame,
                                                           const std::set<std::string> &used) {
  std::vector<std::pair<std::string, Expr>> lets;
  const std::map<std::string, Expr> rows = rowsOf(frame);
  for (const DataSize &data : frame.scop.dataSizes) {
    if (!used.contains(data.name)) continue;
    for (const std::string &loop : loopsOf(data, frame.scop))
      if (!rows.contains(loop))
        return Refusal{"a tile has rows at which '" + show(data.value) + "' differs", data.where};
    lets.emplace_back(data.name, atRows(data.value, rows));
  }
  return lets;
}

} // namespace polymend
