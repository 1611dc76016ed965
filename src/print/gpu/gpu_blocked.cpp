// Factors are read four neighbours at a time along the sum or along a row, where they stand so in shared memory.
#include "gpu_blocked.h"
#include "print/region.h"

namespace polymend::print_room {

using device_room::dependsOn;
using device_room::Product;

namespace {

/// Whether four neighbours along `along` can be read as one vector.
bool isVector(const Expr &e, const std::string &along, const Context &context) {
  if (e.op() != Op::Read || e->args.empty() || context.typeOf(e->name) != Type::Float32) return false;
  const Place &place = context.places.at(e->name);
  const Expr pitch = simplify(place.array->extents.back());
  if (place.shape != Shape::Native || pitch.op() != Op::Integer || pitch->integer % 4 != 0) return false;
  const Expr last = simplify(e->args.back());
  if (last.op() != Op::Symbol || last->name != along) return false;
  for (std::size_t i = 0; i + 1 < e->args.size(); ++i)
    if (dependsOn(e->args[i], along)) return false;
  return true;
}

std::string factor(const Expr &e, const std::string &along, Context &context) {
  const std::string text = printAs(e, Type::Float32, context);
  return isVector(e, along, context) ? "&" + text : text;
}

} // namespace

void printBlocked(const TilePoints &points, const RegionPlan &plan, Writer &out, Context &context) {
  const Product &p = *plan.product;
  const TileAssign &a = points.body.front();
  const PointDim &row = points.dims[p.row], &column = points.dims[p.column], &sum = points.dims[p.sum];
  const auto sizeOf = [&](std::size_t dim) {
    for (const DealtDim &d : plan.dealt)
      if (d.dim == dim) return d.size;
    return std::int64_t{0};
  };
  for (const PointDim *d : {&row, &column, &sum}) {
    context.narrow.insert(d->variable);
    noteSign(*d, context);
  }
  const std::int64_t rows = sizeOf(p.row), columns = sizeOf(p.column);
  const bool tall = rows % 8 == 0 && rows * columns >= std::int64_t{32} * blockThreads;
  const std::string sizes = std::to_string(tall ? 8 : 4) + ", " + std::to_string(rows) + ", " + std::to_string(columns);
  const auto parameters = [&](const PointDim &x, const PointDim &y) {
    return "[&](int " + context.names.of(x.variable) + ", int " + context.names.of(y.variable) + ") ";
  };
  std::string test;
  for (const DealtDim &d : plan.dealt) {
    const std::string &name = context.names.of(points.dims[d.dim].variable);
    if (d.checkFirst) test += (test.empty() ? "" : " && ") + plain(points.dims[d.dim].first, context) + " <= " + name;
    if (d.checkLimit) test += (test.empty() ? "" : " && ") + name + " < " + plain(points.dims[d.dim].limit, context);
  }
  const bool aligned = simplify(sum.first).op() == Op::Integer && simplify(sum.first)->integer % 4 == 0;
  const std::string left =
      aligned ? factor(p.rowFactor, sum.variable, context) : printAs(p.rowFactor, Type::Float32, context);
  out.line(context.primitive("multiplyTiles") + "<" + sizes + ">(" + context.names.of("thread") + ", " +
           plain(sum.first, context) + ", " + plain(sum.limit, context) + ",");
  out.line("    " +
           (test.empty() ? "[](int, int) { return true; }" : parameters(row, column) + "{ return " + test + "; }") +
           ",");
  out.line("    " + parameters(row, column) + "{ return &" + printRef(a.target.array, a.target.subscripts, context) +
           "; },");
  out.line("    " + parameters(row, sum) + "{ return " + left + "; },");
  out.line("    " + parameters(sum, column) + "{ return " + factor(p.columnFactor, column.variable, context) + "; });");
}

} // namespace polymend::print_room
