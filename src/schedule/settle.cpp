// A correction is worth its verdict only where the plan uses it: a reduction that no phase carries with its mend still
// waits for its producers, and its dependences are reported as what they are. A constant serves for a producer where
// all that read it run in its loop.
#include "polymend/schedule.h"

#include <algorithm>
#include <set>

namespace polymend {
namespace {

/// Indices into Relaxed::mended of the corrections that a phase of the plan applies.
std::set<int> applied(const Schedule &schedule) {
  std::set<int> result;
  for (const KernelPlan &plan : schedule.kernels)
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members)
        if (member.mended >= 0) result.insert(member.mended);
  return result;
}

std::string reasonFor(const Relaxed &relaxed, const Schedule &schedule, int mended) {
  if (schedule.order) return schedule.why;
  const Mended &unused = relaxed.mended[static_cast<std::size_t>(mended)];
  const auto &equations = relaxed.system->equations;
  std::set<std::string> producers;
  for (int producer : unused.producers)
    producers.insert("'" + equations[static_cast<std::size_t>(producer)].array + "'");
  std::string names;
  for (const std::string &name : producers) names += (names.empty() ? "" : " and ") + name;
  return "a correction exists, but the loop of '" + equations[static_cast<std::size_t>(unused.consumer)].array +
         "' cannot run together with what makes " + names;
}

/// Does one phase of the plan reduce the producer and carry all its consumers with their mends?
bool runsTogether(const Relaxed &relaxed, const Schedule &schedule, const ConstantPivot &pivot) {
  const auto holds = [&](const Phase &phase, int equation, int mended) {
    return std::any_of(phase.members.begin(), phase.members.end(), [&](const Member &m) {
      return m.equation == equation && m.mended == mended && m.role == Member::Role::Reduce;
    });
  };
  const auto runs = [&](const Phase &phase) {
    return holds(phase, pivot.producer, -1) && std::all_of(pivot.mended.begin(), pivot.mended.end(), [&](int k) {
             return holds(phase, relaxed.mended[static_cast<std::size_t>(k)].consumer, k);
           });
  };
  return std::any_of(schedule.kernels.begin(), schedule.kernels.end(),
                     [&](const KernelPlan &plan) { return std::any_of(plan.phases.begin(), plan.phases.end(), runs); });
}

} // namespace

Relaxed settled(const Relaxed &relaxed, const Schedule &schedule) {
  Relaxed result = relaxed;
  const std::set<int> used = applied(schedule);
  for (EdgeVerdict &verdict : result.verdicts) {
    if (verdict.verdict != Verdict::Corrected || used.count(verdict.mended) != 0) continue;
    const int consumer = relaxed.mended[static_cast<std::size_t>(verdict.mended)].consumer;
    if (schedule.apart.count(consumer) != 0) {
      verdict = {Verdict::Kept, Label::Exact, -1, "a product of matrices runs in a kernel of its own"};
      continue;
    }
    verdict = {Verdict::Refused, Label::Exact, -1, reasonFor(relaxed, schedule, verdict.mended)};
  }
  for (std::size_t k = 0; k < relaxed.constantPivots.size(); ++k)
    if (runsTogether(relaxed, schedule, relaxed.constantPivots[k])) usePivot(result, k);
  return result;
}

} // namespace polymend
