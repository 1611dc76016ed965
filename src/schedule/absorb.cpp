// A reduction that one kernel alone reads point by point moves into that kernel: into the loop that reads it, or to a
// phase before it.
#include "grouper.h"

#include <algorithm>

namespace polymend {

void Grouper::absorb(int k) {
  if (kernel(k).phases.size() != 1 || kernel(k).phases[0].members.size() != 1) return;
  const Member own = kernel(k).phases[0].members[0];
  if (own.role != Member::Role::Reduce) return;
  const int s = own.equation;
  Readers readers;
  for (std::size_t e = 0; e < system.equations.size(); ++e)
    for (const Operand &operand : system.equations[e].operands)
      if (operand.equation == s) readers.emplace_back(static_cast<int>(e), &operand);
  if (readers.empty()) return;
  const int host = seat(readers[0].first).kernel;
  if (host == k || kernel(host).rows.empty()) return;
  Member member = own;
  member.rows.clear();
  std::vector<std::size_t> across; // rows of the host that the reduction is the same along
  for (std::size_t r = 0; r < kernel(host).rows.size(); ++r) {
    const int key = commonKey(readers, host, [&](const Member &m) { return m.rows[r]; });
    if (key < 0)
      across.push_back(r);
    else
      member.rows.push_back(key);
  }
  int first = seat(readers[0].first).phase;
  bool onePhase = true;
  for (const auto &[e, operand] : readers) {
    onePhase = onePhase && seat(e).phase == seat(readers[0].first).phase;
    first = std::min(first, seat(e).phase);
  }
  const auto inner = onePhase ? innerOf(member, readers, host, first) : std::nullopt;
  if (!across.empty()) {
    if (!inner || !becomeColumns(host, across)) return;
    leaveRows(host, across);
  }
  if (inner)
    placeInner(*inner, host, first, k);
  else
    placeBefore(member, host, first, k);
}

bool Grouper::becomeColumns(int k, const std::vector<std::size_t> &rows) {
  if (rows.size() >= kernel(k).rows.size()) return false;
  for (const Phase &phase : kernel(k).phases)
    for (const Member &member : phase.members) {
      if (member.role == Member::Role::Inner) return false;
      std::int64_t columns = 1;
      for (unsigned d = 0; d < at(member.equation).keys; ++d) {
        const auto row = std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d));
        const auto r = static_cast<std::size_t>(row - member.rows.begin());
        if (row != member.rows.end() && std::find(rows.begin(), rows.end(), r) == rows.end()) continue;
        const auto extent = constantExtent(at(member.equation).keyDomain, d);
        if (!extent || *extent > tileColumns / columns) return false;
        columns *= *extent;
      }
    }
  return true;
}

void Grouper::leaveRows(int k, const std::vector<std::size_t> &rows) {
  for (auto r = rows.rbegin(); r != rows.rend(); ++r) {
    const auto at = static_cast<std::ptrdiff_t>(*r);
    kernel(k).rows.erase(kernel(k).rows.begin() + at);
    for (Phase &phase : kernel(k).phases)
      for (Member &member : phase.members) member.rows.erase(member.rows.begin() + at);
  }
}

int Grouper::commonKey(const Readers &readers, int host, const std::function<int(const Member &)> &dimension) {
  int common = -2;
  for (const auto &[e, operand] : readers) {
    if (seat(e).kernel != host || domainDimension(operand->map) != at(e).dims.size()) return -1;
    const int dim = dimension(memberOf(e));
    int found = -1;
    for (unsigned key = 0; key < rangeDimension(operand->map) && found < 0; ++key)
      if (alwaysEqual(operand->map, static_cast<unsigned>(dim), key)) found = static_cast<int>(key);
    if (found < 0 || (common >= 0 && common != found)) return -1;
    common = found;
  }
  return common;
}

std::optional<Member> Grouper::innerOf(Member member, const Readers &readers, int host, int phase) {
  const Phase &target = kernel(host).phases[static_cast<std::size_t>(phase)];
  if (target.rolled.empty()) return std::nullopt;
  member.rolled.clear();
  for (std::size_t r = 0; r < target.rolled.size(); ++r) {
    const int key = commonKey(readers, host, [&](const Member &m) { return m.rolled[r]; });
    if (key < 0) return std::nullopt;
    member.rolled.push_back(key);
  }
  if (member.rows.size() + member.rolled.size() != at(member.equation).keys) return std::nullopt;
  member.role = Member::Role::Inner;
  return member;
}

void Grouper::placeInner(const Member &member, int host, int phase, int k) {
  Phase &target = kernel(host).phases[static_cast<std::size_t>(phase)];
  const auto before = std::find_if(target.members.begin(), target.members.end(),
                                   [&](const Member &m) { return m.equation > member.equation; });
  target.members.insert(before, member);
  vacate(k, member.equation, {host, phase});
}

void Grouper::placeBefore(const Member &member, int host, int phase, int k) {
  Phase own = kernel(k).phases[0];
  own.members[0] = member;
  KernelPlan &plan = kernel(host);
  plan.phases.insert(plan.phases.begin() + phase, own);
  for (Seat &other : seats)
    if (other.kernel == host && other.phase >= phase) ++other.phase;
  vacate(k, member.equation, {host, phase});
}

void Grouper::vacate(int k, int e, Seat now) {
  kernel(k).phases.clear();
  seat(e) = now;
}

} // namespace polymend
