// Kernels run in order, row tiles of a kernel in any order, phases of a tile in order, chunks of a phase in order and
// its members in order within a chunk. So a read is legal iff its source's kernel is earlier; or it is the same row's
// value from an earlier phase; or, in one loop, the value of the same point; or a running value that is mended.
#include "polymend/order.h"

#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/space.h>
#include <isl/union_map.h>

#include <algorithm>

namespace polymend {
namespace {

struct Seat {
  int kernel = -1, phase = -1, position = -1;
  const Member *member = nullptr;
};

std::vector<Seat> seatsOf(const Relaxed &relaxed, const Schedule &schedule, std::vector<std::string> &found) {
  std::vector<Seat> seats(relaxed.system->equations.size());
  for (std::size_t k = 0; k < schedule.kernels.size(); ++k)
    for (std::size_t p = 0; p < schedule.kernels[k].phases.size(); ++p) {
      const Phase &phase = schedule.kernels[k].phases[p];
      for (std::size_t m = 0; m < phase.members.size(); ++m) {
        const auto e = static_cast<std::size_t>(phase.members[m].equation);
        if (seats[e].member) found.push_back("'" + relaxed.system->equations[e].name + "' is computed twice");
        seats[e] = {static_cast<int>(k), static_cast<int>(p), static_cast<int>(m), &phase.members[m]};
      }
    }
  return seats;
}

/// Do all pairs { reader -> source } agree in these dimensions?
bool agree(const isl::map &pairs, const std::vector<int> &reader, const std::vector<int> &source) {
  return std::equal(reader.begin(), reader.end(), source.begin(), source.end(), [&](int in, int out) {
    return out < static_cast<int>(rangeDimension(pairs)) &&
           alwaysEqual(pairs, static_cast<unsigned>(in), static_cast<unsigned>(out));
  });
}

/// Is the read that of a running value which the reader mends?
bool isMended(const Relaxed &relaxed, const Seat &reader, int source) {
  if (reader.member->mended < 0) return false;
  const auto &producers = relaxed.mended[static_cast<std::size_t>(reader.member->mended)].producers;
  return std::find(producers.begin(), producers.end(), source) != producers.end();
}

std::string judge(const Relaxed &relaxed, const Seat &reader, const Seat &source, const Operand &operand) {
  if (source.kernel < 0) return "is never computed";
  if (source.kernel != reader.kernel) return source.kernel < reader.kernel ? "" : "is computed by a later kernel";
  if (source.phase > reader.phase) return "is computed by a later phase";
  const bool whole = domainDimension(operand.map) ==
                     relaxed.system->equations[static_cast<std::size_t>(reader.member->equation)].dims.size();
  if (whole && !agree(operand.map, reader.member->rows, source.member->rows)) return "belongs to another tile of rows";
  if (source.phase < reader.phase) return "";
  if (source.position >= reader.position) return "is computed later in the loop";
  if (source.member->role == Member::Role::Inner)
    return agree(operand.map, reader.member->rolled, source.member->rolled)
               ? ""
               : "belongs to another iteration of the loop";
  return isMended(relaxed, reader, operand.equation) ? "" : "is not complete in this loop, and nothing mends it";
}

/// Do the consumer's loops run at the producer's positions, as the blocking pair says?
bool aligned(const Relaxed &relaxed, int consumer, const Member &own, int producer, const Member &from) {
  const auto pair = std::find_if(relaxed.fused.begin(), relaxed.fused.end(),
                                 [&](const Blocking &b) { return b.consumer == consumer && b.producer == producer; });
  if (pair == relaxed.fused.end() || own.rows.size() != from.rows.size() || own.rolled.size() != from.rolled.size())
    return false;
  const unsigned keys = relaxed.system->equations[static_cast<std::size_t>(producer)].keys;
  const unsigned ownKeys = relaxed.system->equations[static_cast<std::size_t>(consumer)].keys;
  for (std::size_t r = 0; r < own.rows.size(); ++r)
    if (own.rows[r] != pair->rows[static_cast<std::size_t>(from.rows[r])]) return false;
  for (std::size_t k = 0; k < own.rolled.size(); ++k)
    if (pair->alignment[static_cast<std::size_t>(own.rolled[k]) - ownKeys] !=
        static_cast<unsigned>(from.rolled[k]) - keys)
      return false;
  return true;
}

/// What is wrong with a mended reduction's place beside its producers.
void judgeMended(const Relaxed &relaxed, const std::vector<Seat> &seats, const Seat &own,
                 std::vector<std::string> &found) {
  const int consumer = own.member->equation;
  const std::string name = "'" + relaxed.system->equations[static_cast<std::size_t>(consumer)].name + "' ";
  const Mended &mended = relaxed.mended[static_cast<std::size_t>(own.member->mended)];
  if (mended.consumer != consumer) found.push_back(name + "is carried by another reduction's correction");
  for (int producer : mended.producers) {
    const Seat &from = seats[static_cast<std::size_t>(producer)];
    const std::string other = "'" + relaxed.system->equations[static_cast<std::size_t>(producer)].name + "'";
    const bool before =
        from.member && from.kernel == own.kernel && from.phase == own.phase && from.position < own.position;
    if (!before)
      found.push_back(name + "does not run after " + other + " in its loop");
    else if (!aligned(relaxed, consumer, *own.member, producer, *from.member))
      found.push_back(name + "does not run at the positions of " + other);
  }
}

} // namespace

std::vector<std::string> violations(const Relaxed &relaxed, const Schedule &schedule) {
  std::vector<std::string> found;
  if (schedule.order) return found;
  const std::vector<Seat> seats = seatsOf(relaxed, schedule, found);
  const auto &equations = relaxed.system->equations;
  for (std::size_t e = 0; e < equations.size(); ++e) {
    if (seats[e].kernel < 0) {
      found.push_back("'" + equations[e].name + "' is computed nowhere");
      continue;
    }
    for (const Operand &operand : equations[e].operands) {
      if (operand.equation < 0) continue;
      const std::string fault = judge(relaxed, seats[e], seats[static_cast<std::size_t>(operand.equation)], operand);
      if (!fault.empty())
        found.push_back("'" + equations[static_cast<std::size_t>(operand.equation)].name + "', which '" +
                        equations[e].name + "' reads, " + fault);
    }
    if (seats[e].member->mended >= 0) judgeMended(relaxed, seats, seats[e], found);
  }
  return found;
}

std::vector<std::string> outOfOrder(const Relaxed &relaxed, const Schedule &schedule) {
  std::vector<std::string> found;
  for (const KernelPlan &plan : schedule.kernels)
    for (const Phase &phase : plan.phases) {
      const auto outer = phase.chunks.empty() ? phase.chunks.end() : std::prev(phase.chunks.end());
      const bool inLines = std::all_of(phase.chunks.begin(), outer, [](std::int64_t chunk) { return chunk == 1; });
      for (const Member &member : phase.members) {
        const Equation &e = relaxed.system->equations[static_cast<std::size_t>(member.equation)];
        if (e.monoid && (!inLines || !std::ranges::is_sorted(member.rolled)))
          found.push_back("'" + e.name + "' takes in its terms in another order than the source");
      }
    }
  return found;
}

std::vector<int> brokenEdges(const Dependences &dependences, const Schedule &schedule) {
  std::vector<int> found;
  if (!schedule.order || !schedule.moved) return found;
  const isl::union_map times = schedule.order->map();
  for (std::size_t e = 0; e < dependences.edges.size(); ++e)
    if (!runsForwards(dependences.edges[e], times)) found.push_back(static_cast<int>(e));
  return found;
}

std::string violation(const Scop &scop, const Dependence &edge) {
  const auto line = [&](int s) { return std::to_string(scop.statements[static_cast<std::size_t>(s)].where.line); };
  return "line " + line(edge.to) + " runs before line " + line(edge.from) + ", on which it depends";
}

std::vector<std::string> violations(const Scop &scop, const Dependences &dependences, const Schedule &schedule) {
  std::vector<std::string> found;
  for (const int e : brokenEdges(dependences, schedule))
    found.push_back(violation(scop, dependences.edges[static_cast<std::size_t>(e)]));
  return found;
}

} // namespace polymend
