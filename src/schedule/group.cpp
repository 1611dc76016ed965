// Equations are placed in dependence order: a mended reduction joins the loop of its producers, a reduction that shares
// reads with a loop over the same rows joins it, as does a map with a map, what needs only finished rows becomes a
// later phase of their kernel, anything else opens a kernel. Last, a reduction that one kernel alone reads point by
// point moves into that kernel.
#include "grouper.h"
#include "wide_product.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {

Grouper::Grouper(const Relaxed &source, const ScheduleOptions &asked)
    : relaxed(source), options(asked), system(*source.system) {
  seats.resize(system.equations.size());
}

Grouping Grouper::run() {
  for (std::size_t e = 0; e < system.equations.size(); ++e) place(static_cast<int>(e));
  for (std::size_t k = kernels.size(); k-- > 0;) absorb(static_cast<int>(k));
  return {ordered(), apart};
}

Member &Grouper::memberOf(int e) {
  Phase &phase = kernel(seat(e).kernel).phases[static_cast<std::size_t>(seat(e).phase)];
  return *std::find_if(phase.members.begin(), phase.members.end(), [&](const Member &m) { return m.equation == e; });
}

int Grouper::mendedIndex(int e) const {
  for (std::size_t k = 0; k < relaxed.mended.size(); ++k)
    if (relaxed.mended[k].consumer == e) return static_cast<int>(k);
  return -1;
}

void Grouper::place(int e) {
  if (at(e).late) return open(e);
  if (mendedIndex(e) >= 0 && joinProducers(e)) return;
  if (at(e).monoid && joinSharing(e)) return;
  if (at(e).monoid && joinPartner(e)) return;
  if (!at(e).monoid && joinMap(e)) return;
  if (joinRows(e)) return;
  open(e);
}

Waits Grouper::waits() {
  Waits result(kernels.size());
  for (std::size_t e = 0; e < system.equations.size(); ++e)
    for (const Operand &operand : system.equations[e].operands)
      if (seats[e].kernel >= 0 && operand.equation >= 0 && seat(operand.equation).kernel >= 0 &&
          seat(operand.equation).kernel != seats[e].kernel)
        result[static_cast<std::size_t>(seats[e].kernel)].insert(
            static_cast<std::size_t>(seat(operand.equation).kernel));
  for (std::size_t e = 0; e < system.equations.size(); ++e)
    for (std::size_t other = 0; other < system.equations.size() && system.equations[e].late; ++other)
      if (seats[e].kernel >= 0 && seats[other].kernel >= 0 && !system.equations[other].late)
        result[static_cast<std::size_t>(seats[e].kernel)].insert(static_cast<std::size_t>(seats[other].kernel));
  return result;
}

bool Grouper::available(int e, int k, int phase, const std::vector<int> &inLoop) {
  for (const Operand &operand : at(e).operands) {
    if (operand.equation < 0) continue;
    const Seat &from = seat(operand.equation);
    if (from.kernel == k) {
      const bool fused = std::find(inLoop.begin(), inLoop.end(), operand.equation) != inLoop.end();
      if (from.phase >= phase && !fused) return false;
      const bool whole = domainDimension(operand.map) == at(e).dims.size();
      if ((from.phase < phase || (fused && whole)) && !readsOwnRow(e, operand)) return false;
    } else if (waitsFor(waits(), static_cast<std::size_t>(from.kernel), static_cast<std::size_t>(k))) {
      return false;
    }
  }
  return true;
}

std::optional<std::vector<int>> Grouper::rowsThrough(int e, const Operand &operand) {
  const Member &from = memberOf(operand.equation);
  if (domainDimension(operand.map) != at(e).dims.size()) return std::nullopt;
  std::vector<int> rows;
  for (int dim : from.rows) {
    int found = -1;
    for (unsigned d = 0; d < at(e).keys && found < 0; ++d)
      if (std::find(rows.begin(), rows.end(), static_cast<int>(d)) == rows.end() &&
          dim < static_cast<int>(at(operand.equation).keys) && alwaysEqual(operand.map, d, static_cast<unsigned>(dim)))
        found = static_cast<int>(d);
    if (found < 0) return std::nullopt;
    rows.push_back(found);
  }
  return rows;
}

bool Grouper::readsOwnRow(int e, const Operand &operand) {
  const auto rows = rowsThrough(e, operand);
  return rows && (pending.empty() || *rows == pending);
}

bool Grouper::joinRows(int e) {
  for (const Operand &operand : at(e).operands) {
    if (operand.equation < 0) continue;
    const int k = seat(operand.equation).kernel;
    if (kernel(k).rows.empty() != (at(e).keys == 0)) continue;
    const auto rows = rowsThrough(e, operand);
    if (!rows || isWideProduct(at(e), *rows, options)) continue;
    pending = *rows;
    const bool ok = available(e, k, static_cast<int>(kernel(k).phases.size()), {});
    pending.clear();
    if (!ok) continue;
    append(e, k, *rows);
    return true;
  }
  return false;
}

void Grouper::append(int e, int k, const std::vector<int> &rows) {
  Phase phase;
  Member member{e, -1, at(e).monoid ? Member::Role::Reduce : Member::Role::Map, rows, {}};
  for (unsigned d = at(e).keys; d < at(e).dims.size(); ++d) {
    member.rolled.push_back(static_cast<int>(d));
    phase.rolled.push_back(at(e).dims[d]);
  }
  phase.members.push_back(member);
  kernel(k).phases.push_back(phase);
  seat(e) = {k, static_cast<int>(kernel(k).phases.size()) - 1};
}

void Grouper::open(int e) {
  KernelPlan plan;
  plan.domain = at(e).keyDomain;
  std::vector<int> rows;
  for (unsigned d = 0; d < at(e).keys; ++d) {
    plan.rows.push_back(at(e).dims[d]);
    rows.push_back(static_cast<int>(d));
  }
  kernels.push_back(plan);
  append(e, static_cast<int>(kernels.size()) - 1, rows);
}

std::vector<KernelPlan> Grouper::ordered() {
  std::vector<KernelPlan> result;
  for (const std::size_t k : inOrder(waits()))
    if (!kernels[k].phases.empty()) result.push_back(kernels[k]);
  return result;
}

Grouping group(const Relaxed &relaxed, const ScheduleOptions &options) { return Grouper(relaxed, options).run(); }

} // namespace polymend
