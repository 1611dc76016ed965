// What became of a function in a line, and in a plan. Names are the source's: what makes them unique is taken off.
#include "polymend/tell.h"

#include "polymend/about.h"
#include "tile/visit.h"

#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <map>
#include <set>

namespace polymend {

namespace {

std::string plain(const std::string &variable) { return variable.substr(0, variable.rfind('_')); }

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string> &words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  return text;
}

void addOnce(std::vector<std::string> &words, const std::string &word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

const Equation &equationOf(const FunctionTrace &trace, const Member &member) {
  return trace.relaxed->system->equations[static_cast<std::size_t>(member.equation)];
}

/// Statements of the source that a phase computes, with what was substituted into them.
std::set<int> statementsOf(const FunctionTrace &trace, const Phase &phase) {
  std::set<int> all;
  for (const Member &member : phase.members) {
    const Equation &e = equationOf(trace, member);
    all.insert(e.statement);
    all.insert(e.through.begin(), e.through.end());
    all.insert(e.twins.begin(), e.twins.end());
  }
  return all;
}

const Statement &statementAt(const FunctionTrace &trace, int number) {
  return trace.scop->statements[static_cast<std::size_t>(number)];
}

/// Does a nest of loops hold another, or are they one?
bool holds(const std::vector<std::string> &outer, const std::vector<std::string> &inner) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

/// For each innermost loop of the source that a phase runs, the first line in it; fewer than two: none were fused.
std::vector<std::string> fusedLines(const FunctionTrace &trace, const Phase &phase) {
  std::map<std::vector<std::string>, unsigned> lines; // a loop nest is its variables
  for (const int number : statementsOf(trace, phase)) {
    const Statement &statement = statementAt(trace, number);
    const auto [at, isNew] = lines.emplace(statement.iterators, statement.where.line);
    if (!isNew) at->second = std::min(at->second, statement.where.line);
  }
  std::set<unsigned> ordered;
  for (const auto &one : lines) {
    const bool isInnermost = std::none_of(lines.begin(), lines.end(), [&](const auto &other) {
      return other.first != one.first && holds(one.first, other.first);
    });
    if (isInnermost) ordered.insert(one.second);
  }
  std::vector<std::string> result;
  for (const unsigned line : ordered) result.push_back(std::to_string(line));
  return result;
}

/// Has an argument by that name many elements?
bool isLongArgument(const FunctionTrace &trace, const std::string &name) {
  return std::any_of(trace.function.arrays.begin(), trace.function.arrays.end(), [&](const Array &array) {
    return array.name == name && array.storage != Array::Storage::Local && (array.flat || !array.extents.empty());
  });
}

/// For each argument that several loops of the source read and one loop reads now: how many they were.
void addReadOnce(const FunctionTrace &trace, const Phase &phase, std::map<std::string, std::size_t> &times) {
  std::map<std::string, std::set<std::vector<std::string>>> nests;
  for (const int number : statementsOf(trace, phase))
    for (const Access &read : statementAt(trace, number).reads)
      nests[read.array].insert(statementAt(trace, number).iterators);
  for (const Array &array : trace.function.arrays)
    if (isLongArgument(trace, array.name) && nests[array.name].size() > 1)
      times[array.name] = std::max(times[array.name], nests[array.name].size());
}

/// Arrays of the function's own whose elements no longer go to memory: tiles hold them, or they are computed where they
/// are read.
std::vector<std::string> keptInside(const FunctionTrace &trace) {
  std::set<std::string> whole, written;
  const std::vector<Equation> &equations = trace.relaxed->system->equations;
  for (std::size_t k = 0; k < equations.size() && k < trace.schedule->places.size(); ++k)
    if (trace.schedule->places[k] == EquationPlace::Work) whole.insert(equations[k].array);
  for (const Statement &statement : trace.scop->statements) written.insert(statement.write.array);
  std::vector<std::string> names;
  for (const Array &array : trace.function.arrays)
    if (array.storage == Array::Storage::Local && !array.extents.empty() && written.contains(array.name) &&
        !whole.contains(array.name))
      addOnce(names, array.name);
  return names;
}

/// Arguments that a tile reads for several values of a row's loop at once, by how many and by the loop.
using Reuses = std::map<std::pair<std::int64_t, std::string>, std::vector<std::string>>;

/// What of an equation's arguments does not depend on the loop that a tile takes several values of.
void addReused(const FunctionTrace &trace, const KernelPlan &plan, const Member &member, Reuses &reuses) {
  const Equation &e = equationOf(trace, member);
  for (std::size_t r = 0; r < member.rows.size() && r < plan.tiles.size(); ++r) {
    if (plan.tiles[r] <= 1 || member.rows[r] < 0) continue;
    const std::string &loop = e.dims[static_cast<std::size_t>(member.rows[r])];
    visit(e.value, [&](const Expr &node) {
      if (node.op() != Op::Read || node->access < 0) return;
      const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
      const bool isArgument = operand.equation < 0 && isLongArgument(trace, operand.array);
      if (isArgument && !symbols(node).contains(loop))
        addOnce(reuses[{plan.tiles[r], plain(plan.rows[r])}], operand.array);
    });
  }
}

Reuses reused(const FunctionTrace &trace) {
  Reuses reuses;
  for (const KernelPlan &plan : trace.schedule->kernels)
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members)
        if (!phase.rolled.empty()) addReused(trace, plan, member, reuses);
  return reuses;
}

/// Do a GPU's threads share points of the kernel, in a launch of its own each time that they are come to?
bool hasSharedPoints(const Kernel &kernel) {
  return any<TilePoints>(kernel.body, [](const TilePoints &points) {
    return std::any_of(points.dims.begin(), points.dims.end(),
                       [](const PointDim &dim) { return dim.kind == PointDim::Kind::Parallel; });
  });
}

bool isOne(const PointDim &dim) {
  const Expr extent = simplify(dim.limit - dim.first);
  return extent.op() == Op::Integer && extent->integer == 1;
}

/// Does it take as long whatever the sizes are, as what combines the results of some parts does?
bool isOfConstantWork(const TileBlock &block) {
  const auto isConstant = [](const Expr &first, const Expr &limit) {
    return simplify(limit - first).op() == Op::Integer;
  };
  return allNodes(block, [&](const TileNode &node) {
    if (const auto *loop = as<TileLoop>(node)) return isConstant(loop->first, loop->limit);
    const TilePoints *points = pointsOf(node);
    return !points || std::all_of(points->dims.begin(), points->dims.end(),
                                  [&](const PointDim &dim) { return isConstant(dim.first, dim.limit); });
  });
}

/// Do several threads share what takes its time? The threads of a GPU's block share one point of the grid; a host's do
/// not.
bool isParallelOn(const Kernel &kernel, Processors on) {
  if (on == Processors::Gpu) return runsOnThreads(kernel) || hasSharedPoints(kernel);
  const bool isOnePoint = !kernel.grid.empty() && std::all_of(kernel.grid.begin(), kernel.grid.end(), isOne);
  if (!isOnePoint) return runsOnThreads(kernel);
  Kernel inside = kernel;
  inside.grid.clear();
  return runsOnThreads(inside) || isOfConstantWork(kernel.body);
}

/// Loops of the source whose turns threads share; empty: those of an order that has loops of its own.
std::vector<std::string> sharedLoops(const FunctionTrace &trace, const TileProgram &program) {
  std::vector<std::string> names;
  for (const KernelPlan &plan : trace.schedule->kernels)
    for (const std::string &row : plan.rows) addOnce(names, plain(row));
  if (!names.empty()) return names;
  const std::map<std::string, std::string> known = loopNames(trace.function);
  const auto add = [&](const PointDim &dim) {
    const auto found = known.find(dim.variable);
    if (found != known.end() && dim.kind == PointDim::Kind::Parallel) addOnce(names, found->second);
  };
  for (const Kernel &kernel : program.kernels) {
    std::for_each(kernel.grid.begin(), kernel.grid.end(), add);
    if (!runsOnThreads(kernel))
      each<TilePoints>(kernel.body,
                       [&](const TilePoints &points) { std::for_each(points.dims.begin(), points.dims.end(), add); });
  }
  return names;
}

/// The names of what is mended, each once.
std::vector<std::string> mendedNames(const FunctionTrace &trace) {
  std::vector<std::string> names;
  for (const KernelPlan &plan : trace.schedule->kernels)
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members)
        if (member.mended >= 0) addOnce(names, equationOf(trace, member).array);
  return names;
}

/// What loops that run in another order than the source's save.
std::vector<std::string> savings(const FunctionTrace &trace, bool onUnits) {
  std::vector<std::string> gains;
  std::map<std::string, std::size_t> times;
  for (const KernelPlan &plan : trace.schedule->kernels)
    for (const Phase &phase : plan.phases) addReadOnce(trace, phase, times);
  std::map<std::size_t, std::vector<std::string>> byTimes;
  for (const auto &[array, count] : times) byTimes[count].push_back(array);
  for (const auto &[count, arrays] : byTimes)
    gains.push_back(listed(arrays) + " read once instead of " +
                    (count == 2 ? "twice" : std::to_string(count) + " times"));
  if (const auto kept = keptInside(trace); !kept.empty()) gains.push_back(listed(kept) + " never stored");
  if (onUnits) {
    gains.emplace_back("products at the rate of matrix units");
    return gains; // whose tiles are not the plan's
  }
  for (const auto &[values, arrays] : reused(trace))
    gains.push_back(listed(arrays) + " reused by " + std::to_string(values.first) + " values of " + values.second);
  return gains;
}

std::string threadsOf(Processors on) { return on == Processors::Gpu ? "the GPU's threads" : "threads"; }

/// The sizes that the result takes no greater, however large the others are: "off <= 0". Elsewhere the source's order
/// runs.
std::vector<std::string> limitedSizes(const Scop &scop) {
  std::vector<std::string> limits;
  for (const std::string &name : scop.parameters) {
    const int at = isl_set_find_dim_by_name(scop.assumptions.get(), isl_dim_param, name.c_str());
    if (at < 0) continue;
    const isl::val most = greatest(scop.assumptions, static_cast<unsigned>(at));
    if (most.is_int())
      limits.push_back(scop.sourceName(name) + " <= " + std::to_string(isl_val_get_num_si(most.get())));
  }
  return limits;
}

/// "computes m (max) and sum (+, mended)".
std::string computed(const FunctionTrace &trace, const Phase &phase) {
  std::vector<std::string> parts;
  for (const Member &member : phase.members) {
    const Equation &e = equationOf(trace, member);
    std::string what = e.array == "return" ? "the result" : e.array;
    if (e.monoid && member.role == Member::Role::Reduce)
      what += " (" + spell(*e.monoid) + (member.mended >= 0 ? ", mended" : "") + ")";
    addOnce(parts, what);
  }
  return "computes " + listed(parts);
}

std::string loopOf(const Phase &phase) {
  std::vector<std::string> names, chunks;
  for (std::size_t k = 0; k < phase.rolled.size(); ++k) {
    addOnce(names, plain(phase.rolled[k]));
    if (k < phase.chunks.size()) chunks.push_back(std::to_string(phase.chunks[k]));
  }
  if (names.empty()) return "a step";
  return "one pass over " + listed(names) + " in chunks of " + (chunks.empty() ? "1" : listed(chunks));
}

} // namespace

std::string spell(RemarkKind kind) {
  return kind == RemarkKind::Passed ? "passed" : kind == RemarkKind::Missed ? "missed" : "analysis";
}

std::string spell(Quality quality) {
  return quality == Quality::Parallel ? "parallel" : quality == Quality::Mended ? "mended" : "matrix";
}

std::vector<std::string> planInWords(const FunctionTrace &trace) {
  std::vector<std::string> sentences;
  if (trace.left || !trace.schedule || trace.schedule->order) return sentences;
  std::size_t number = 0;
  for (const KernelPlan &plan : trace.schedule->kernels) {
    std::vector<std::string> rows;
    for (std::size_t r = 0; r < plan.rows.size(); ++r)
      rows.push_back(plain(plan.rows[r]) +
                     (plan.tiles[r] > 1 ? " (" + std::to_string(plan.tiles[r]) + " at a time)" : ""));
    std::string text = "kernel " + std::to_string(number++) + ": ";
    text += rows.empty() ? "once" : "for all " + listed(rows) + " in parallel";
    for (std::size_t k = 0; k < plan.phases.size(); ++k)
      text += std::string(k == 0 ? ", " : "; then ") + loopOf(plan.phases[k]) + " " + computed(trace, plan.phases[k]);
    if (plan.parts > 1)
      text += "; the pass may be shared out in " + std::to_string(plan.parts) + " parts that are combined";
    sentences.push_back(text);
  }
  return sentences;
}

std::string expectedOf(const FunctionTrace &trace, const TileProgram &program, Processors on) {
  std::vector<std::string> gains;
  if (!trace.schedule->order) gains = savings(trace, hasRoles(program));
  const bool isShared = std::any_of(program.kernels.begin(), program.kernels.end(),
                                    [&](const Kernel &kernel) { return isParallelOn(kernel, on); });
  std::string text; // without "and", which stands within each
  for (const std::string &gain : gains) text += (text.empty() ? "" : ", ") + gain;
  if (!text.empty() || !isShared) return text;
  const std::vector<std::string> loops = sharedLoops(trace, program);
  return (loops.empty() ? "turns of a loop" : "values of " + listed(loops)) + " shared among " + threadsOf(on);
}

SaidRemark passedRemark(const FunctionTrace &trace, const TileProgram &program, Processors on) {
  const bool onUnits = hasRoles(program);
  const auto parallel = std::count_if(program.kernels.begin(), program.kernels.end(),
                                      [&](const Kernel &kernel) { return isParallelOn(kernel, on); });
  std::vector<std::string> parts;
  if (!trace.schedule->order) {
    for (const KernelPlan &plan : trace.schedule->kernels)
      for (const Phase &phase : plan.phases)
        if (const auto lines = fusedLines(trace, phase); lines.size() > 1)
          addOnce(parts, "the loops around lines " + listed(lines) + " are one");
    if (const auto names = mendedNames(trace); !names.empty()) parts.push_back(listed(names) + " mended");
  }
  const std::string units = onUnits ? "matrix units" : threadsOf(on);
  const std::string count =
      std::to_string(program.kernels.size()) + (program.kernels.size() == 1 ? " kernel" : " kernels");
  parts.push_back((parallel == 0 ? count + ", none of them parallel,"
                   : parallel == static_cast<std::ptrdiff_t>(program.kernels.size())
                       ? count + " in parallel"
                       : count + ", " + std::to_string(parallel) + " of them parallel,") +
                  " on " + units);
  if (const auto limits = limitedSizes(*trace.scop); !limits.empty())
    parts.push_back("only where " + listed(limits) + ", else in the source's order");
  if (!program.versions.empty()) {
    std::vector<std::string> conditions;
    for (const Expr &when : program.versions) conditions.push_back(show(when));
    parts.push_back("versions of their own for calls with " + listed(conditions));
  }
  std::string text = "'" + trace.function.name + "' is transformed: ";
  for (std::size_t k = 0; k < parts.size(); ++k) text += (k == 0 ? "" : "; ") + parts[k];
  if (const std::string gain = expectedOf(trace, program, on); !gain.empty()) text += "; expected: " + gain;
  return {RemarkKind::Passed, "Transformed", trace.function.name, {Severity::Remark, trace.function.where, text, {}}};
}

std::optional<std::string> lacks(Quality asked, const FunctionTrace &trace, const TileProgram &program, Processors on) {
  const bool isOrdered = trace.schedule && trace.schedule->order;
  switch (asked) {
  case Quality::Parallel:
    for (const Kernel &kernel : program.kernels)
      if (!isParallelOn(kernel, on)) return "is not parallel: the kernel '" + kernel.name + "' runs once";
    return std::nullopt;
  case Quality::Mended:
    if (isOrdered) return "has no mend: no dependence is dropped, as " + trace.schedule->why;
    return mendedNames(trace).empty() ? std::optional<std::string>("has no mend: no dependence had to be dropped")
                                      : std::nullopt;
  case Quality::Matrix:
    if (hasRoles(program)) return std::nullopt;
    return "does not use matrix units" + (program.plain.empty() ? "" : ": " + program.plain.front().reason);
  }
  return std::nullopt;
}

} // namespace polymend
