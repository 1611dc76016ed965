// An element that a loop writes again and again keeps its last value: where the points whose values nobody needs leave
// a dimension of an equation determined (k = m - 1 of a[i] = b[i][k]), only the others are computed.
#include "last.h"

#include "import.h"
#include "reindex.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// The keys of equation `index` whose values are stored or read; absent: nobody knows.
std::optional<isl::set> neededKeys(const System &system, std::size_t index) {
  const Equation &e = system.equations[index];
  isl::set needed = isl::manage(isl_set_empty(isl_set_get_space(e.keyDomain.get())));
  for (const Store &store : e.stores) needed = needed.unite(setTuple(store.map.domain(), e.name));
  for (std::size_t r = index + 1; r < system.equations.size(); ++r)
    for (const Operand &operand : system.equations[r].operands) {
      if (operand.equation != static_cast<int>(index)) continue;
      if (!operand.exact) return std::nullopt;
      needed = needed.unite(setTuple(operand.map.range(), e.name));
    }
  return needed.coalesce();
}

/// The equation on the points of these keys alone, with the expressions it has.
Equation restricted(const Equation &e, const isl::set &keys) {
  Equation result = e;
  const isl::set points = isl::manage(isl_set_add_dims(keys.copy(), isl_dim_set, e.reduced()));
  result.keyDomain = setTuple(e.keyDomain.intersect(setTuple(keys, e.name)), e.name);
  result.domain = setTuple(e.domain.intersect(setTuple(points, e.name)), e.name);
  return result;
}

/// Is a key of `fewer` determined that is free in `all`?
bool settlesKey(const Equation &all, const Equation &fewer) {
  for (unsigned k = 0; k < all.keys; ++k)
    if (isDetermined(fewer, k) && !isDetermined(all, k)) return true;
  return false;
}

/// The equation without the ways of choices that none of its points takes: their reads are of nothing.
Equation withoutUnmade(const System &system, const Equation &e) {
  const auto isUnmade = [&](const Expr &way) {
    bool found = false;
    visit(way, [&](const Expr &node) {
      const Operand *read = node.op() == Op::Read ? &e.operands[static_cast<std::size_t>(node->access)] : nullptr;
      found = found || (read != nullptr && read->exact && read->map.is_empty());
    });
    return found;
  };
  Equation result = e;
  result.value = rewrite(e.value, [&](const Expr &node) {
    if (node.op() != Op::Select) return node;
    return isUnmade(node.arg(1)) ? node.arg(2) : isUnmade(node.arg(2)) ? node.arg(1) : node;
  });
  if (equal(result.value, e.value)) return e;
  return rebuild(result, [&](const Expr &read, const Operand &operand, Equation &to) {
    return readOf(read, operand, to, system);
  });
}

} // namespace

void keepLastValues(System &system) {
  for (std::size_t index = system.equations.size(); index-- > 0;) {
    const Equation &e = system.equations[index];
    if (e.keys == 0) continue;
    const auto needed = neededKeys(system, index);
    if (!needed || needed->is_empty() || setTuple(e.keyDomain, e.name).is_subset(*needed)) continue;
    const Equation fewer = restricted(e, *needed);
    if (fewer.domain.is_empty() || !settlesKey(e, fewer)) continue;
    Reindexing same{e.dims, e.keys, isl::manage(isl_set_identity(setTuple(fewer.domain, e.name).release()))};
    same.backKeys = isl::manage(isl_set_identity(setTuple(fewer.keyDomain, e.name).release()));
    reindex(system, index, same);
    system.equations[index] = withoutUnmade(system, system.equations[index]);
  }
}

} // namespace polymend
