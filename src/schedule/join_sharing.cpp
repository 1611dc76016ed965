// A reduction joins the loop of another one that reads what it reads.
#include "grouper.h"

#include <isl/map.h>

#include <algorithm>
#include <numeric>

namespace polymend {
namespace {

/// Has e more keys than another reduction whose loop it might join, so few that they are columns of one tile?
bool hasColumns(const Equation &e, const std::vector<int> &rows) {
  std::int64_t columns = 1;
  for (unsigned d = 0; d < e.keys; ++d) {
    if (std::find(rows.begin(), rows.end(), static_cast<int>(d)) != rows.end()) continue;
    const auto extent = constantExtent(e.keyDomain, d);
    if (!extent || *extent > tileColumns / columns) return false;
    columns *= *extent;
  }
  return true;
}

/// The key of e that equals key `o` of `other` in every equation that reads both, -1: none does, or not always.
int readTogether(const System &system, int e, int other, unsigned o) {
  int common = -1;
  for (const Equation &reader : system.equations)
    for (const Operand &a : reader.operands)
      for (const Operand &b : reader.operands) {
        if (a.equation != e || b.equation != other || domainDimension(a.map) != domainDimension(b.map)) continue;
        const isl::map together = a.map.reverse().apply_range(b.map);
        int found = -1;
        for (unsigned d = 0; d < system.equations[static_cast<std::size_t>(e)].keys && found < 0; ++d)
          if (alwaysEqual(together, d, o)) found = static_cast<int>(d);
        if (found < 0 || (common >= 0 && common != found)) return -1;
        common = found;
      }
  return common;
}

/// Do both read the same element at each point, as of one window?
bool readAlike(const Operand &a, const Operand &b) {
  const isl::map left = isl::manage(isl_map_reset_tuple_id(a.map.copy(), isl_dim_in));
  return left.is_equal(isl::manage(isl_map_reset_tuple_id(b.map.copy(), isl_dim_in)));
}

std::vector<int> allInOrder(std::size_t count) {
  std::vector<int> dims(count);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

} // namespace

bool Grouper::joinSharing(int e) {
  for (std::size_t other = 0; other < system.equations.size() && static_cast<int>(other) < e; ++other) {
    const Equation &host = system.equations[other];
    if (!host.monoid || seats[other].kernel < 0 || host.keys > at(e).keys || host.reduced() != at(e).reduced())
      continue;
    if (memberOf(static_cast<int>(other)).role != Member::Role::Reduce) continue;
    const auto together = shared(e, static_cast<int>(other));
    if (!together) continue;
    const Member &from = memberOf(static_cast<int>(other));
    Member member{e, -1, Member::Role::Reduce, {}, {}};
    for (int row : from.rows) member.rows.push_back((*together)[static_cast<std::size_t>(row)]);
    for (int rolled : from.rolled) member.rolled.push_back((*together)[static_cast<std::size_t>(rolled)]);
    if (!options.reorder && !std::is_sorted(member.rolled.begin(), member.rolled.end())) continue;
    if (!hasColumns(at(e), member.rows)) continue;
    pending = member.rows;
    const bool ok = available(e, seats[other].kernel, seats[other].phase, {});
    pending.clear();
    if (!ok) continue;
    kernel(seats[other].kernel).phases[static_cast<std::size_t>(seats[other].phase)].members.push_back(member);
    seat(e) = seats[other];
    return true;
  }
  return false;
}

std::optional<std::vector<int>> Grouper::shared(int e, int other) {
  for (const Operand &a : at(e).operands)
    for (const Operand &b : at(other).operands) {
      if (a.equation != b.equation || a.array != b.array || !a.exact || !b.exact) continue;
      if (at(e).keys > at(other).keys && (a.equation < 0 || !at(a.equation).monoid)) continue;
      if (domainDimension(a.map) != at(e).dims.size() || domainDimension(b.map) != at(other).dims.size()) continue;
      const isl::map together = a.map.apply_range(b.map.reverse());
      if (together.is_empty()) continue;
      std::vector<int> dims;
      for (unsigned o = 0; o < at(other).dims.size(); ++o) {
        int found = -1;
        for (unsigned d = 0; d < at(e).dims.size(); ++d)
          if (found < 0 && (d < at(e).keys) == (o < at(other).keys) && alwaysEqual(together, d, o))
            found = static_cast<int>(d);
        if (found < 0 && o < at(other).keys && !movesAlong(b.map, o, 1)) found = readTogether(system, e, other, o);
        if (found < 0 || std::find(dims.begin(), dims.end(), found) != dims.end()) break;
        dims.push_back(found);
      }
      if (dims.size() == at(other).dims.size()) return dims;
      if (options.host && at(e).keys == at(other).keys && readAlike(a, b)) return allInOrder(at(e).dims.size());
    }
  return std::nullopt;
}

} // namespace polymend
