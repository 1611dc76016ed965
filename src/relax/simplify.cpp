// Source variants become one form here: weights stored or recomputed, a division inside or after the loop, scores
// computed once or per output element all end as the same few reductions and stores.
#include "simplify.h"

#include "import.h"
#include "last.h"
#include "reindex.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <numeric>

namespace polymend {
namespace {

constexpr std::size_t largestValue = 400;
constexpr std::size_t cheapValue = 10;

bool isCheap(const Expr &value) {
  bool cheap = size(value) <= cheapValue;
  visit(value, [&](const Expr &node) { cheap = cheap && (node.op() < Op::Exp || node.op() > Op::Call); });
  return cheap;
}

/// Is it in memory anyway, made of arrays alone with functions that no law is known of? No correction looks into such a
/// value, and to read it is cheaper than to compute it again.
bool isKeptCall(const Equation &from) {
  bool calls = false;
  visit(from.value, [&](const Expr &node) { calls = calls || node.op() == Op::Call; });
  const bool isOfArrays =
      std::all_of(from.operands.begin(), from.operands.end(), [](const Operand &one) { return one.equation < 0; });
  return calls && isOfArrays && !from.stores.empty();
}

/// Is it the value of a call that others need too, or of one of several results? Maps share it in one loop, a reduction
/// would call again.
bool isSharedCall(const System &system, int index, const Equation &from) {
  bool calls = false, isOneOfSeveral = false;
  visit(from.value, [&](const Expr &node) {
    calls = calls || isOwnCall(node);
    isOneOfSeveral = isOneOfSeveral || (isOwnCall(node) && node.type() == Type::Void);
  });
  const auto readers = std::ranges::count_if(system.equations, [&](const Equation &e) {
    return std::ranges::any_of(e.operands, [&](const Operand &operand) { return operand.equation == index; });
  });
  return isOneOfSeveral || (calls && readers > 1);
}

/// May map equation `from` be substituted into `reader`? Not when that would repeat costly work at shifted points.
bool substitutes(const System &system, const Equation &reader, int index, const Equation &from) {
  if (from.monoid || size(from.value) > largestValue) return false;
  if (reader.monoid && (isKeptCall(from) || isSharedCall(system, index, from))) return false;
  if (isCheap(from.value)) return true;
  std::vector<isl::map> maps;
  for (const Operand &operand : reader.operands)
    if (operand.equation == index && domainDimension(operand.map) == reader.dims.size()) maps.push_back(operand.map);
  return std::all_of(maps.begin(), maps.end(), [&](const isl::map &m) { return m.is_equal(maps[0]); });
}

System substituteMaps(const System &system) {
  System result;
  for (const Equation &equation : system.equations) {
    std::vector<int> through = equation.through;
    Equation next = rebuild(equation, [&](const Expr &read, const Operand &operand, Equation &to) {
      if (operand.equation < 0) return readOf(read, operand, to, result);
      const Equation &from = result.equations[static_cast<std::size_t>(operand.equation)];
      if (!substitutes(system, equation, operand.equation, from)) return readOf(read, operand, to, result);
      through.push_back(from.statement);
      through.insert(through.end(), from.through.begin(), from.through.end());
      const Expr value = import(from.value, from, read->args, operand.map, to);
      const Expr rounded = value.type() == from.type ? value : Expr::cast(from.type, value);
      return rounded.type() == read.type() ? rounded : Expr::cast(read.type(), rounded);
    });
    std::sort(through.begin(), through.end());
    through.erase(std::unique(through.begin(), through.end()), through.end());
    next.through = through;
    result.equations.push_back(rebuild(next, [&](const Expr &read, const Operand &operand, Equation &to) {
      return readOf(read, operand, to, result);
    }));
  }
  return result;
}

/// Is the value independent of key `k`, wherever it is defined?
bool independentOf(const Equation &e, unsigned k) {
  const std::set<std::string> used = symbols(e.value), initial = symbols(e.initial);
  if (used.count(e.dims[k]) || initial.count(e.dims[k])) return false;
  for (const Operand &operand : e.operands)
    if (movesAlong(operand.map, k, 1)) return false;
  const auto n = static_cast<unsigned>(e.dims.size());
  isl::set rest = isl::manage(isl_set_insert_dims(projectOut(e.domain, k, 1).release(), isl_dim_set, k, 1));
  isl::set keys = isl::manage(isl_set_add_dims(e.keyDomain.copy(), isl_dim_set, n - e.keys));
  return setTuple(rest, e.name).intersect(setTuple(keys, e.name)).is_equal(e.domain);
}

void dropKey(System &system, std::size_t index, unsigned k) {
  Equation &e = system.equations[index];
  e.dims.erase(e.dims.begin() + k);
  --e.keys;
  e.domain = setTuple(projectOut(e.domain, k, 1), e.name);
  e.keyDomain = setTuple(projectOut(e.keyDomain, k, 1), e.name);
  for (Operand &operand : e.operands) operand.map = setDomainTuple(projectOutDomain(operand.map, k, 1), e.name);
  for (std::size_t r = index + 1; r < system.equations.size(); ++r)
    system.equations[r] = rebuild(system.equations[r], [&](const Expr &read, const Operand &operand, Equation &to) {
      Operand changed = operand;
      ExprNode node = *read;
      if (operand.equation == static_cast<int>(index)) {
        changed.map = setRangeTuple(projectOutRange(operand.map, k, 1), e.name);
        node.args.erase(node.args.begin() + k);
      }
      return readOf(Expr{node}, changed, to, system);
    });
}

void dropInvariantKeys(System &system) {
  for (std::size_t index = 0; index < system.equations.size(); ++index)
    for (unsigned k = system.equations[index].keys; system.equations[index].monoid && k-- > 0;)
      if (independentOf(system.equations[index], k)) dropKey(system, index, k);
}

/// { b[dims] -> a[dims] } for a permutation of dimensions: dimension d of b is dimension order[d] of a.
isl::map permutationMap(const Equation &b, const Equation &a, const std::vector<unsigned> &order) {
  isl::map map = isl::manage(isl_map_from_domain_and_range(isl_set_universe(isl_set_get_space(b.domain.get())),
                                                           isl_set_universe(isl_set_get_space(a.domain.get()))));
  for (unsigned d = 0; d < order.size(); ++d)
    map = isl::manage(
        isl_map_equate(map.release(), isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(order[d])));
  return map;
}

/// Is b the same reduction as a when its dimension d is a's dimension order[d]?
bool sameUnder(const System &system, const Equation &a, const Equation &b, const std::vector<unsigned> &order) {
  const isl::map map = permutationMap(b, a, order);
  if (!b.domain.apply(map).is_equal(a.domain)) return false;
  std::vector<Expr> names;
  for (unsigned d : order) names.push_back(Expr::symbol(a.dims[d], Type::Int64));
  Equation moved = shell(a);
  const auto canonical = [&](const Equation &e) {
    return rebuild(
        e, [&](const Expr &read, const Operand &operand, Equation &to) { return readOf(read, operand, to, system); });
  };
  moved.value = import(b.value, b, names, map.reverse(), moved);
  const isl::map keyMap = projectOutRange(projectOutDomain(map, b.keys, b.reduced()), a.keys, a.reduced());
  moved.initial = import(b.initial, b, {names.begin(), names.begin() + b.keys},
                         setRangeTuple(setDomainTuple(keyMap.reverse(), a.name), b.name), moved);
  const Equation left = canonical(moved), right = canonical(a);
  return equal(left.value, right.value) && equal(left.initial, right.initial);
}

/// The order of a's dimensions in which b is the same; that of reduced ones stays unless they may be reordered.
std::optional<std::vector<unsigned>> sameAs(const System &system, const Equation &a, const Equation &b, bool reorder) {
  if (!a.monoid || !b.monoid || *a.monoid != *b.monoid || a.comparison != b.comparison || a.type != b.type ||
      a.keys != b.keys || a.dims.size() != b.dims.size() || a.dims.size() > 6 || size(a.value) != size(b.value))
    return std::nullopt;
  std::vector<unsigned> order(a.dims.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto keysEnd = order.begin() + a.keys;
  do {
    do {
      if (sameUnder(system, a, b, order)) return order;
    } while (reorder && std::next_permutation(keysEnd, order.end()));
  } while (std::next_permutation(order.begin(), keysEnd));
  return std::nullopt;
}

/// Readers of `from` read `to` instead, with keys permuted.
void redirect(System &system, int from, int to, const std::vector<unsigned> &order) {
  const Equation &target = system.equations[static_cast<std::size_t>(to)];
  for (std::size_t r = static_cast<std::size_t>(from) + 1; r < system.equations.size(); ++r)
    system.equations[r] = rebuild(system.equations[r], [&](const Expr &read, const Operand &operand, Equation &into) {
      Operand changed = operand;
      if (operand.equation == from) {
        const Equation &source = system.equations[static_cast<std::size_t>(from)];
        isl::map permute = permutationMap(source, target, order);
        permute =
            projectOutRange(projectOutDomain(permute, source.keys, source.reduced()), target.keys, target.reduced());
        changed.equation = to;
        changed.map = operand.map.apply_range(setRangeTuple(setDomainTuple(permute, source.name), target.name));
      }
      return readOf(read, changed, into, system);
    });
}

/// Remembers the source statements of an equal equation.
void absorb(Equation &kept, const Equation &twin) {
  kept.twins.push_back(twin.statement);
  kept.twins.insert(kept.twins.end(), twin.twins.begin(), twin.twins.end());
  kept.through.insert(kept.through.end(), twin.through.begin(), twin.through.end());
}

void mergeEqual(System &system, bool reorder) {
  for (std::size_t b = 0; b < system.equations.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (const auto order = sameAs(system, system.equations[a], system.equations[b], reorder)) {
        redirect(system, static_cast<int>(b), static_cast<int>(a), *order);
        absorb(system.equations[a], system.equations[b]);
        break;
      }
}

System withoutDead(const System &system) {
  const std::size_t n = system.equations.size();
  std::vector<char> live(n, 0);
  for (std::size_t i = n; i-- > 0;) {
    if (!system.equations[i].stores.empty()) live[i] = 1;
    if (!live[i]) continue;
    for (const Operand &operand : system.equations[i].operands)
      if (operand.equation >= 0) live[static_cast<std::size_t>(operand.equation)] = 1;
  }
  std::vector<int> renumbered(n, -1);
  System result;
  for (std::size_t i = 0; i < n; ++i) {
    if (!live[i]) continue;
    renumbered[i] = static_cast<int>(result.equations.size());
    Equation kept = system.equations[i];
    for (Operand &operand : kept.operands)
      if (operand.equation >= 0) operand.equation = renumbered[static_cast<std::size_t>(operand.equation)];
    result.equations.push_back(kept);
  }
  return result;
}

} // namespace

System simplified(const System &system, bool reorder) {
  System result = withoutDead(substituteMaps(withoutDead(system)));
  keepLastValues(result);
  dropDetermined(result, reorder);
  dropInvariantKeys(result);
  mergeEqual(result, reorder);
  return withoutDead(result);
}

} // namespace polymend
