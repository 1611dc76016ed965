// A region is a product when its one sum adds a product of factors that split by the column variable: factors that see
// it must not see the row's, the rest form the row's factor. Each element is summed in the region's own order.
#include "device/product.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

void factorsOf(const Expr &e, Type type, std::vector<Expr> &factors) {
  if (e.op() == Op::Mul && e.type() == type) {
    factorsOf(e.arg(0), type, factors);
    factorsOf(e.arg(1), type, factors);
    return;
  }
  factors.push_back(e);
}

Expr productOf(const std::vector<Expr> &factors) {
  Expr result = factors.front();
  for (std::size_t i = 1; i < factors.size(); ++i) result = result * factors[i];
  return result;
}

bool boundUses(const PointDim &dim, const std::string &variable) {
  return dependsOn(dim.first, variable) || dependsOn(dim.limit, variable);
}

bool isSmall(const PointDim &dim, std::int64_t least) {
  const Expr extent = simplify(dim.limit - dim.first);
  return extent.op() == Op::Integer && extent->integer < least;
}

/// No bound of any dimension uses the three inner ones, so that they form a box inside the others; those of a ragged
/// sum may use one of the other two.
bool isBox(const TilePoints &points, const Product &p, SumEnds ends) {
  const PointDim &sum = points.dims[p.sum];
  const std::string &row = points.dims[p.row].variable, &column = points.dims[p.column].variable;
  if (ends == SumEnds::Ragged && boundUses(sum, row) && boundUses(sum, column)) return false;
  for (const std::size_t inner : {p.row, p.column, p.sum})
    for (const PointDim &dim : points.dims) {
      const bool isFree = ends == SumEnds::Ragged && inner != p.sum && &dim == &sum;
      if (!isFree && boundUses(dim, points.dims[inner].variable)) return false;
    }
  return true;
}

bool splitFactors(const TilePoints &points, const std::vector<Expr> &factors, Product &p) {
  const std::string &row = points.dims[p.row].variable, &column = points.dims[p.column].variable;
  std::vector<Expr> rows, columns;
  for (const Expr &factor : factors) (dependsOn(factor, column) ? columns : rows).push_back(factor);
  if (rows.empty() || columns.empty()) return false;
  p.rowFactor = productOf(rows);
  p.columnFactor = productOf(columns);
  return dependsOn(p.rowFactor, row) && !dependsOn(p.columnFactor, row);
}

/// How the column's factor moves, where it is a bare read of the result's type.
void noteMotion(const TilePoints &points, Type type, const TypeOf &typeOf, Product &p) {
  const Expr &factor = p.columnFactor;
  if (factor.op() != Op::Read || factor->args.empty() || typeOf(factor->name) != type) return;
  p.columnMotion = motionOf(factor->args, points.dims[p.column].variable);
  p.sumMotion = motionOf(factor->args, points.dims[p.sum].variable);
}

bool fits(const TilePoints &points, const std::vector<Expr> &factors, SumEnds ends, Product &p) {
  const TileAssign &a = points.body.front();
  const PointDim &row = points.dims[p.row], &column = points.dims[p.column], &sum = points.dims[p.sum];
  if (isSmall(row, 4) || isSmall(column, 8) || isSmall(sum, 4)) return false;
  if (motionOf(a.target.subscripts, column.variable) != Motion::Unit) return false;
  if (motionOf(a.target.subscripts, row.variable) != Motion::Other) return false;
  if (motionOf(a.target.subscripts, sum.variable) != Motion::Still) return false;
  return isBox(points, p, ends) && splitFactors(points, factors, p) && dependsOn(p.columnFactor, sum.variable);
}

/// Serial dimensions would lose their order among the reduced ones.
bool kindsAllow(const TilePoints &points) {
  return std::none_of(points.dims.begin(), points.dims.end(),
                      [](const PointDim &d) { return d.kind == PointDim::Kind::Serial; });
}

} // namespace

std::optional<Product> matchProduct(const TilePoints &points, const TypeOf &typeOf, SumEnds ends) {
  if (points.body.size() != 1 || points.dims.size() < 3 || !kindsAllow(points)) return std::nullopt;
  const TileAssign &a = points.body.front();
  const Type type = typeOf(a.target.array);
  const bool plain = a.update == Update::Sum && !a.where && a.value.type() == type;
  if (!plain || (type != Type::Float32 && type != Type::Float64)) return std::nullopt;
  std::vector<Expr> factors;
  factorsOf(a.value, type, factors);
  const auto is = [&](std::size_t i, PointDim::Kind kind) { return points.dims[i].kind == kind; };
  const std::size_t count = points.dims.size();
  for (std::size_t column = count; column-- > 0;)
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t sum = count; sum-- > 0;) {
        if (row == column || !is(row, PointDim::Kind::Parallel) || !is(column, PointDim::Kind::Parallel)) continue;
        if (!is(sum, PointDim::Kind::Reduced)) continue;
        Product p;
        p.row = row;
        p.column = column;
        p.sum = sum;
        if (!fits(points, factors, ends, p)) continue;
        noteMotion(points, type, typeOf, p);
        for (std::size_t i = 0; i < count; ++i)
          if (i != row && i != column && i != sum) p.outer.push_back(i);
        return p;
      }
  return std::nullopt;
}

} // namespace polymend::device_room
