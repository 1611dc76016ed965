// A phase is a loop nest over chunks of its rolled dimensions: what its members begin with, the chunks, what they
// leave.
#include "tile/phase.h"

#include "initial_states.h"
#include "parts.h"
#include "rectangular_chunks.h"

#include <functional>

namespace polymend {
namespace {

/// The concerns of a phase at work.
struct Concerns {
  PhaseContext context;
  InitialStates initial = initialStates(context);
  BlindRows blind{initial.states};
  OnlineRescale rescale{initial.states, blind};
  Hoisting hoisting = {};
};

/// What the members begin with.
TileBlock begin(const InitialStates &initial) {
  TileBlock block;
  for (const TileBlock &one : initial.blocks) append(block, one);
  return block;
}

/// Narrows a rectangular loop to a part's share, a run of neighbouring chunks; where that begins. What `lets` names is
/// known at a grid point.
Expr shareOut(ChunkLoop &loop, KernelFrame &frame, const std::string &part, const Expr &parts,
              std::vector<std::pair<std::string, Expr>> &lets) {
  const auto let = [&](const std::string &wanted, const Expr &value) {
    lets.emplace_back(frame.unique(wanted), simplify(value));
    return Expr::symbol(lets.back().first, Type::Int64);
  };
  const auto over = [](const Expr &a, const Expr &b) {
    return Expr::make(Op::FloorDiv, Type::Int64, {a + b - Expr::integer(1), b});
  };
  const Expr step = Expr::integer(loop.step), number = Expr::symbol(part, Type::Int64);
  const Expr length = let(part + "_length", over(over(loop.limit - loop.first, step), parts) * step);
  const Expr first = let(part + "_first", loop.first + number * length);
  loop.limit = let(part + "_limit", Expr::make(Op::Min, Type::Int64, {loop.limit, first + length}));
  loop.first = first;
  return first;
}

} // namespace

TileBlock lowerPhase(KernelFrame &frame, const Phase &phase) {
  Concerns of{contextOf(frame, phase)};
  const Emitted body = phase.rolled.empty() ? chunkBody(of.context, of.rescale, of.hoisting)
                                            : rolledLoops(of.context, of.rescale, of.hoisting);
  TileBlock block = begin(of.initial);
  append(block, body.before);
  append(block, body.body);
  for (const Seated &seated : of.context.seats) append(block, endMember(of.context, seated, of.rescale, body.watched));
  return block;
}

PhasePart<TileBlock> lowerPhasePart(KernelFrame &frame, const Phase &phase, const std::string &part,
                                    const Expr &parts) {
  Concerns of{contextOf(frame, phase, {true, part, frame.plan.parts})};
  PhasePart<TileBlock> result;
  for (std::size_t k = 0; k < of.context.seats.size(); ++k) {
    append(result.lowered, of.initial.blocks[k]);
    append(result.lowered, neutralStart(of.context, of.context.seats[k]));
  }
  const Emitted body = rolledLoops(of.context, of.rescale, of.hoisting);
  append(result.lowered, body.before);
  append(result.lowered, body.body);
  for (const Seated &seated : of.context.seats)
    append(result.lowered, savePart(of.context, of.initial.states, of.blind, seated));
  result.arrays = partArrays(of.context, of.initial.states, parts);
  return result;
}

TileBlock lowerPhaseCombine(KernelFrame &frame, const Phase &phase, const Expr &parts) {
  Concerns of{contextOf(frame, phase, {true})};
  TileBlock block = begin(of.initial);
  for (const Seated &seated : of.context.seats)
    append(block, combineParts(of.context, of.initial.states, of.blind, seated, parts));
  return block;
}

std::optional<RectangularPhase> lowerPhaseRectangular(KernelFrame &frame, const Phase &phase) {
  PhaseContext context = contextOf(frame, phase);
  if (!isBoxable(context)) return std::nullopt;
  Concerns of{std::move(context)};
  auto [result, watched] = rectangularChunks(of.context, of.rescale, of.hoisting, [](ChunkLoop &) { return Expr(); });
  TileBlock before = begin(of.initial);
  append(before, result.before);
  result.before = std::move(before);
  for (const Seated &seated : of.context.seats)
    append(result.after, endMember(of.context, seated, of.rescale, watched));
  return result;
}

namespace {

using Lets = std::vector<std::pair<std::string, Expr>>;

/// A part of the phase, whose share of the loop `share` narrows it to; it returns where that begins.
std::optional<PhasePart<RectangularPhase>> partOf(KernelFrame &frame, const Phase &phase, const std::string &part,
                                                  const Expr &parts,
                                                  const std::function<Expr(ChunkLoop &, Lets &)> &share) {
  PhaseContext context = contextOf(frame, phase, {true, part});
  if (!isBoxable(context)) return std::nullopt;
  Concerns of{std::move(context)};
  Lets lets;
  const auto narrowed = [&](ChunkLoop &loop) { return share(loop, lets); };
  PhasePart<RectangularPhase> result{rectangularChunks(of.context, of.rescale, of.hoisting, narrowed).phase, {}};
  RectangularPhase &rectangular = result.lowered;
  rectangular.lets.insert(rectangular.lets.begin(), lets.begin(), lets.end());
  TileBlock before = begin(of.initial);
  append(before, rectangular.before);
  rectangular.before = std::move(before);
  for (const Seated &seated : of.context.seats) {
    append(rectangular.before, neutralStart(of.context, seated));
    append(rectangular.after, savePart(of.context, of.initial.states, of.blind, seated));
  }
  result.arrays = partArrays(of.context, of.initial.states, parts);
  return result;
}

} // namespace

std::optional<PhasePart<RectangularPhase>> lowerPhaseRectangularPart(KernelFrame &frame, const Phase &phase,
                                                                     const std::string &part, const Expr &parts) {
  return partOf(frame, phase, part, parts,
                [&](ChunkLoop &loop, Lets &lets) { return shareOut(loop, frame, part, parts, lets); });
}

/// Each part is one chunk, whose number is the part's: where it ends is known by conditions alone.
std::optional<PhasePart<TileBlock>> lowerPhaseRectangularChunk(KernelFrame &frame, const Phase &phase,
                                                               const std::string &part, const Expr &parts) {
  const auto only = [&](ChunkLoop &loop, Lets &) {
    const Expr step = Expr::integer(loop.step);
    loop.first = simplify(step * Expr::symbol(part, Type::Int64));
    loop.limit = simplify(Expr::make(Op::Min, Type::Int64, {loop.limit, loop.first + step}));
    return loop.first;
  };
  const auto chunk = partOf(frame, phase, part, parts, only);
  if (!chunk || !chunk->lowered.loop || !chunk->lowered.lets.empty()) return std::nullopt;
  const RectangularPhase &phaseOfOne = chunk->lowered;
  PhasePart<TileBlock> result{phaseOfOne.before, chunk->arrays};
  append(result.lowered, rewriteExprs(phaseOfOne.loop->masked, [&](const Expr &e) {
           return simplify(substitute(e, [&](const std::string &name) {
             return name == phaseOfOne.loop->variable ? phaseOfOne.loop->first : Expr();
           }));
         }));
  append(result.lowered, phaseOfOne.after);
  return result;
}

} // namespace polymend
