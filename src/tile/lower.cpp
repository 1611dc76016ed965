// A kernel's grid is the box of its row tiles; its phases follow in order. Arrays of the program are the arguments and
// the values that kernels hand to each other.
#include "polymend/lower.h"

#include "tile/arguments.h"
#include "tile/matrix.h"
#include "tile/order.h"
#include "tile/phase.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

std::set<std::string> takenNames(const Function &function, const Scop &scop, const TileProgram &program) {
  std::set<std::string> names;
  for (const Parameter &parameter : function.parameters) names.insert(parameter.name);
  for (const Array &array : scop.arrays)
    if (array.storage != Array::Storage::Local) names.insert(array.name);
  for (const TileArray &array : program.arrays) names.insert(array.name);
  return names;
}

/// Names of dims r0, r1, ... for a map that divides each by its tile.
isl::map tileMap(isl_ctx *ctx, const std::vector<std::int64_t> &tiles) {
  std::string in, out, where;
  for (std::size_t r = 0; r < tiles.size(); ++r) {
    const std::string row = "r" + std::to_string(r), tile = "t" + std::to_string(r), size = std::to_string(tiles[r]);
    in += (r ? ", " : "") + row;
    out += (r ? ", " : "") + tile;
    where += (r ? " and " : "") + size + tile + " <= " + row + " < " + size + tile + " + " + size;
  }
  return isl::manage(isl_map_read_from_str(
      ctx, ("{ [" + in + "] -> [" + out + "]" + (where.empty() ? "" : " : " + where) + " }").c_str()));
}

/// Moves all set dimensions to parameters of these names.
isl::set asParameters(const isl::set &set, const std::vector<std::string> &names) {
  isl_set *raw = set.copy();
  const auto count = static_cast<unsigned>(names.size());
  const auto position = static_cast<unsigned>(isl_set_dim(raw, isl_dim_param));
  raw = isl_set_move_dims(raw, isl_dim_param, position, isl_dim_set, 0, count);
  for (unsigned k = 0; k < count; ++k) raw = isl_set_set_dim_name(raw, isl_dim_param, position + k, names[k].c_str());
  return isl::manage(isl_set_params(raw));
}

/// The smallest box around a set.
isl::basic_set boxAround(const isl::basic_set &set) {
  isl_basic_set *box = isl_basic_set_universe(isl_basic_set_get_space(set.get()));
  const auto dims = static_cast<unsigned>(isl_basic_set_dim(box, isl_dim_set));
  for (unsigned d = 0; d < dims; ++d) {
    isl_basic_set *line = set.copy();
    line = isl_basic_set_project_out(line, isl_dim_set, d + 1, dims - d - 1);
    line = isl_basic_set_project_out(line, isl_dim_set, 0, d);
    line = isl_basic_set_insert_dims(line, isl_dim_set, 0, d);
    line = isl_basic_set_add_dims(line, isl_dim_set, dims - d - 1);
    box = isl_basic_set_intersect(box, line);
  }
  return isl::manage(box);
}

/// Is no dimension bounded by another?
bool isBox(const ScanBounds &bounds, const std::vector<std::string> &names) {
  return std::all_of(bounds.dims.begin(), bounds.dims.end(), [&](const auto &dim) {
    const std::set<std::string> low = symbols(lowest(dim)), high = symbols(highest(dim));
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string &name) { return low.count(name) + high.count(name) > 0; });
  });
}

/// The grid of a kernel's row tiles; a boxed kernel's is a box, whose points beyond the rows store nothing.
void bindGrid(KernelFrame &frame, Kernel &kernel) {
  const KernelPlan &plan = frame.plan;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const std::string name = plainName(plan.rows[r]);
    RowAxis row;
    const bool padded = frame.padding && frame.padding->row == r;
    row.own = plan.tiles[r];
    row.axis.extent = padded ? frame.padding->rows : row.own;
    row.grid = frame.unique(row.axis.extent == 1 ? name : name + "_tile");
    const Expr grid = Expr::symbol(row.grid, Type::Int64);
    row.axis.base = row.own == 1 ? grid : Expr::integer(row.own) * grid;
    if (row.axis.extent > 1) row.axis.point = frame.unique(name);
    names.push_back(row.grid);
    frame.rows.push_back(row);
  }
  const isl::set tiles = plan.domain.apply(tileMap(frame.scop.context.get(), plan.tiles));
  const isl::set all = isl::manage(isl_set_universe(isl_set_get_space(tiles.get())));
  isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(tiles.copy())));
  ScanBounds bounds = scan(hull, symbolsOf(names), all);
  if (frame.boxed && !isBox(bounds, names)) {
    hull = boxAround(hull);
    bounds = scan(hull, symbolsOf(names), all);
  }
  for (std::size_t r = 0; r < names.size(); ++r)
    kernel.grid.push_back({names[r], lowest(bounds.dims[r]), highest(bounds.dims[r]), PointDim::Kind::Parallel});
  frame.known = asParameters(isl::set(hull), names);
  if (names.empty())
    kernel.grid.push_back({frame.unique("once"), Expr::integer(0), Expr::integer(1), PointDim::Kind::Parallel});
}

/// Values that another kernel reads get an array of their own.
void addWork(TileProgram &program, const System &system, const Schedule &schedule) {
  for (std::size_t e = 0; e < system.equations.size(); ++e) {
    if (schedule.places[e] != Place::Work) continue;
    const Equation &equation = system.equations[e];
    TileArray work;
    work.name = workName(equation);
    for (const TileArray &other : program.arrays)
      if (other.name == work.name) work.name += "_" + std::to_string(e);
    work.type = equation.type;
    work.space = Space::Work;
    work.written = true;
    for (unsigned d = 0; d < equation.keys; ++d) {
      const isl::set line = projectOut(projectOut(equation.keyDomain, d + 1, equation.keys - d - 1), 0, d);
      work.extents.push_back(boundsOf(line, "x").second);
    }
    program.arrays.push_back(work);
  }
}

/// Arrays that the plan's equations both read at entry and write.
std::set<std::string> inPlace(const System &system, const KernelPlan &plan) {
  std::set<std::string> read, both;
  const auto visitMembers = [&](const auto &look) {
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members) look(system.equations[static_cast<std::size_t>(member.equation)]);
  };
  visitMembers([&](const Equation &e) {
    for (const Operand &operand : e.operands)
      if (operand.equation < 0) read.insert(operand.array);
  });
  visitMembers([&](const Equation &e) {
    for (const Store &store : e.stores)
      if (read.count(store.array)) both.insert(store.array);
  });
  return both;
}

/// The block with assignments to these arrays only where `condition` holds.
TileBlock storedWhere(const TileBlock &block, const std::set<std::string> &arrays, const Expr &condition) {
  return rewrite(block, [&](TileAssign assign) {
    if (arrays.count(assign.target.array))
      assign.where = assign.where ? Expr::make(Op::And, {assign.where, condition}) : condition;
    return assign;
  });
}

/// The kernel's row indices.
std::vector<Expr> rowsOf(const KernelFrame &frame) {
  std::vector<Expr> rows;
  for (const RowAxis &row : frame.rows) rows.push_back(row.axis.global());
  return rows;
}

/// `names` are taken; the kernel's own join them. `parts`: kernels before this one left so many parts of the first
/// phase's states, which this one combines. `again`, if any, marks the rows that are computed again: of what is changed
/// in place, only those are stored.
Kernel lowerKernel(const Scop &scop, const Relaxed &relaxed, const Schedule &schedule, const KernelPlan &plan,
                   const LowerOptions &options, const std::string &name, std::set<std::string> &names,
                   std::map<int, Residence> &homes, const Expr &parts, const std::string &again = "") {
  KernelFrame frame{scop, *relaxed.system, relaxed, schedule, plan, options, {}, {}, homes, {}, names};
  frame.boundedParts = parts && plan.parts == 1;
  Kernel kernel;
  kernel.name = name;
  bindGrid(frame, kernel);
  for (const Phase &phase : plan.phases) {
    PhaseLowerer lowerer(frame, phase);
    const bool combines = parts && &phase == &plan.phases.front();
    const TileBlock block = combines ? lowerer.runCombine(parts) : lowerer.run();
    kernel.body.insert(kernel.body.end(), block.begin(), block.end());
  }
  if (!again.empty())
    kernel.body =
        storedWhere(kernel.body, inPlace(frame.system, plan),
                    Expr::make(Op::Ne, {Expr::read(again, rowsOf(frame), Type::Int32), Expr::integer(0, Type::Int32)}));
  kernel.tiles = frame.tiles;
  homes = frame.homes;
  names = frame.names;
  return kernel;
}

/// The kernel on matrix units that stands before a kernel of the general route, and the array in which it marks the
/// rows that the general route must compute again.
struct OnMatrixUnits {
  Kernel kernel;
  TileArray again;
  std::vector<std::pair<std::string, std::string>> approximations; // as in TileProgram
  bool perRow = false;           // a mark for every row; else one for all, which only the host sets
  Expr parts;                    // present: it leaves so many parts of states, and clears marks that only the host sets
  std::vector<TileArray> handed; // the parts
};

/// Extents of the box of a plan's rows.
std::vector<Expr> rowExtents(const KernelPlan &plan) {
  std::vector<Expr> extents;
  const unsigned count = dimension(plan.domain);
  for (unsigned r = 0; r < count; ++r)
    extents.push_back(boundsOf(projectOut(projectOut(plan.domain, r + 1, count - r - 1), 0, r), "x").second);
  return extents;
}

/// The points of the box of rows: local and global subscripts, and whether the row is one of the tile's.
struct RowBox {
  TilePoints points;
  std::vector<Expr> local, global;
  Expr where;
};

RowBox rowBox(const KernelFrame &frame) {
  RowBox box;
  const std::vector<Expr> extents = rowExtents(frame.plan);
  for (std::size_t r = 0; r < frame.rows.size(); ++r) {
    const Axis &axis = frame.rows[r].axis;
    box.global.push_back(axis.global());
    if (axis.point.empty()) continue;
    box.local.push_back(axis.local());
    box.points.dims.push_back({axis.point, Expr::integer(0), Expr::integer(axis.extent), PointDim::Kind::Parallel});
    const Expr test = Expr::make(Op::Lt, {axis.global(), extents[r]});
    box.where = box.where ? Expr::make(Op::And, {box.where, test}) : test;
  }
  box.where = frame.onOwnRows(box.where);
  return box;
}

/// Not zero where a mark of the row is set.
Expr markOf(const KernelFrame &frame, const std::vector<Expr> &row) {
  Expr value;
  for (const std::string &mark : frame.marks) {
    const Expr read = Expr::read(mark, row, Type::Int32);
    value = value ? Expr::make(Op::Max, Type::Int32, {value, read}) : read;
  }
  return value;
}

/// rows where a mark is set -> again.
TileBlock storeMarks(const KernelFrame &frame, const TileArray &again) {
  RowBox box = rowBox(frame);
  box.points.body.push_back({{again.name, box.global}, Update::Set, markOf(frame, box.local), box.where});
  return {std::make_shared<const TilePoints>(box.points)};
}

/// The first grid point clears the marks, one for each row of its box.
TileBlock clearMarks(const KernelFrame &frame, const std::vector<PointDim> &grid, const TileArray &again) {
  RowBox box = rowBox(frame);
  Expr first;
  for (const PointDim &d : grid) {
    const Expr here = Expr::make(Op::Eq, {Expr::symbol(d.variable, Type::Int64), d.first});
    first = first ? Expr::make(Op::And, {first, here}) : here;
  }
  box.points.body.push_back({{again.name, box.local}, Update::Set, Expr::integer(0, Type::Int32), first});
  return {std::make_shared<const TilePoints>(box.points)};
}

/// What each phase leaves in a boxed kernel: all that comes before the loop over chunks, the loop, all that comes
/// after.
std::optional<Refusal> addPhase(BoxedKernel &boxed, const std::optional<BoxedPhase> &lowered) {
  if (!lowered) return Refusal{"a loop has no box of constant extents", {}};
  if (lowered->loop && boxed.loop) return Refusal{"two loops over chunks", {}};
  boxed.lets.insert(boxed.lets.end(), lowered->lets.begin(), lowered->lets.end());
  TileBlock &before = boxed.loop ? boxed.after : boxed.before;
  append(before, lowered->before);
  if (lowered->loop) boxed.loop = lowered->loop;
  TileBlock &after = boxed.loop ? boxed.after : boxed.before;
  append(after, lowered->after);
  return std::nullopt;
}

/// As many parts of each grid point's loop as keep the target's processors busy.
Expr partsFor(const std::vector<PointDim> &grid, std::int64_t processors) {
  Expr points = Expr::integer(1);
  for (const PointDim &d : grid) points = simplify(points * (d.limit - d.first));
  const Expr one = Expr::integer(1), atLeast = Expr::make(Op::Max, Type::Int64, {points, one});
  const Expr share = Expr::make(Op::FloorDiv, Type::Int64, {Expr::integer(processors), atLeast});
  return simplify(Expr::make(Op::Max, Type::Int64, {share, one}));
}

/// Is an element of an array in memory read at a row that need not be there?
bool readsBeyond(const TileBlock &block, const KernelFrame &frame) {
  const std::string &row = frame.rows[frame.padding->row].axis.point;
  bool beyond = false;
  const auto look = [&](const Expr &value) {
    if (!value) return;
    visit(value, [&](const Expr &node) {
      const bool tile =
          std::any_of(frame.tiles.begin(), frame.tiles.end(), [&](const TileArray &t) { return t.name == node->name; });
      if (node.op() == Op::Read && !tile && symbols(node).count(row)) beyond = true;
    });
  };
  for (const TileNode &node : block) {
    const auto *points = std::get_if<std::shared_ptr<const TilePoints>>(&node);
    if (!points) continue;
    for (const TileAssign &assign : (*points)->body)
      if (!assign.where && !(assign.update == Update::Set && assign.value.op() == Op::Read)) look(assign.value);
  }
  return beyond;
}

/// Does a value of the block's regions use the operation?
bool holds(const TileBlock &block, Op op) {
  bool found = false;
  static_cast<void>(rewrite(block, [&](const TileAssign &assign) {
    visit(assign.value, [&](const Expr &e) { found = found || e.op() == op; });
    return assign;
  }));
  return found;
}

/// The kernel with roles: what regions read in a chunk comes by copies, unless only without there is room for those
/// that products need.
Result<Kernel> shareOut(const BoxedKernel &boxed, const std::vector<TileArray> &arrays, const MatrixUnits &units) {
  BoxedKernel copied = boxed, plain = boxed;
  copyReads(copied, arrays, units.elementBytes);
  for (BoxedKernel *kernel : {&copied, &plain})
    if (auto refusal = guardReads(*kernel, arrays)) return *refusal;
  Result<Kernel> made = withRoles(copied, units);
  return made || copied.tiles.size() == plain.tiles.size() ? made : withRoles(plain, units);
}

/// Absent: nothing in the plan is a product for matrix units. Refused: a product is there, but something stands in the
/// way.
std::optional<Result<OnMatrixUnits>> lowerMatrix(const Scop &scop, const Relaxed &relaxed, const Schedule &schedule,
                                                 const KernelPlan &general, const LowerOptions &options,
                                                 const std::string &name, const std::set<std::string> &names,
                                                 const std::map<int, Residence> &homes,
                                                 const std::vector<TileArray> &arrays) {
  const auto tiles = matrixTiles(relaxed, general, options);
  if (!tiles) return std::nullopt;
  if (!*tiles) return tiles->refusal();
  const MatrixPlan &chosen = **tiles;
  const MatrixUnits &units = chosen.units;
  const KernelPlan &plan = chosen.plan;
  KernelFrame frame{scop, *relaxed.system, relaxed, schedule, plan, options, {}, {}, homes, {}, names};
  frame.boxed = true;
  frame.arrays = &arrays;
  frame.padding = chosen.padding;
  if (frame.padding) frame.takeAtFirstRow();
  OnMatrixUnits result;
  BoxedKernel boxed;
  boxed.name = name + "_matrix";
  Kernel kernel;
  bindGrid(frame, kernel);
  boxed.grid = kernel.grid;
  for (std::size_t r = 0; r < frame.rows.size(); ++r)
    if (frame.rows[r].own > 1 && !frame.padding && boxed.rowTile.empty()) boxed.rowTile = frame.rows[r].grid;
  result.again.name = frame.unique(name + "_again");
  result.again.type = Type::Int32;
  result.again.space = Space::Work;
  result.again.written = true;
  result.again.extents = {Expr::integer(1)};
  if (frame.padding && general.divisible) {
    const std::string part = frame.unique("part");
    result.parts = partsFor(boxed.grid, units.processors);
    boxed.grid.push_back({part, Expr::integer(0), result.parts, PointDim::Kind::Parallel});
    PhaseLowerer lowerer(frame, plan.phases.front());
    if (auto refusal = addPhase(boxed, lowerer.runBoxedPart(part, result.parts))) return *refusal;
    result.handed = lowerer.partArrays(result.parts);
    result.again.extents = {Expr::integer(frame.padding->rows)};
    const TileBlock marks = clearMarks(frame, boxed.grid, result.again);
    boxed.after.insert(boxed.after.end(), marks.begin(), marks.end());
  } else {
    for (const Phase &phase : plan.phases)
      if (auto refusal = addPhase(boxed, PhaseLowerer(frame, phase).runBoxed())) return *refusal;
    result.perRow = !frame.marks.empty();
  }
  if (result.perRow) {
    result.again.extents = rowExtents(plan);
    const Expr regular = Expr::make(Op::Eq, {markOf(frame, rowBox(frame).local), Expr::integer(0, Type::Int32)});
    boxed.after = storedWhere(boxed.after, inPlace(frame.system, plan), regular);
    const TileBlock marks = storeMarks(frame, result.again);
    boxed.after.insert(boxed.after.end(), marks.begin(), marks.end());
  }
  if (frame.padding && boxed.loop)
    for (const TileBlock *block : {&boxed.before, &boxed.loop->full, &boxed.loop->masked, &boxed.after})
      if (readsBeyond(*block, frame)) return Refusal{"an element is read for each of few rows", {}};
  boxed.tiles = frame.tiles;
  boxed.names = frame.names;
  if (boxed.loop) maskOnce(*boxed.loop);
  overlay(boxed);
  startFromBias(boxed);
  Result<Kernel> made = shareOut(boxed, arrays, units);
  if (!made) return made.refusal();
  result.kernel = *made;
  result.approximations = frame.approximations;
  if (units.elementBytes == 4) result.approximations.emplace_back("factors of products rounded to tf32", "2^-11");
  if (options.approximate && boxed.loop && holds(boxed.loop->full, Op::Tanh))
    result.approximations.emplace_back("tanh.approx", "2^-10.9");
  result.kernel.again = result.again.name;
  return result;
}

/// How long a kernel's grid keeps the processors busy, in rows of a tile: rounds of one tile a processor.
Expr busyRows(const Kernel &kernel, std::int64_t processors) {
  const Expr count = kernel.order->count, beside = Expr::integer(processors);
  const Expr rounds = Expr::make(Op::FloorDiv, Type::Int64, {count + (beside - Expr::integer(1)), beside});
  return simplify(rounds * Expr::integer(groupRows * kernel.roles.back().groups));
}

/// Where few tiles leave processors idle in the last round, the same kernel with smaller tiles may be done sooner:
/// which of them runs is decided by sizes. A tile of three groups multiplies about 4 % faster than one of two; one of a
/// single group has nothing to run beside its element-wise work. Absent: there is no such kernel.
template <class Lower>
std::optional<OnMatrixUnits> smallerTiles(OnMatrixUnits &wide, const LowerOptions &options, const Lower &lowerWith) {
  constexpr std::int64_t fasterWide = 25, fasterSmall = 24, leastGroups = 2;
  const int groups = wide.kernel.roles.back().groups;
  if (wide.parts || !wide.kernel.order || groups <= leastGroups) return std::nullopt;
  LowerOptions narrower = options;
  std::erase_if(narrower.units->budgets,
                [&](const GroupBudget &b) { return b.groups >= groups || b.groups < leastGroups; });
  auto made = lowerWith(narrower);
  if (!made || !*made || (*made)->kernel.roles.back().groups >= groups) return std::nullopt;
  OnMatrixUnits small = **made;
  const Expr wideRows = busyRows(wide.kernel, options.units->processors),
             smallRows = busyRows(small.kernel, options.units->processors);
  wide.kernel.when =
      simplify(Expr::make(Op::Le, {wideRows * Expr::integer(fasterSmall), smallRows * Expr::integer(fasterWide)}));
  small.kernel.when =
      simplify(Expr::make(Op::Lt, {smallRows * Expr::integer(fasterWide), wideRows * Expr::integer(fasterSmall)}));
  small.kernel.name += "_small";
  return small;
}

/// The general route's kernel, for the tiles that hold a marked row; `otherwise` for the others.
void onlyWhereMarked(Kernel &kernel, const KernelPlan &plan, const OnMatrixUnits &fast, const TileBlock &otherwise,
                     std::set<std::string> names) {
  const TileArray &again = fast.again;
  const bool perRow = fast.perRow;
  const auto unique = [&](std::string wanted) {
    while (!names.insert(wanted).second) wanted += "_";
    return wanted;
  };
  for (const TileArray &tile : kernel.tiles) names.insert(tile.name);
  for (const PointDim &d : kernel.grid) names.insert(d.variable);
  TileArray any;
  any.name = unique("again");
  any.type = Type::Int32;
  any.written = true;
  TilePoints points;
  std::vector<Expr> at;
  if (!perRow) at.push_back(Expr::integer(0));
  for (std::size_t r = 0; perRow && r < plan.rows.size(); ++r) {
    const Expr grid = Expr::symbol(kernel.grid[r].variable, Type::Int64);
    if (plan.tiles[r] == 1) {
      at.push_back(grid);
      continue;
    }
    const Expr base = Expr::integer(plan.tiles[r]) * grid;
    const std::string row = unique(plainName(plan.rows[r]) + "_row");
    const Expr limit =
        simplify(Expr::make(Op::Min, Type::Int64, {Expr::integer(plan.tiles[r]), again.extents[r] - base}));
    points.dims.push_back({row, Expr::integer(0), limit, PointDim::Kind::Reduced});
    at.push_back(base + Expr::symbol(row, Type::Int64));
  }
  points.body.push_back({{any.name, {}}, Update::Max, Expr::read(again.name, at, Type::Int32), {}});
  TileBlock body{TileAssign{{any.name, {}}, Update::Set, Expr::integer(0, Type::Int32), {}}};
  if (points.dims.empty())
    body.push_back(points.body[0]);
  else
    body.push_back(std::make_shared<const TilePoints>(points));
  const Expr marked = Expr::make(Op::Ne, {Expr::read(any.name, {}, Type::Int32), Expr::integer(0, Type::Int32)});
  body.push_back(std::make_shared<const TileBranch>(TileBranch{marked, kernel.body, otherwise}));
  kernel.body = body;
  kernel.tiles.push_back(any);
  if (otherwise.empty()) kernel.again = again.name;
}

/// The kernel that shares out the first phase's loop, and the arrays it hands to the kernel that combines.
Kernel lowerParts(const Scop &scop, const Relaxed &relaxed, const Schedule &schedule, const KernelPlan &plan,
                  const LowerOptions &options, const std::string &name, const std::set<std::string> &names,
                  const std::map<int, Residence> &homes, std::vector<TileArray> &arrays) {
  KernelFrame frame{scop, *relaxed.system, relaxed, schedule, plan, options, {}, {}, homes, {}, names};
  Kernel kernel;
  kernel.name = name;
  bindGrid(frame, kernel);
  const std::string part = frame.unique("part");
  kernel.grid.push_back({part, Expr::integer(0), Expr::integer(plan.parts), PointDim::Kind::Parallel});
  PhaseLowerer lowerer(frame, plan.phases.front());
  kernel.body = lowerer.runPart(part, plan.parts);
  kernel.tiles = frame.tiles;
  const std::vector<TileArray> handed = lowerer.partArrays(Expr::integer(plan.parts));
  arrays.insert(arrays.end(), handed.begin(), handed.end());
  return kernel;
}

/// Does an assignment of the block read or write the array?
bool touches(const TileBlock &block, const std::string &array) {
  bool found = false;
  rewrite(block, [&](const TileAssign &assign) {
    found = found || assign.target.array == array;
    for (const Expr &e : {assign.value, assign.where})
      if (e) visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Read && node->name == array); });
    return assign;
  });
  return found;
}

/// The body of a kernel that combines parts on the grid of `general`, which gets its tiles.
TileBlock combining(const Scop &scop, const Relaxed &relaxed, const Schedule &schedule, const KernelPlan &plan,
                    const LowerOptions &options, const std::string &name, std::set<std::string> names,
                    std::map<int, Residence> homes, const Expr &parts, Kernel &general) {
  for (const PointDim &d : general.grid) names.erase(d.variable);
  const Kernel kernel = lowerKernel(scop, relaxed, schedule, plan, options, name, names, homes, parts);
  std::copy_if(kernel.tiles.begin(), kernel.tiles.end(), std::back_inserter(general.tiles),
               [&](const TileArray &tile) { return touches(kernel.body, tile.name); });
  return kernel.body;
}

} // namespace

Result<TileProgram> lower(const Function &function, const Scop &scop, const Dependences &dependences,
                          const Relaxed &relaxed, const Schedule &schedule, const LowerOptions &options) {
  TileProgram program = header(function, scop);
  if (schedule.order) {
    if (auto refusal = lowerInOrder(function, scop, dependences, program)) return *refusal;
    return program;
  }
  addWork(program, *relaxed.system, schedule);
  const std::set<std::string> names = takenNames(function, scop, program);
  std::map<int, Residence> homes;
  for (std::size_t k = 0; k < schedule.kernels.size(); ++k) {
    const std::string name = function.name + (schedule.kernels.size() > 1 ? "_" + std::to_string(k) : "");
    if (schedule.kernels[k].parts > 1)
      program.kernels.push_back(lowerParts(scop, relaxed, schedule, schedule.kernels[k], options, name + "_parts",
                                           names, homes, program.arrays));
    const KernelPlan &plan = schedule.kernels[k];
    const auto lowerWith = [&](const LowerOptions &how) {
      return lowerMatrix(scop, relaxed, schedule, plan, how, name, names, homes, program.arrays);
    };
    auto fast = options.units && options.reorder && plan.parts == 1 ? lowerWith(options) : std::nullopt;
    if (fast && *fast) {
      const auto small = smallerTiles(**fast, options, lowerWith);
      program.arrays.push_back((*fast)->again);
      program.arrays.insert(program.arrays.end(), (*fast)->handed.begin(), (*fast)->handed.end());
      program.kernels.push_back((*fast)->kernel);
      if (small) program.kernels.push_back(small->kernel);
      program.approximations.insert(program.approximations.end(), (*fast)->approximations.begin(),
                                    (*fast)->approximations.end());
    }
    const Expr parts = plan.parts > 1 ? Expr::integer(plan.parts) : Expr();
    std::set<std::string> taken = names;
    const std::string again = fast && *fast && (*fast)->perRow ? (*fast)->again.name : "";
    program.kernels.push_back(lowerKernel(scop, relaxed, schedule, plan, options, name, taken, homes, parts, again));
    Kernel &general = program.kernels.back();
    if (fast && *fast) {
      TileBlock otherwise;
      if ((*fast)->parts)
        otherwise = combining(scop, relaxed, schedule, plan, options, name, taken, homes, (*fast)->parts, general);
      onlyWhereMarked(general, plan, **fast, otherwise, taken);
    } else if (fast) {
      program.plain.push_back(fast->refusal().reason);
      general.body.insert(general.body.begin(), TileNote{"not on matrix units: " + program.plain.back()});
    }
    for (auto &[e, home] : homes)
      if (schedule.places[static_cast<std::size_t>(e)] == Place::Work)
        home = {workName(relaxed.system->equations[static_cast<std::size_t>(e)]), true, nullptr};
  }
  return program;
}

} // namespace polymend
