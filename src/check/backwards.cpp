// A parallel variable x of [first, limit) becomes first + limit - 1 - x wherever it is used, bounds of inner loops too;
// what runs it is unchanged. Serial and reduced dimensions keep their order.
#include "backwards.h"
#include "tile/visit.h"

#include <map>

namespace polymend {
namespace {

class Turner {
public:
  std::vector<PointDim> dims(std::vector<PointDim> all) {
    for (PointDim &dim : all) {
      dim.first = placed(dim.first);
      dim.limit = placed(dim.limit);
      if (dim.kind != PointDim::Kind::Parallel) continue;
      const Expr last = dim.limit - Expr::integer(1);
      turned[dim.variable] = simplify(dim.first + (last - Expr::symbol(dim.variable, Type::Int64)));
    }
    return all;
  }

  TileBlock block(const TileBlock &nodes) {
    TileBlock result;
    for (const TileNode &one : nodes) result.push_back(std::visit([&](const auto &x) { return node(x); }, one));
    return result;
  }

private:
  std::map<std::string, Expr> turned;

  [[nodiscard]] Expr placed(const Expr &e) const {
    if (!e) return e;
    return substitute(e, [&](const std::string &name) {
      const auto at = turned.find(name);
      return at == turned.end() ? Expr() : at->second;
    });
  }

  TileNode node(const TileAssign &assign) {
    TileAssign result = assign;
    for (Expr &subscript : result.target.subscripts) subscript = placed(subscript);
    result.value = placed(assign.value);
    result.where = placed(assign.where);
    return result;
  }

  TileNode node(const std::shared_ptr<const TileLoop> &loop) {
    const std::map<std::string, Expr> outside = turned;
    TileLoop result = *loop;
    const bool turns = loop->kind == TileLoop::Kind::Shared && loop->step == 1;
    const auto kind = turns ? PointDim::Kind::Parallel : PointDim::Kind::Serial;
    const PointDim dim = dims({{loop->variable, loop->first, loop->limit, kind}}).front();
    result.first = dim.first;
    result.limit = dim.limit;
    result.body = block(loop->body);
    turned = outside;
    return nodeOf(result);
  }

  TileNode node(const std::shared_ptr<const TileBranch> &branch) {
    return nodeOf(TileBranch{placed(branch->condition), block(branch->then), block(branch->otherwise)});
  }

  TileNode node(const std::shared_ptr<const TilePoints> &points) {
    const std::map<std::string, Expr> outside = turned;
    TilePoints result = *points;
    result.dims = dims(points->dims);
    result.body.clear();
    for (const TileAssign &assign : points->body) result.body.push_back(std::get<TileAssign>(node(assign)));
    turned = outside;
    return nodeOf(result);
  }

  template <class Other> TileNode node(const Other &other) { return other; }
};

} // namespace

TileProgram backwards(const TileProgram &program) {
  TileProgram result = program;
  for (Kernel &kernel : result.kernels) {
    if (!kernel.roles.empty()) continue;
    Turner turner;
    kernel.grid = turner.dims(kernel.grid);
    kernel.body = turner.block(kernel.body);
  }
  return result;
}

} // namespace polymend
