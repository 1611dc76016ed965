// Factors are read four neighbours at a time along the sum or along a row, where they stand so in shared memory. Of a
// sum with other ends in each row, or in each column, the ends are told beside those of all.
#include "gpu_blocked.h"

#include "device/dealt.h"
#include "device/depends.h"
#include "print/region.h"

namespace polymend::print_room {

void printBlocked(const DeviceDeal &deal, Writer &out, Context &context) {
  const TilePoints &points = deal.points;
  const TileAssign &a = points.body.front();
  const PointDim &row = points.dims[deal.row], &column = points.dims[deal.column], &sum = points.dims[deal.sum];
  const auto sizeOf = [&](std::size_t dim) {
    for (const DealtDim &d : deal.dealt)
      if (d.dim == dim) return d.size;
    return std::int64_t{0};
  };
  for (const PointDim *d : {&row, &column, &sum}) {
    context.narrow.insert(d->variable);
    context.signs.note(*d);
  }
  const std::int64_t rows = sizeOf(deal.row), columns = sizeOf(deal.column);
  const bool tall = rows % 8 == 0 && rows * columns >= std::int64_t{32} * blockThreads;
  const std::string sizes = std::to_string(tall ? 8 : 4) + ", " + std::to_string(rows) + ", " + std::to_string(columns);
  const auto parameters = [&](const PointDim &x, const PointDim &y) {
    return "[&](int " + context.names.of(x.variable) + ", int " + context.names.of(y.variable) + ") ";
  };
  std::string test;
  for (const DealtDim &d : deal.dealt) {
    const std::string &name = context.names.of(points.dims[d.dim].variable);
    if (d.checkFirst) test += (test.empty() ? "" : " && ") + plain(points.dims[d.dim].first, context) + " <= " + name;
    if (d.checkLimit)
      test +=
          (test.empty() ? "" : " && ") + name + " < " + plain(d.asked ? d.asked : points.dims[d.dim].limit, context);
  }
  const auto factor = [&](const Expr &e, bool inFours) {
    return (inFours ? "&" : "") + printAs(e, a.value.type(), context);
  };
  const auto depends = [&](const PointDim &d) {
    return device_room::dependsOn(sum.first, d.variable) || device_room::dependsOn(sum.limit, d.variable);
  };
  const bool byRow = depends(row), isRagged = byRow || depends(column);
  const std::string head = storeMark(a, context) +
                           context.primitive(isRagged ? "multiplyRaggedTiles" : "multiplyTiles") + "<" + sizes +
                           (isRagged ? byRow ? ", true" : ", false" : "") + ">(" + context.names.of("thread") + ", ";
  if (isRagged) {
    const Interval all = device_room::boundsOfDims(points).at(sum.variable);
    out.line(head + std::to_string(*all.low()) + ", " + std::to_string(*all.high() + 1) + ",");
    for (const Expr &end : {sum.first, sum.limit})
      out.line("    " + parameters(row, column) + "{ return " + plain(end, context) + "; },");
  } else {
    out.line(head + plain(sum.first, context) + ", " + plain(sum.limit, context) + ",");
  }
  out.line("    " +
           (test.empty() ? "[](int, int) { return true; }" : parameters(row, column) + "{ return " + test + "; }") +
           ",");
  out.line("    " + parameters(row, column) + "{ return &" + printRef(a.target.array, a.target.subscripts, context) +
           "; },");
  out.line("    " + parameters(row, sum) + "{ return " + factor(deal.rowFactor, deal.rowInFours) + "; },");
  out.line("    " + parameters(sum, column) + "{ return " + factor(deal.columnFactor, deal.columnInFours) + "; });");
}

} // namespace polymend::print_room
