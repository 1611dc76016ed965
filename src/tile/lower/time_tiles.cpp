// An array's values after so many turns are right where those around them were: at each turn a tile loses as many
// elements at each side as a turn's sweeps reach together. What no turn writes is read from the arrays themselves.
// Values of a tile are computed by the source's own expressions, so that no bit differs.
#include "polymend/time_tiles.h"

#include "time_shape.h"

#include "tile/visit.h"

#include <algorithm>
#include <limits>

namespace polymend {

namespace {

bool isSingleElement(const Expr &e) { return e.op() == Op::Integer && e->integer == 1; }

Expr scaled(std::int64_t factor, const Expr &e) { return simplify(Expr::integer(factor) * e); }

/// The least or the greatest of all, each once.
Expr extremeOf(Op op, const std::vector<Expr> &all) {
  std::vector<Expr> distinct;
  for (const Expr &e : all)
    if (std::ranges::none_of(distinct, [&](const Expr &known) { return equal(known, e); })) distinct.push_back(e);
  Expr result = distinct.front();
  for (std::size_t k = 1; k < distinct.size(); ++k) result = Expr::make(op, Type::Int64, {result, distinct[k]});
  return simplify(result);
}

/// Where elements of boxes end along the outermost axis.
Expr endOf(const std::vector<ElementBox> &boxes) {
  std::vector<Expr> limits{Expr::integer(0)};
  for (const ElementBox &box : boxes) limits.push_back(box.front().limit);
  return extremeOf(Op::Max, limits);
}

/// Has what is kept between launches known extents? An array of unknown ones begins with its first element.
bool hasExtents(const Stencil &stencil) {
  return std::ranges::all_of(stencil.written, [&](const auto &boxes) {
    const Expr &extent = stencil.arrays.at(boxes.first).extents.front();
    return extent || std::ranges::all_of(boxes.second, [](const ElementBox &box) {
             return box.front().first.op() == Op::Integer && box.front().first->integer >= 0;
           });
  });
}

/// One loop over time, as tiles.
class TimeTiler {
public:
  TimeTiler(const TileLoop &l, const Stencil &s, const TileShape &h, bool isPoisoned, Kernel &k, TileProgram &p)
      : loop(l), stencil(s), reach(reachOf(s)), shape(h), poisons(isPoisoned), kernel(k), program(p) {}
  TileBlock run();

private:
  struct Home {
    std::string tile, other; // other: where every second launch leaves the results
  };
  struct Part {
    std::vector<PointDim> dims;
    std::vector<Expr> at; // the tile's elements, over the variables of `dims`
    Expr where;           // which tiles have any; absent: unknown
  };
  std::string fresh(const std::string &wish);
  void takeNames();
  void declare();
  [[nodiscard]] std::optional<std::string> passingLike(const std::string &array) const;
  TileNode launched(const Expr &turn, const Expr &count, bool isBack);
  TileBlock tile(const Expr &turn, const Expr &count, bool isBack);
  [[nodiscard]] std::vector<Expr> local() const;
  [[nodiscard]] std::vector<Expr> global(const std::vector<Expr> &at) const;
  [[nodiscard]] Part partOf(const ElementBox &box, const std::vector<AxisRange> &within,
                            const std::vector<AxisRange> &most) const;
  static TileNode assigned(const Part &part, const TileAssign &assign);
  [[nodiscard]] std::vector<AxisRange> whole() const;
  [[nodiscard]] std::vector<BoxPart> rimOf(const std::string &array) const;
  [[nodiscard]] TileBlock rims() const;
  [[nodiscard]] TilePoints wholeTile() const;
  [[nodiscard]] TileNode computed(std::size_t sweep, const Expr &turnOfTile, const Expr &turn) const;
  [[nodiscard]] Expr placed(const Expr &e, const Sweep &sweep, const std::vector<Expr> &at, const Expr &turn,
                            bool isIndex = false) const;
  [[nodiscard]] bool lasts(const std::string &array) const { return !stencil.passing.contains(array); }

  const TileLoop &loop;
  const Stencil &stencil;
  const TurnReach reach;
  const TileShape &shape;
  const bool poisons;
  Kernel &kernel;
  TileProgram &program;
  std::set<std::string> taken;
  std::map<std::string, Home> homes;
  std::vector<std::string> tiles, points; // variables by axis
  std::vector<Expr> bases;                // the elements where tiles begin, by axis
  std::vector<Expr> counts;               // of tiles
  Expr elements;                          // of all tiles
};

std::string TimeTiler::fresh(const std::string &wish) {
  std::string name = wish;
  for (int k = 2; !taken.insert(name).second; ++k) name = wish + "_" + std::to_string(k);
  return name;
}

void TimeTiler::takeNames() {
  taken.insert(program.sizes.begin(), program.sizes.end());
  for (const auto &[name, type] : program.scalars) taken.insert(name);
  for (const TileArray &array : program.arrays) taken.insert(array.name);
  for (const Kernel &k : program.kernels) {
    for (const TileArray &array : k.tiles) taken.insert(array.name);
    for (const PointDim &d : k.grid) taken.insert(d.variable);
    allNodes(k.body, [&](const TileNode &node) {
      if (const auto *inner = as<TileLoop>(node)) taken.insert(inner->variable);
      if (const auto *region = as<TilePoints>(node))
        for (const PointDim &d : region->dims) taken.insert(d.variable);
      return true;
    });
  }
  for (const TileArray &array : kernel.tiles) taken.insert(array.name);
}

/// An array that no launch keeps, of the same elements as what is written of this one.
std::optional<std::string> TimeTiler::passingLike(const std::string &array) const {
  const TileArray &own = stencil.arrays.at(array);
  const auto &boxes = stencil.written.at(array);
  for (const std::string &name : stencil.passing) {
    const TileArray &other = stencil.arrays.at(name);
    const bool isUsed = std::ranges::any_of(homes, [&](const auto &home) { return home.second.other == name; });
    const bool fits =
        other.type == own.type && std::equal(own.extents.begin() + 1, own.extents.end(), other.extents.begin() + 1,
                                             [](const Expr &a, const Expr &b) { return equal(a, b); });
    if (!isUsed && fits && boxes.size() == 1 && equal(boxes.front(), stencil.written.at(name).front())) return name;
  }
  return std::nullopt;
}

void TimeTiler::declare() {
  for (const auto &[name, array] : stencil.arrays) {
    TileArray tile = array;
    tile.name = homes[name].tile = fresh(name + "_tile");
    tile.extents.clear();
    for (const std::int64_t extent : shape.extents) tile.extents.push_back(Expr::integer(extent));
    tile.space = Space::Thread;
    tile.flat = false;
    tile.written = true;
    tile.used.clear();
    kernel.tiles.push_back(tile);
  }
  for (const auto &[name, array] : stencil.arrays) {
    if (!lasts(name)) continue;
    if (const auto passing = passingLike(name)) {
      homes[name].other = *passing;
      continue;
    }
    TileArray work = array;
    work.name = homes[name].other = fresh(name + "_next");
    work.space = Space::Work;
    work.flat = false;
    work.written = true;
    work.used.clear();
    if (!work.extents.front()) work.extents.front() = endOf(stencil.written.at(name));
    program.arrays.push_back(work);
  }
  for (std::size_t d = 0; d < stencil.axes; ++d) {
    std::vector<Expr> firsts, limits;
    for (const Sweep &sweep : stencil.sweeps) {
      firsts.push_back(sweep.box[d].first);
      limits.push_back(sweep.box[d].limit);
    }
    const auto moving =
        std::ranges::find_if(stencil.sweeps, [&](const Sweep &sweep) { return !sweep.axes[d].variable.empty(); });
    const std::string name = moving == stencil.sweeps.end() ? "element" : moving->axes[d].variable;
    tiles.push_back(fresh(name + "_tile"));
    points.push_back(fresh(name + "_point"));
    const Expr first = extremeOf(Op::Min, firsts), length = simplify(extremeOf(Op::Max, limits) - first);
    const std::int64_t each = shape.results[d];
    elements = d == 0 ? length : simplify(elements * length);
    counts.push_back(simplify(
        Expr::make(Op::FloorDiv, Type::Int64, {simplify(length + Expr::integer(each - 1)), Expr::integer(each)})));
    bases.push_back(simplify(scaled(each, Expr::symbol(tiles[d], Type::Int64)) + first -
                             Expr::integer(shape.turns * reach.all[d].low)));
  }
}

std::vector<Expr> TimeTiler::local() const {
  std::vector<Expr> result;
  for (const std::string &point : points) result.push_back(Expr::symbol(point, Type::Int64));
  return result;
}

std::vector<AxisRange> TimeTiler::whole() const {
  std::vector<AxisRange> result;
  for (const std::int64_t extent : shape.extents) result.push_back({Expr::integer(0), Expr::integer(extent)});
  return result;
}

/// The elements of a box that lie in this part of a tile. `most`: constants around it, which tell threads what to
/// share.
TimeTiler::Part TimeTiler::partOf(const ElementBox &box, const std::vector<AxisRange> &within,
                                  const std::vector<AxisRange> &most) const {
  Part part{{}, local(), {}};
  for (std::size_t d = 0; d < box.size(); ++d) {
    const Expr first = simplify(box[d].first - bases[d]), limit = simplify(box[d].limit - bases[d]);
    if (isSingleElement(simplify(box[d].limit - box[d].first))) {
      const Expr low = Expr::make(Op::Le, Type::Bool, {within[d].first, first});
      const Expr both =
          Expr::make(Op::And, Type::Bool, {low, Expr::make(Op::Lt, Type::Bool, {first, within[d].limit})});
      part.where = part.where ? Expr::make(Op::And, Type::Bool, {part.where, both}) : both;
      part.at[d] = first;
      continue;
    }
    const std::vector<Expr> firsts{most[d].first, within[d].first, first};
    const std::vector<Expr> limits{most[d].limit, within[d].limit, limit};
    part.dims.push_back({points[d], extremeOf(Op::Max, firsts), extremeOf(Op::Min, limits), PointDim::Kind::Parallel});
  }
  return part;
}

/// The elements of the arrays that these of a tile are.
std::vector<Expr> TimeTiler::global(const std::vector<Expr> &at) const {
  std::vector<Expr> result;
  for (std::size_t d = 0; d < at.size(); ++d) result.push_back(simplify(bases[d] + at[d]));
  return result;
}

/// The assignment at all elements of a part.
TileNode TimeTiler::assigned(const Part &part, const TileAssign &assign) {
  const TileNode node = part.dims.empty() ? TileNode(assign) : nodeOf(TilePoints{part.dims, {assign}});
  return part.where ? nodeOf(TileBranch{part.where, {node}, {}}) : node;
}

TilePoints TimeTiler::wholeTile() const {
  TilePoints region;
  for (std::size_t d = 0; d < stencil.axes; ++d)
    region.dims.push_back({points[d], Expr::integer(0), Expr::integer(shape.extents[d]), PointDim::Kind::Parallel});
  return region;
}

/// What sweeps read of the array and none writes.
std::vector<BoxPart> TimeTiler::rimOf(const std::string &array) const {
  std::vector<BoxPart> all;
  for (const Sweep &sweep : stencil.sweeps)
    for (const Sweep::Reading &reading : sweep.readings) {
      if (reading.array != array) continue;
      std::vector<BoxPart> parts{{moved(sweep.box, reading.distance), {}}};
      for (const ElementBox &written : stencil.written.at(array)) {
        std::vector<BoxPart> left;
        for (const BoxPart &part : parts)
          for (BoxPart &more : outside(part.box, written)) {
            if (part.where && more.where) more.where = Expr::make(Op::And, Type::Bool, {part.where, more.where});
            if (part.where && !more.where) more.where = part.where;
            left.push_back(std::move(more));
          }
        parts = std::move(left);
      }
      for (const BoxPart &part : parts) {
        const auto known = std::ranges::find_if(all, [&](const BoxPart &k) { return equal(k.box, part.box); });
        if (known == all.end())
          all.push_back(part);
        else if (known->where && part.where)
          known->where = Expr::make(Op::Or, Type::Bool, {known->where, part.where});
        else
          known->where = {};
      }
    }
  return all;
}

/// What is read and never written, in tiles that leave a box which is written; rows and columns of their own do not
/// count.
TileBlock TimeTiler::rims() const {
  TileBlock regions;
  for (const auto &[name, array] : stencil.arrays)
    for (const BoxPart &line : rimOf(name)) {
      Part part = partOf(line.box, whole(), whole());
      if (line.where) part.where = part.where ? Expr::make(Op::And, Type::Bool, {line.where, part.where}) : line.where;
      const Expr value = Expr::read(name, global(part.at), array.type);
      regions.push_back(assigned(part, {{homes.at(name).tile, part.at}, Update::Set, value, {}}));
    }
  if (regions.empty()) return {};
  Expr leaves;
  for (std::size_t d = 0; d < stencil.axes; ++d)
    for (const auto &[name, boxes] : stencil.written)
      for (const ElementBox &box : boxes) {
        const bool isThin = std::ranges::any_of(
            box, [](const AxisRange &range) { return isSingleElement(simplify(range.limit - range.first)); });
        if (isThin && boxes.size() > 1) continue;
        const Expr end = simplify(bases[d] + Expr::integer(shape.extents[d]));
        const Expr either = Expr::make(Op::Or, Type::Bool,
                                       {Expr::make(Op::Lt, Type::Bool, {bases[d], box[d].first}),
                                        Expr::make(Op::Lt, Type::Bool, {box[d].limit, end})});
        bool isKnown = false;
        if (leaves) visit(leaves, [&](const Expr &e) { isKnown = isKnown || equal(e, either); });
        if (!isKnown) leaves = leaves ? Expr::make(Op::Or, Type::Bool, {leaves, either}) : either;
      }
  return {nodeOf(TileBranch{leaves, regions, {}})};
}

/// An expression of a sweep, of a tile's elements and of the loop's turn; of indices, in 64 bits.
Expr TimeTiler::placed(const Expr &e, const Sweep &sweep, const std::vector<Expr> &at, const Expr &turn,
                       bool isIndex) const {
  const auto typed = [&](const Expr &value) {
    return isIndex || e.type() == Type::Int64 ? value : Expr::cast(e.type(), value);
  };
  if (e.op() == Op::Read && stencil.arrays.contains(e->name)) {
    const auto distance = distanceOf(e->args, sweep.axes);
    std::vector<Expr> from = at;
    for (std::size_t d = 0; d < at.size(); ++d) from[d] = simplify(at[d] + Expr::integer((*distance)[d]));
    return Expr::read(homes.at(e->name).tile, from, e.type());
  }
  if (e.op() == Op::Symbol) {
    if (e->name == loop.variable) return typed(turn);
    for (std::size_t d = 0; d < sweep.axes.size(); ++d)
      if (sweep.axes[d].variable == e->name) return typed(simplify(global(at)[d] - Expr::integer(sweep.axes[d].shift)));
    return e;
  }
  const bool isRead = e.op() == Op::Read, isSum = e.op() == Op::Add || e.op() == Op::Sub || e.op() == Op::Mul;
  ExprNode copy = *e;
  for (Expr &arg : copy.args) {
    arg = placed(arg, sweep, at, turn, isRead || (isIndex && isSum));
    if (isRead) arg = simplify(arg);
  }
  return isIndex && isSum ? Expr::make(e.op(), Type::Int64, copy.args) : Expr{copy};
}

TileNode TimeTiler::computed(std::size_t number, const Expr &turnOfTile, const Expr &turn) const {
  const Sweep &sweep = stencil.sweeps[number];
  const Expr later = simplify(turnOfTile + Expr::integer(1));
  std::vector<AxisRange> within, most;
  for (std::size_t d = 0; d < stencil.axes; ++d) {
    const Reach own = reach.sweeps[number][d], all = reach.all[d];
    most.push_back({Expr::integer(all.low - own.low), Expr::integer(shape.extents[d] + own.high - all.high)});
    within.push_back({simplify(scaled(all.low, later) - Expr::integer(own.low)),
                      simplify(Expr::integer(shape.extents[d] + own.high) - scaled(all.high, later))});
  }
  const Part part = partOf(sweep.box, within, most);
  return assigned(part, {{homes.at(sweep.assign.target.array).tile, part.at},
                         sweep.assign.update,
                         placed(sweep.assign.value, sweep, part.at, turn),
                         {}});
}

/// The body of a launch for one tile: `count` turns from `turn` on.
TileBlock TimeTiler::tile(const Expr &turn, const Expr &count, bool isBack) {
  TileBlock result;
  if (poisons)
    for (const auto &[name, array] : stencil.arrays) {
      TilePoints region = wholeTile();
      const Expr none = isFloating(array.type) ? Expr::real(std::numeric_limits<double>::quiet_NaN(), array.type)
                                               : Expr::integer(-77, array.type);
      region.body.push_back({{homes.at(name).tile, local()}, Update::Set, none, {}});
      result.push_back(nodeOf(region));
    }
  for (const auto &[name, boxes] : stencil.written) {
    if (!lasts(name)) continue;
    const std::string &from = isBack ? homes.at(name).other : name;
    for (const ElementBox &box : boxes) {
      const Part part = partOf(box, whole(), whole());
      const Expr value = Expr::read(from, global(part.at), stencil.arrays.at(name).type);
      result.push_back(assigned(part, {{homes.at(name).tile, part.at}, Update::Set, value, {}}));
    }
  }
  append(result, rims());
  const std::string variable = fresh(loop.variable + "_of_tile");
  const Expr inner = Expr::symbol(variable, Type::Int64);
  TileBlock sweeps;
  for (std::size_t number = 0; number < stencil.sweeps.size(); ++number)
    sweeps.push_back(computed(number, inner, simplify(turn + inner)));
  result.push_back(nodeOf(TileLoop{variable, Expr::integer(0), count, 1, TileLoop::Kind::Serial, sweeps}));
  std::vector<AxisRange> results, most; // threads find their points of whole rows sooner
  for (std::size_t d = 0; d < stencil.axes; ++d) {
    const std::int64_t first = shape.turns * reach.all[d].low;
    results.push_back({Expr::integer(first), Expr::integer(first + shape.results[d])});
    most.push_back(d + 1 == stencil.axes ? whole().back() : results.back());
  }
  for (const auto &[name, boxes] : stencil.written) {
    if (!lasts(name)) continue;
    const std::string &to = isBack ? name : homes.at(name).other;
    for (const ElementBox &box : boxes) {
      const Part part = partOf(box, results, most);
      const Expr value = Expr::read(homes.at(name).tile, part.at, stencil.arrays.at(name).type);
      result.push_back(assigned(part, {{to, global(part.at)}, Update::Set, value, {}}));
    }
  }
  return result;
}

/// All tiles.
TileNode TimeTiler::launched(const Expr &turn, const Expr &count, bool isBack) {
  TileBlock body = tile(turn, count, isBack);
  for (std::size_t d = stencil.axes; d-- > 0;)
    body = {nodeOf(TileLoop{tiles[d], Expr::integer(0), counts[d], 1, TileLoop::Kind::Shared, body})};
  return body.front();
}

/// Of all turns but the last one or two, each pair of launches makes so many as a tile has room for; the last pair
/// makes what is left of them.
TileBlock TimeTiler::run() {
  takeNames();
  declare();
  const auto quotient = [](const Expr &e, std::int64_t by) {
    return simplify(Expr::make(Op::FloorDiv, Type::Int64, {simplify(e), Expr::integer(by)}));
  };
  const auto least = [](const Expr &a, const Expr &b) { return Expr::make(Op::Min, Type::Int64, {a, b}); };
  const std::int64_t each = shape.turns;
  const Expr length = simplify(loop.limit - loop.first), most = Expr::integer(each);
  const Expr pairs =
      Expr::make(Op::Max, Type::Int64,
                 {simplify(quotient(length - Expr::integer(3), 2 * each) + Expr::integer(1)), Expr::integer(0)});
  const std::string variable = fresh(loop.variable + "_tile");
  const Expr done = scaled(2 * each, Expr::symbol(variable, Type::Int64)), start = simplify(done + loop.first);
  const Expr forth = least(most, quotient(length - done, 2)),
             back = least(most, quotient(length - Expr::integer(1) - done, 2));
  TileLoop rest = loop;
  rest.first = simplify(
      loop.first + Expr::make(Op::Max, Type::Int64,
                              {least(simplify(length - Expr::integer(1)), scaled(2 * each, pairs)), Expr::integer(0)}));
  const TileBlock turns{launched(start, forth, false), launched(simplify(start + forth), back, true)};
  const TileBlock tiled{TileNote{"several turns in a launch, in tiles that overlap"},
                        nodeOf(TileLoop{variable, Expr::integer(0), pairs, 1, TileLoop::Kind::Serial, turns}),
                        nodeOf(rest)};
  if (shape.most == 0) return tiled;
  const Expr isCached = Expr::make(Op::Le, Type::Bool, {elements, Expr::integer(shape.most)});
  return {nodeOf(TileBranch{isCached, tiled, {nodeOf(loop)}})};
}

} // namespace

std::optional<TileProgram> withTimeTiles(const TileProgram &program, const TimeTiling &tiling) {
  TileProgram result = program;
  bool found = false;
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const Kernel &kernel = program.kernels[k];
    if (!kernel.grid.empty() || !kernel.roles.empty()) continue;
    result.kernels[k].body = rebuild(kernel.body, [&](const TileNode &node) -> TileBlock {
      const auto *loop = as<TileLoop>(node);
      const auto stencil = loop ? stencilOf(*loop, program) : std::nullopt;
      const auto shape =
          stencil && hasExtents(*stencil) ? chosenShape(*stencil, reachOf(*stencil).all, tiling) : std::nullopt;
      if (!shape) return {node};
      found = true;
      return TimeTiler(*loop, *stencil, *shape, tiling.tiny, result.kernels[k], result).run();
    });
  }
  return found ? std::optional(result) : std::nullopt;
}

} // namespace polymend
