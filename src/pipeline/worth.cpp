// A program that is right may still gain nothing, or not run where it is asked for.
#include "worth.h"

#include "polymend/lower.h"
#include "polymend/off_units.h"
#include "polymend/tell.h"

#include <algorithm>

namespace polymend {
namespace {

/// Do the statements compute more than in proportion to the elements of arrays that they read and write?
bool outgrowsItsArrays(const Scop &scop) {
  std::size_t depth = 0, rank = 0;
  for (const Statement &statement : scop.statements) depth = std::max(depth, statement.iterators.size());
  for (const Array &array : scop.arrays)
    if (array.storage == Array::Storage::Parameter) rank = std::max(rank, array.extents.size());
  return depth > rank;
}

} // namespace

std::optional<Refusal> idle(const FunctionTrace &trace, const TileProgram &program, Target target) {
  if (trace.schedule->given) return std::nullopt;
  const bool isKnown = program.work && program.work.op() == Op::Real && program.starts.op() == Op::Integer;
  const bool isFew = isKnown && program.work->real < leastWork * static_cast<double>(program.starts->integer);
  if (target == Target::Cpp && isFew)
    return Refusal{"nothing gained: it is done before threads have started", trace.function.where};
  if (target != Target::Cpp && trace.function.around.valid() && !outgrowsItsArrays(*trace.scop))
    return Refusal{std::string(copiedEachTurn), trace.function.around};
  const auto why = nothingGained(program, target == Target::Cpp ? Processor::Cpu : Processor::Gpu);
  if (!why || !trace.schedule->order) return std::nullopt;
  const Relaxed &relaxed = *trace.relaxed;
  const SourceRange &where = relaxed.system ? trace.function.where : relaxed.why.where;
  return Refusal{"nothing gained: " + *why + ", as " + trace.schedule->why, where};
}

std::optional<Refusal> calledOnHost(const FunctionTrace &trace, Target target) {
  if (target == Target::Cpp || trace.function.outlined.empty()) return std::nullopt;
  return trace.function.outlined.front().why;
}

std::optional<Refusal> copiedOver(const FunctionTrace &trace, const TileProgram &program, Target target) {
  if (target == Target::Cpp) return std::nullopt;
  for (const Array &array : trace.function.arrays)
    for (const TileArray &stored : program.arrays)
      if (!array.records.empty() && stored.written && stored.name == array.name)
        return Refusal{
            "records with members of several types are written here, which a GPU cannot copy back: keep what "
            "is written in records or arrays of one type",
            array.where};
  return std::nullopt;
}

std::optional<std::string> offUnits(const PipelineOptions &options, const FunctionTrace &trace,
                                    const TileProgram &program) {
  const bool present = !machineFor(options).units.empty();
  if (options.target == Target::Cpp || (options.target == Target::Cuda && !present)) return std::nullopt;
  if (hasRoles(program) || !program.plain.empty()) return std::nullopt;
  const UnitsAsked asked{present, options.fp != FloatMode::Strict, options.fp == FloatMode::Approx};
  return whyOffUnits(*trace.scop, asked, trace.schedule->order ? trace.schedule->why : "");
}

} // namespace polymend
