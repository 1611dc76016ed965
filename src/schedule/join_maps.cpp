// Results of one loop of the source are maps over the same points that read the same elements, or elements beside each
// other, or are written there: they stay in one loop, so that what they share is read, and computed, once, and lines of
// memory pass through the caches once.
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

constexpr std::int64_t Line = 16; // elements, of 64 bytes where they are the shortest that values are

/// Do two accesses of an array touch elements at each point that are apart by the same few of its last dimension?
bool areBeside(const isl::map &a, const isl::map &b) {
  const auto nameless = [](const isl::map &map) { return isl::manage(isl_map_reset_tuple_id(map.copy(), isl_dim_in)); };
  const isl::map pairs = nameless(a).reverse().apply_range(nameless(b));
  const isl::set apart = isl::manage(isl_map_deltas(pairs.copy()));
  const auto dims = static_cast<int>(isl_set_dim(apart.get(), isl_dim_set));
  for (int d = 0; d < dims; ++d) {
    const isl::val least = isl::manage(isl_set_dim_min_val(apart.copy(), d));
    const isl::val most = isl::manage(isl_set_dim_max_val(apart.copy(), d));
    if (!least.is_int() || !least.eq(most)) return false;
    const std::int64_t distance = std::abs(least.num_si());
    if (d + 1 < dims ? distance != 0 : distance == 0 || distance >= Line) return false;
  }
  return dims > 0;
}

/// Are both made of what is there at entry, and write, or read, elements of an array that lie beside each other?
bool shareLines(const Equation &a, const Equation &b) {
  const auto isComputed = [](const Operand &operand) { return operand.equation >= 0; };
  if (std::any_of(a.operands.begin(), a.operands.end(), isComputed) ||
      std::any_of(b.operands.begin(), b.operands.end(), isComputed))
    return false;
  for (const Store &x : a.stores)
    for (const Store &y : b.stores) {
      if (x.array != y.array) continue;
      if (!x.map.range().is_disjoint(y.map.range())) return false; // which one is the last is told by the order
      if (areBeside(x.map, y.map)) return true;
    }
  return std::any_of(a.operands.begin(), a.operands.end(), [&](const Operand &x) {
    return std::any_of(b.operands.begin(), b.operands.end(), [&](const Operand &y) {
      return x.array == y.array && x.exact && y.exact && areBeside(x.map, y.map);
    });
  });
}

/// Do both need the same call of a function that has several results?
bool callAlike(const Equation &a, const Equation &b) {
  const auto callsOf = [](const Equation &e) {
    std::set<std::string> names;
    visit(e.value, [&](const Expr &node) {
      if (isOwnCall(node) && node.type() == Type::Void) names.insert(node->name);
    });
    return names;
  };
  const std::set<std::string> calls = callsOf(a);
  return std::ranges::any_of(callsOf(b), [&](const std::string &name) { return calls.contains(name); });
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
    const auto together = options.host ? shared(e, other) : std::nullopt;
    const bool isShared = together && std::is_sorted(together->begin(), together->end());
    if (!isShared && !shareLines(at(e), at(other)) && !callAlike(at(e), at(other))) continue;
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
