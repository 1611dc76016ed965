// Results of one loop of the source are maps over the same points that read the same elements: they stay in one loop,
// so that what they share is read, and computed, once.
#include "grouper.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// Are the points of both maps the same, dimension by dimension?
bool samePoints(const Equation &a, const Equation &b) {
  const auto nameless = [](const isl::set &set) { return isl::manage(isl_set_reset_tuple_id(set.copy())); };
  return a.dims.size() == b.dims.size() && nameless(a.domain).is_equal(nameless(b.domain));
}

bool overwrites(const Equation &writer, const Equation &reader) {
  return std::any_of(writer.stores.begin(), writer.stores.end(), [&](const Store &store) {
    return std::any_of(reader.operands.begin(), reader.operands.end(),
                       [&](const Operand &operand) { return operand.equation < 0 && operand.array == store.array; });
  });
}

} // namespace

bool Grouper::mayStoreBeside(int e, int other) {
  const Phase &phase = kernel(seat(other).kernel).phases[static_cast<std::size_t>(seat(other).phase)];
  return std::all_of(phase.members.begin(), phase.members.end(), [&](const Member &member) {
    return member.role == Member::Role::Map && !overwrites(at(e), at(member.equation)) &&
           !overwrites(at(member.equation), at(e));
  });
}

bool Grouper::joinMap(int e) {
  for (int other = 0; other < e; ++other) {
    if (at(other).monoid || seat(other).kernel < 0 || !samePoints(at(e), at(other)) || !mayStoreBeside(e, other))
      continue;
    const auto together = shared(e, other);
    if (!together || !std::is_sorted(together->begin(), together->end())) continue;
    Member member = memberOf(other);
    member.equation = e;
    pending = member.rows;
    const bool ok = available(e, seat(other).kernel, seat(other).phase, {});
    pending.clear();
    if (!ok) continue;
    kernel(seat(other).kernel).phases[static_cast<std::size_t>(seat(other).phase)].members.push_back(member);
    seat(e) = seat(other);
    return true;
  }
  return false;
}

} // namespace polymend
