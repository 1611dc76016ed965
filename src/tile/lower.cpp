// A kernel's grid is the box of its row tiles; its phases follow in order. Arrays of the program are the arguments and
// the values that kernels hand to each other.
#include "polymend/lower.h"

#include "tile/arguments.h"
#include "tile/general_kernel.h"
#include "tile/matrix_kernel.h"
#include "tile/order.h"
#include "tile/phase.h"
#include "tile/rows_again.h"

#include <isl/set.h>

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
    for (unsigned d = 0; d < equation.keys; ++d) work.extents.push_back(keyExtent(equation, d));
    program.arrays.push_back(work);
  }
}

} // namespace

Result<TileProgram> lower(const Function &function, const Scop &scop, const Dependences &dependences,
                          const Relaxed &relaxed, const Schedule &schedule, const LowerOptions &options) {
  TileProgram program = header(function, scop, schedule.order ? std::vector<Joined>() : relaxed.joined);
  if (schedule.order) {
    if (auto refusal = lowerInOrder(function, scop, dependences, program)) return *refusal;
    return program;
  }
  addWork(program, *relaxed.system, schedule);
  const std::set<std::string> names = takenNames(function, scop, program);
  const Lowering lowering{scop, relaxed, schedule, options};
  std::map<int, Residence> homes;
  for (std::size_t k = 0; k < schedule.kernels.size(); ++k) {
    const std::string name = function.name + (schedule.kernels.size() > 1 ? "_" + std::to_string(k) : "");
    if (schedule.kernels[k].parts > 1)
      program.kernels.push_back(
          lowerParts(lowering, schedule.kernels[k], name + "_parts", names, homes, program.arrays));
    const KernelPlan &plan = schedule.kernels[k];
    const auto lowerWith = [&](const LowerOptions &how) {
      return lowerMatrix({scop, relaxed, schedule, how}, plan, name, names, homes, program.arrays);
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
    program.kernels.push_back(lowerKernel(lowering, plan, name, taken, homes, parts, again));
    Kernel &general = program.kernels.back();
    if (fast && *fast) {
      TileBlock otherwise;
      if ((*fast)->parts) otherwise = combining(lowering, plan, name, taken, homes, (*fast)->parts, general);
      onlyWhereMarked(general, plan, (*fast)->again, (*fast)->perRow, otherwise, taken);
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
