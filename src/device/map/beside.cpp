// What a subscript does from a point to the next is judged by its parts: where it is chosen, cut, or wrapped around,
// most points do what all of its cases do. Elements that data number are anywhere, whoever reads them.
#include "beside.h"

#include "device/depends.h"
#include "device/stride.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::int64_t nearBytes = 16; // of a sector of 32

enum class Step { Still, Near, Far, Data };

/// How far apart in memory are the elements of neighbours, at most, for elements of so many bytes?
Step stepAt(const Expr &e, const std::string &variable, std::int64_t bytes) {
  if (!dependsOn(e, variable)) return Step::Still;
  switch (e.op()) {
  case Op::Read: return Step::Data;
  case Op::Cast:
  case Op::FloorDiv:
  case Op::FloorMod:
  case Op::Mod:
    return e->args.size() > 1 && dependsOn(e.arg(1), variable) ? Step::Far : stepAt(e.arg(0), variable, bytes);
  case Op::Select:
  case Op::Min:
  case Op::Max: {
    Step most = Step::Still;
    for (std::size_t k = e.op() == Op::Select ? 1 : 0; k < e->args.size(); ++k)
      most = std::max(most, stepAt(e.arg(k), variable, bytes));
    return most;
  }
  case Op::Add:
  case Op::Sub:
    if (!stepOf(e, variable)) return std::max(stepAt(e.arg(0), variable, bytes), stepAt(e.arg(1), variable, bytes));
    break;
  default: break;
  }
  const auto step = stepOf(e, variable);
  return step && std::abs(*step) * bytes <= nearBytes ? Step::Near : Step::Far;
}

Step stepOfAll(const std::vector<Expr> &subscripts, const std::string &variable, Type type) {
  Step most = Step::Still;
  for (std::size_t k = 0; k < subscripts.size(); ++k) {
    const Step own = stepAt(simplify(subscripts[k]), variable, bytesOf(type));
    const bool isLast = k + 1 == subscripts.size();
    most = std::max(most, own == Step::Near && !isLast ? Step::Far : own);
  }
  return most;
}

bool meetsRegion(const TileBlock &block) {
  return any<TilePoints>(block, [](const TilePoints &) { return true; });
}

/// Is it the same at all points of the grid?
bool isAlike(const Expr &e, const std::vector<PointDim> &grid) { return !e || (!reads(e) && !usesAny(e, grid)); }

} // namespace

bool readsBeside(const TileBlock &body, const std::vector<PointDim> &grid, const std::set<std::string> &own) {
  const std::string &last = grid.back().variable;
  bool some = false, all = true;
  const auto note = [&](Step step) {
    some = some || step == Step::Near;
    all = all && step != Step::Far;
  };
  const auto look = [&](const Expr &whole) {
    if (!whole) return;
    visit(whole, [&](const Expr &e) {
      if (e.op() == Op::Read && !own.contains(e->name)) note(stepOfAll(e->args, last, e.type()));
    });
  };
  const auto lookAt = [&](const TileAssign &a) {
    look(a.value);
    look(a.where);
    if (!own.contains(a.target.array)) note(stepOfAll(a.target.subscripts, last, a.value.type()));
  };
  each<TilePoints>(body, [&](const TilePoints &points) {
    for (const TileAssign &a : points.body) lookAt(a);
  });
  each<TileLoop>(body,
                 [&](const TileLoop &loop) { each<TileAssign>(loop.body, [&](const TileAssign &a) { lookAt(a); }); });
  return some && all;
}

bool runsAlike(const TileBlock &body, const std::vector<PointDim> &grid,
               const std::vector<std::pair<Expr, Expr>> &box) {
  for (std::size_t k = 0; k < grid.size(); ++k)
    if (!equal(simplify(grid[k].first), simplify(box[k].first)) ||
        !equal(simplify(grid[k].limit), simplify(box[k].second)))
      return false;
  return allNodes(body, [&](const TileNode &node) {
    if (const auto *loop = as<TileLoop>(node); loop && meetsRegion(loop->body))
      return isAlike(loop->first, grid) && isAlike(loop->limit, grid);
    if (const auto *branch = as<TileBranch>(node);
        branch && (meetsRegion(branch->then) || meetsRegion(branch->otherwise)))
      return isAlike(branch->condition, grid);
    return true;
  });
}

} // namespace polymend::device_room
