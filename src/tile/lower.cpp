// A kernel's grid is the box of its row tiles; its phases follow in order. Arrays of the program are the arguments and
// the values that kernels hand to each other.
#include "polymend/lower.h"

#include "tile/order.h"
#include "tile/phase.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// One past the largest index by which the function touches the outermost dimension; absent: unknown.
Expr touchedExtent(const Scop &scop, const Array &array) {
  isl::set touched;
  const auto add = [&](const Access &access) {
    if (access.array != array.name) return true;
    if (!access.exact) return false;
    const isl::set range = access.relation.range();
    touched = touched.is_null() ? range : touched.unite(range);
    return true;
  };
  for (const Statement &statement : scop.statements) {
    if (!add(statement.write)) return {};
    for (const Access &read : statement.reads)
      if (!add(read)) return {};
  }
  if (touched.is_null()) return Expr::integer(0);
  const unsigned dims = dimension(touched);
  return boundsOf(projectOut(touched, 1, dims - 1), "x").second;
}

TileArray argument(const Scop &scop, const Array &array) {
  TileArray result;
  result.name = array.name;
  result.type = array.type;
  result.extents = array.extents;
  if (!result.extents.empty() && !result.extents[0]) result.extents[0] = touchedExtent(scop, array);
  result.space = Space::Argument;
  result.flat = array.flat;
  result.written = !array.isConst;
  return result;
}

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

void bindGrid(KernelFrame &frame, Kernel &kernel) {
  const KernelPlan &plan = frame.plan;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const std::string name = plainName(plan.rows[r]);
    RowAxis row;
    row.grid = frame.unique(plan.tiles[r] == 1 ? name : name + "_tile");
    row.axis.extent = plan.tiles[r];
    const Expr grid = Expr::symbol(row.grid, Type::Int64);
    row.axis.base = plan.tiles[r] == 1 ? grid : Expr::integer(plan.tiles[r]) * grid;
    if (plan.tiles[r] > 1) row.axis.point = frame.unique(name);
    names.push_back(row.grid);
    frame.rows.push_back(row);
  }
  const isl::set tiles = plan.domain.apply(tileMap(frame.scop.context.get(), plan.tiles));
  const isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(tiles.copy())));
  const ScanBounds bounds = scan(hull, symbolsOf(names), isl::manage(isl_set_universe(isl_set_get_space(tiles.get()))));
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

/// A program's arrays outlive its kernels: the arguments, and what the function returns.
TileProgram header(const Function &function, const Scop &scop) {
  TileProgram program;
  program.function = function.name;
  program.sizes = function.sizes;
  for (const std::string &scalar : function.scalars)
    for (const Parameter &parameter : function.parameters)
      if (parameter.name == scalar) program.scalars.emplace_back(scalar, parameter.type);
  for (const Array &array : scop.arrays)
    if (array.storage != Array::Storage::Local && !array.functionStatic)
      program.arrays.push_back(argument(scop, array));
  if (function.returnType != Type::Void) program.returns = function.returnType;
  return program;
}

Kernel lowerKernel(const Scop &scop, const Relaxed &relaxed, const Schedule &schedule, const KernelPlan &plan,
                   const LowerOptions &options, const std::string &name, const std::set<std::string> &names,
                   std::map<int, Residence> &homes) {
  KernelFrame frame{scop, *relaxed.system, relaxed, schedule, plan, options, {}, {}, homes, {}, names};
  Kernel kernel;
  kernel.name = name;
  bindGrid(frame, kernel);
  for (const Phase &phase : plan.phases) {
    PhaseLowerer lowerer(frame, phase);
    const bool combines = plan.parts > 1 && &phase == &plan.phases.front();
    const TileBlock block = combines ? lowerer.runCombine(plan.parts) : lowerer.run();
    kernel.body.insert(kernel.body.end(), block.begin(), block.end());
  }
  kernel.tiles = frame.tiles;
  homes = frame.homes;
  return kernel;
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
  const std::vector<TileArray> handed = lowerer.partArrays(plan.parts);
  arrays.insert(arrays.end(), handed.begin(), handed.end());
  return kernel;
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
    program.kernels.push_back(lowerKernel(scop, relaxed, schedule, schedule.kernels[k], options, name, names, homes));
    for (auto &[e, home] : homes)
      if (schedule.places[static_cast<std::size_t>(e)] == Place::Work)
        home = {workName(relaxed.system->equations[static_cast<std::size_t>(e)]), true, nullptr};
  }
  return program;
}

} // namespace polymend
