// A turn's regions run one after another, and the points of each are independent, so that a region's assignments may
// follow one another as regions of their own.
#include "stencil.h"

#include "tile/visit.h"

#include <algorithm>

namespace polymend {

namespace {

bool areSameSum(const Shifted &a, const Shifted &b) {
  if (!a.base || !b.base) return !a.base && !b.base;
  if (a.base.op() == Op::Symbol && b.base.op() == Op::Symbol) return a.base->name == b.base->name;
  return equal(a.base, b.base);
}

bool areSameRange(const AxisRange &a, const AxisRange &b) {
  const auto same = [](const Expr &x, const Expr &y) {
    const Shifted left = shiftedOf(x), right = shiftedOf(y);
    return areSameSum(left, right) && left.constant == right.constant;
  };
  return same(a.first, b.first) && same(a.limit, b.limit);
}

/// b - a, where that is a constant.
std::optional<std::int64_t> gapBetween(const Expr &a, const Expr &b) {
  const Shifted from = shiftedOf(a), to = shiftedOf(b);
  return areSameSum(from, to) ? std::optional(to.constant - from.constant) : std::nullopt;
}

/// The parts of a box that lie along an axis from `first` to `limit`, of which a few are one element wide.
void addAlong(std::size_t axis, const Expr &first, const Expr &limit, const ElementBox &box,
              std::vector<BoxPart> &parts) {
  constexpr std::int64_t few = 4;
  const auto width = gapBetween(first, limit);
  if (width && *width <= 0) return;
  const AxisRange all = box[axis];
  BoxPart part{box, {}};
  if (!width || *width > few) {
    part.box[axis] = {simplify(Expr::make(Op::Max, Type::Int64, {first, all.first})),
                      simplify(Expr::make(Op::Min, Type::Int64, {limit, all.limit}))};
    return parts.push_back(part);
  }
  for (std::int64_t k = 0; k < *width; ++k) {
    const Expr at = simplify(first + Expr::integer(k));
    part.box[axis] = {at, simplify(at + Expr::integer(1))};
    const auto after = gapBetween(all.first, at), before = gapBetween(at, all.limit);
    const bool hasBegun = after && *after >= 0, goesOn = before && *before > 0;
    const Expr begins = Expr::make(Op::Le, Type::Bool, {all.first, at});
    const Expr ends = Expr::make(Op::Lt, Type::Bool, {at, all.limit});
    const Expr both = Expr::make(Op::And, Type::Bool, {begins, ends});
    part.where = hasBegun && goesOn ? Expr() : hasBegun ? ends : goesOn ? begins : both;
    parts.push_back(part);
  }
}

/// Reads the loop's body, or finds that it is no stencil.
class StencilReader {
public:
  StencilReader(const TileLoop &l, const TileProgram &p) : loop(l), program(p) {}
  std::optional<Stencil> run();

private:
  bool takesArrays();
  bool region(const TilePoints &points);
  bool sweep(const TileAssign &assign, const std::vector<PointDim> &dims);
  bool axis(const Expr &subscript, const std::vector<PointDim> &dims, Sweep &result) const;
  bool readsOf(Sweep &result) const;
  [[nodiscard]] bool isFree(const Expr &e, const std::vector<PointDim> &dims) const;
  [[nodiscard]] bool isState(const Expr &e) const { return e.op() == Op::Read && stencil.arrays.contains(e->name); }
  [[nodiscard]] bool passes(const std::string &array) const;
  void note(const Sweep &one);

  const TileLoop &loop;
  const TileProgram &program;
  Stencil stencil;
};

/// Over sizes and what lies around the loop.
bool StencilReader::isFree(const Expr &e, const std::vector<PointDim> &dims) const {
  if (reads(e)) return false;
  const std::set<std::string> used = symbols(e);
  return !used.contains(loop.variable) &&
         std::ranges::none_of(dims, [&](const PointDim &d) { return used.contains(d.variable); });
}

/// Arrays of the program, of as many axes each.
bool StencilReader::takesArrays() {
  bool fits = true;
  eachAssign(loop.body, [&](const TileAssign &assign) {
    const auto array = std::ranges::find(program.arrays, assign.target.array, &TileArray::name);
    fits = fits && array != program.arrays.end() && !array->extents.empty();
    if (!fits) return;
    if (stencil.axes == 0) stencil.axes = array->extents.size();
    fits = array->extents.size() == stencil.axes;
    stencil.arrays[array->name] = *array;
  });
  return fits && stencil.axes > 0;
}

bool StencilReader::axis(const Expr &subscript, const std::vector<PointDim> &dims, Sweep &result) const {
  const Shifted at = shiftedOf(subscript);
  Sweep::Axis axis;
  if (at.base && at.base.op() == Op::Symbol)
    if (const auto dim = std::ranges::find(dims, at.base->name, &PointDim::variable); dim != dims.end()) {
      axis.variable = dim->variable;
      axis.shift = at.constant;
      const bool isTaken = std::ranges::any_of(result.axes, [&](const auto &a) { return a.variable == axis.variable; });
      if (isTaken || dim->kind != PointDim::Kind::Parallel) return false;
      const Expr by = Expr::integer(at.constant);
      result.box.push_back({simplify(dim->first + by), simplify(dim->limit + by)});
      result.axes.push_back(axis);
      return true;
    }
  if (!isFree(subscript, dims)) return false;
  axis.fixed = subscript;
  result.box.push_back({subscript, simplify(subscript + Expr::integer(1))});
  result.axes.push_back(axis);
  return true;
}

/// What is read of the loop's own arrays is read at every point of the sweep, at constant distances.
bool StencilReader::readsOf(Sweep &result) const {
  bool fits = true;
  visit(result.assign.value, [&](const Expr &e) {
    const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
    if (chooses)
      for (std::size_t k = 1; k < e->args.size(); ++k)
        visit(e.arg(k), [&](const Expr &inner) { fits = fits && !isState(inner); });
    if (e.op() == Op::Read)
      for (const Expr &subscript : e->args)
        visit(subscript, [&](const Expr &inner) { fits = fits && !isState(inner); });
    if (!fits || !isState(e)) return;
    const auto distance = distanceOf(e->args, result.axes);
    fits = distance.has_value();
    if (fits) result.readings.push_back({e->name, *distance});
  });
  return fits;
}

bool StencilReader::sweep(const TileAssign &assign, const std::vector<PointDim> &dims) {
  Sweep result;
  result.assign = assign;
  if (assign.where || assign.target.subscripts.size() != stencil.axes) return false;
  for (const Expr &subscript : assign.target.subscripts)
    if (!axis(subscript, dims, result)) return false;
  const auto moving = std::ranges::count_if(result.axes, [](const auto &a) { return !a.variable.empty(); });
  if (static_cast<std::size_t>(moving) != dims.size() || !readsOf(result)) return false;
  if (assign.update != Update::Set)
    result.readings.push_back({assign.target.array, std::vector<std::int64_t>(stencil.axes, 0)});
  note(result);
  stencil.sweeps.push_back(std::move(result));
  return true;
}

void StencilReader::note(const Sweep &one) {
  std::vector<ElementBox> &boxes = stencil.written[one.assign.target.array];
  if (std::ranges::none_of(boxes, [&](const ElementBox &box) { return equal(box, one.box); })) boxes.push_back(one.box);
}

bool StencilReader::region(const TilePoints &points) {
  for (const PointDim &d : points.dims)
    if (!isFree(d.first, points.dims) || !isFree(d.limit, points.dims)) return false;
  return std::ranges::all_of(points.body, [&](const TileAssign &assign) { return sweep(assign, points.dims); });
}

/// One sweep sets all that is written of it, and neither it nor any before it reads the array.
bool StencilReader::passes(const std::string &array) const {
  bool isSet = false;
  for (const Sweep &one : stencil.sweeps) {
    const bool isRead = std::ranges::any_of(one.readings, [&](const auto &r) { return r.array == array; });
    const bool isTarget = one.assign.target.array == array;
    if ((!isSet && isRead) || (isSet && isTarget)) return false;
    isSet = isSet || isTarget;
  }
  return isSet;
}

std::optional<Stencil> StencilReader::run() {
  if (loop.kind != TileLoop::Kind::Serial || loop.step != 1 || reads(loop.first) || reads(loop.limit) || !takesArrays())
    return std::nullopt;
  for (const TileNode &node : loop.body) {
    const auto *points = as<TilePoints>(node);
    const auto *assign = as<TileAssign>(node);
    if (as<TileNote>(node)) continue;
    if (!points && !assign) return std::nullopt;
    if (!region(points ? *points : TilePoints{{}, {*assign}})) return std::nullopt;
  }
  for (const auto &[name, array] : stencil.arrays)
    if (passes(name)) stencil.passing.insert(name);
  return stencil;
}

} // namespace

Shifted shiftedOf(const Expr &e) {
  if (e.op() == Op::Integer) return {{}, e->integer};
  if (e.op() == Op::Cast && isInteger(e.type()) && isInteger(e.arg(0).type())) return shiftedOf(e.arg(0));
  if (e.op() != Op::Add && e.op() != Op::Sub) return {e, 0};
  const Shifted a = shiftedOf(e.arg(0)), b = shiftedOf(e.arg(1));
  if (!b.base) return {a.base, e.op() == Op::Add ? a.constant + b.constant : a.constant - b.constant};
  if (!a.base && e.op() == Op::Add) return {b.base, a.constant + b.constant};
  return {e, 0};
}

bool equal(const ElementBox &a, const ElementBox &b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), areSameRange);
}

ElementBox moved(const ElementBox &box, const std::vector<std::int64_t> &by) {
  ElementBox result = box;
  for (std::size_t d = 0; d < box.size(); ++d)
    result[d] = {simplify(box[d].first + Expr::integer(by[d])), simplify(box[d].limit + Expr::integer(by[d]))};
  return result;
}

std::vector<BoxPart> outside(const ElementBox &box, const ElementBox &other) {
  std::vector<BoxPart> parts;
  ElementBox rest = box;
  for (std::size_t d = 0; d < box.size(); ++d) {
    const auto later = gapBetween(box[d].first, other[d].first), sooner = gapBetween(other[d].limit, box[d].limit);
    if (!later || *later > 0) addAlong(d, box[d].first, other[d].first, rest, parts);
    if (!sooner || *sooner > 0) addAlong(d, other[d].limit, box[d].limit, rest, parts);
    if (!later) rest[d].first = simplify(Expr::make(Op::Max, Type::Int64, {box[d].first, other[d].first}));
    if (later && *later > 0) rest[d].first = other[d].first;
    if (!sooner) rest[d].limit = simplify(Expr::make(Op::Min, Type::Int64, {box[d].limit, other[d].limit}));
    if (sooner && *sooner > 0) rest[d].limit = other[d].limit;
    if (const auto left = gapBetween(rest[d].first, rest[d].limit); left && *left <= 0) break;
  }
  return parts;
}

std::optional<std::vector<std::int64_t>> distanceOf(const std::vector<Expr> &subscripts,
                                                    const std::vector<Sweep::Axis> &axes) {
  if (subscripts.size() != axes.size()) return std::nullopt;
  std::vector<std::int64_t> result;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const Shifted at = shiftedOf(subscripts[d]);
    const Sweep::Axis &axis = axes[d];
    const Shifted from =
        axis.fixed ? shiftedOf(axis.fixed) : Shifted{Expr::symbol(axis.variable, Type::Int64), axis.shift};
    if (!areSameSum(at, from)) return std::nullopt;
    result.push_back(at.constant - from.constant);
  }
  return result;
}

std::optional<Stencil> stencilOf(const TileLoop &loop, const TileProgram &program) {
  return StencilReader(loop, program).run();
}

} // namespace polymend
