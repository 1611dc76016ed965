// Values do not depend on the names of points: [x, y] of 0 <= y < c is one to one onto [c x + y], for a constant c.
// Done for all equations that meet in these dimensions or for none, so that loops that ran together still do. What
// makes the new dimension worth having is that each element in memory moves with it by one, as a copy of a tile wants
// it; flat arrays have no dimensions of their own, so that two of them may be joined: address c x + y is the same
// element.
// One file: what is asked of a pair of dimensions is asked nowhere else.
#include "coalesce.h"

#include "import.h"
#include "polymend/factors.h"
#include "reindex.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <deque>

namespace polymend {
namespace {

/// The dimensions x (outer) and y (inner) of an equation; both keys or both reduced.
struct Pair {
  unsigned outer = 0, inner = 0;
  bool operator==(const Pair &) const = default;
};

std::string vectorText(unsigned dims, const std::function<std::string(unsigned)> &name) {
  std::string text;
  for (unsigned d = 0; d < dims; ++d) text += (d ? ", " : "") + name(d);
  return "[" + text + "]";
}

/// { [.., j, ..] -> [.., x, .., y, ..] : j = c x + y and 0 <= y < c }, over `dims` dimensions on the right.
isl::map splitting(isl_ctx *ctx, unsigned dims, const Pair &pair, std::int64_t c) {
  const std::string size = std::to_string(c);
  const auto plain = [](unsigned d) { return "i" + std::to_string(d); };
  const std::string to = vectorText(dims, plain);
  const std::string x = plain(pair.outer), y = plain(pair.inner);
  std::string from;
  for (unsigned d = 0; d < dims; ++d)
    if (d != pair.inner) from += (from.empty() ? "" : ", ") + (d == pair.outer ? "j" : plain(d));
  return isl::manage(isl_map_read_from_str(
      ctx, ("{ [" + from + "] -> " + to + " : j = " + size + x + " + " + y + " and 0 <= " + y + " < " + size + " }")
               .c_str()));
}

/// { Array[.., x, y, ..] -> Array[.., c x + y, ..] } for subscripts k and k + 1 of `rank`.
isl::map joining(isl_ctx *ctx, const std::string &array, unsigned rank, const Joined &joined) {
  const auto plain = [](unsigned d) { return "i" + std::to_string(d); };
  std::string to;
  for (unsigned d = 0; d < rank; ++d)
    if (d != joined.dimension + 1)
      to += (to.empty() ? "" : ", ") +
            (d == joined.dimension ? std::to_string(joined.extent) + plain(d) + " + " + plain(d + 1) : plain(d));
  const isl::map map =
      isl::manage(isl_map_read_from_str(ctx, ("{ " + vectorText(rank, plain) + " -> [" + to + "] }").c_str()));
  return setRangeTuple(setDomainTuple(map, array), array);
}

/// Without divisions where the set needs none.
isl::set plainly(const isl::set &set) {
  const isl::set hull = isl::manage(isl_set_from_basic_set(isl_set_simple_hull(isl_set_remove_divs(set.copy()))));
  return hull.is_equal(set) ? hull : set;
}

isl::map plainly(const isl::map &map) {
  const isl::map hull = isl::manage(isl_map_from_basic_map(isl_map_simple_hull(isl_map_remove_divs(map.copy()))));
  return hull.is_equal(map) ? hull : map;
}

class Coalescer {
public:
  Coalescer(const Scop &source, System &given) : scop(source), system(given) {}

  std::vector<Joined> run() {
    while (coalesceOne()) {
    }
    return joined;
  }

private:
  const Scop &scop;
  System &system;
  std::vector<Joined> joined;
  // of the pair that is tried:
  std::map<int, Pair> members;
  std::int64_t extent = 0;
  std::vector<Joined> wanted;

  [[nodiscard]] const Equation &at(int e) const { return system.equations[static_cast<std::size_t>(e)]; }

  bool coalesceOne() {
    for (std::size_t e = 0; e < system.equations.size(); ++e) {
      const Equation &sum = system.equations[e];
      if (sum.monoid != Monoid::Sum || factorsOf(sum.value).size() < 2) continue;
      for (unsigned y = 0; y < sum.dims.size(); ++y)
        for (unsigned x = 0; x < sum.dims.size(); ++x)
          if (isWorth(sum, {x, y}) && tryAt(static_cast<int>(e), {x, y})) return true;
    }
    return false;
  }

  /// Is the pair summed over, or a pair of keys that a factor is used again along, so that tiles lie along it?
  [[nodiscard]] static bool isWorth(const Equation &sum, const Pair &pair) {
    if (pair.outer == pair.inner || (pair.outer < sum.keys) != (pair.inner < sum.keys)) return false;
    const std::vector<Expr> factors = factorsOf(sum.value);
    return pair.outer >= sum.keys || std::any_of(factors.begin(), factors.end(), [&](const Expr &factor) {
             bool moves = false;
             visit(factor, [&](const Expr &node) {
               if (node.op() != Op::Read || node->access < 0) return;
               const isl::map &map = sum.operands[static_cast<std::size_t>(node->access)].map;
               for (const unsigned d : {pair.outer, pair.inner})
                 moves = moves || d >= domainDimension(map) || movesAlong(map, d, 1);
             });
             return !moves;
           });
  }

  /// Makes one dimension of a pair, in all equations that meet in it; false, and nothing changed, where that cannot be.
  bool tryAt(int e, const Pair &pair) {
    const auto constant = constantExtent(domainOf(at(e), pair), pair.inner);
    if (!constant || *constant < 2) return false;
    extent = *constant;
    members.clear();
    wanted.clear();
    if (!meetFrom(e, pair)) return false;
    for (const auto &[member, own] : members)
      if (!takesNeighbours(at(member), own)) return false;
    System next = system;
    for (const Joined &join : wanted) joinIn(next, join);
    for (const auto &[member, own] : members)
      if (!reindexed(next, static_cast<std::size_t>(member), own)) return false;
    tidy(next);
    system = next;
    joined.insert(joined.end(), wanted.begin(), wanted.end());
    return true;
  }

  static isl::set domainOf(const Equation &e, const Pair &pair) { return pair.outer < e.keys ? e.keyDomain : e.domain; }

  /// Finds all equations that meet in the pair; false where one reads another elsewhere.
  bool meetFrom(int first, const Pair &pair) {
    members[first] = pair;
    std::deque<int> todo{first};
    const auto meet = [&](int e, const Pair &own) {
      const auto [place, isNew] = members.emplace(e, own);
      if (isNew) todo.push_back(e);
      return place->second == own;
    };
    while (!todo.empty()) {
      const int e = todo.front();
      todo.pop_front();
      for (const Operand &operand : at(e).operands)
        if (operand.equation >= 0)
          if (const auto found = producerPair(e, operand);
              !found.second || (found.first && !meet(operand.equation, *found.first)))
            return false;
      for (std::size_t r = 0; r < system.equations.size(); ++r)
        for (const Operand &operand : system.equations[r].operands)
          if (operand.equation == e)
            if (const auto found = readerPair(static_cast<int>(r), operand, e);
                !found.second || (found.first && !meet(static_cast<int>(r), *found.first)))
              return false;
    }
    return true;
  }

  /// The pair of a producer's keys that a member reads at its own; absent: it does not move along the pair. The second
  /// says whether it is one of these.
  std::pair<std::optional<Pair>, bool> producerPair(int e, const Operand &operand) {
    const Pair &own = members.at(e);
    const bool whole = own.outer < domainDimension(operand.map) && own.inner < domainDimension(operand.map);
    if (!whole) return {std::nullopt, true};
    std::optional<unsigned> x, y;
    for (unsigned d = 0; d < rangeDimension(operand.map); ++d) {
      if (alwaysEqual(operand.map, own.outer, d)) x = d;
      if (alwaysEqual(operand.map, own.inner, d)) y = d;
    }
    if (x && y) return {Pair{*x, *y}, true};
    return {std::nullopt, !movesAlong(operand.map, own.outer, 1) && !movesAlong(operand.map, own.inner, 1)};
  }

  /// The pair of a reader's dimensions at which it reads a member's; absent: the pair of the member is reduced.
  std::pair<std::optional<Pair>, bool> readerPair(int reader, const Operand &operand, int e) {
    const Pair &own = members.at(e);
    if (own.outer >= at(e).keys) return {std::nullopt, true};
    std::optional<unsigned> x, y;
    for (unsigned d = 0; d < domainDimension(operand.map); ++d) {
      if (alwaysEqual(operand.map, d, own.outer)) x = d;
      if (alwaysEqual(operand.map, d, own.inner)) y = d;
    }
    const bool found = x && y && (*x < at(reader).keys) == (*y < at(reader).keys);
    return {found ? std::optional(Pair{*x, *y}) : std::nullopt, found};
  }

  /// Is the inner coordinate always within its extent, and does every element that moves along the pair move by one
  /// with the new dimension, perhaps with two dimensions of its array joined?
  bool takesNeighbours(const Equation &e, const Pair &pair) {
    for (const isl::set &domain : {e.domain, e.keyDomain}) {
      if (pair.inner >= dimension(domain)) continue;
      isl::set inside = isl::manage(isl_set_lower_bound_si(domain.copy(), isl_dim_set, pair.inner, 0));
      inside =
          isl::manage(isl_set_upper_bound_si(inside.release(), isl_dim_set, pair.inner, static_cast<int>(extent) - 1));
      if (!domain.is_subset(inside)) return false;
    }
    for (const Operand &operand : e.operands)
      if (operand.equation < 0 && !takesNeighbour(operand.array, operand.map, operand.exact, pair)) return false;
    return std::all_of(e.stores.begin(), e.stores.end(),
                       [&](const Store &store) { return takesNeighbour(store.array, store.map, true, pair); });
  }

  /// The extents of an array as equations read it.
  [[nodiscard]] std::vector<Expr> extentsOf(const std::string &array) const {
    std::vector<Expr> extents = scop.array(array).extents;
    for (const Joined &one : joined) {
      if (one.array != array) continue;
      Expr &outer = extents[one.dimension];
      if (outer) outer = simplify(outer * Expr::integer(one.extent));
      extents.erase(extents.begin() + one.dimension + 1);
    }
    return extents;
  }

  bool takesNeighbour(const std::string &array, const isl::map &map, bool exact, const Pair &pair) {
    if (pair.inner >= domainDimension(map) || pair.outer >= domainDimension(map)) return true;
    const isl::map plain = isl::manage(isl_map_reset_tuple_id(map.copy(), isl_dim_in));
    std::vector<unsigned> outer, inner;
    for (unsigned d = 0; d < rangeDimension(map); ++d) {
      if (movesAlong(onlyOutput(plain, d), pair.outer, 1)) outer.push_back(d);
      if (movesAlong(onlyOutput(plain, d), pair.inner, 1)) inner.push_back(d);
    }
    if (outer.empty() && inner.empty()) return true;
    if (!exact || outer.size() != 1 || inner.size() != 1) return false;
    if (outer == inner) return movesByOne(onlyOutput(plain, outer[0]), pair);
    const std::vector<Expr> extents = extentsOf(array);
    const bool neighbours = scop.array(array).flat && inner[0] == outer[0] + 1 && extents.size() > inner[0];
    const Expr size = neighbours ? extents[inner[0]] : Expr();
    if (!size || size.op() != Op::Integer || size->integer != extent) return false;
    const Joined join{array, outer[0], extent};
    const isl::map whole = plain.apply_range(joining(scop.context.get(), array, rangeDimension(map), join));
    if (!movesByOne(onlyOutput(whole, outer[0]), pair)) return false;
    for (const Joined &other : wanted)
      if (other.array == array) return other.dimension == join.dimension;
    wanted.push_back(join);
    return true;
  }

  /// Is the only output j = c x + y, plus what moves along neither?
  [[nodiscard]] bool movesByOne(const isl::map &map, const Pair &pair) const {
    const unsigned dims = domainDimension(map);
    isl::map by = splitting(scop.context.get(), dims, pair, extent);
    by = isl::manage(isl_map_align_params(by.release(), isl_map_get_space(map.get())));
    const unsigned j = pair.outer - (pair.inner < pair.outer ? 1 : 0);
    const isl::map whole = isl::manage(isl_map_reset_tuple_id(by.apply_range(map).release(), isl_dim_out));
    std::string from, at = "i" + std::to_string(j);
    for (unsigned d = 0; d + 1 < dims; ++d) from += (d ? ", i" : "i") + std::to_string(d);
    const isl::map difference = isl::manage(
        isl_map_read_from_str(scop.context.get(), ("{ [[" + from + "] -> [s]] -> [s - " + at + "] }").c_str()));
    const isl::map rest = isl::manage(isl_map_reverse(isl_map_domain_map(whole.copy()))).apply_range(difference);
    return rest.is_single_valued() && !movesAlong(rest, j, 1);
  }

  /// Joins two dimensions of an array in all that reads or writes it.
  void joinIn(System &next, const Joined &join) const {
    const auto changed = [&](const isl::map &map) {
      return map.apply_range(joining(scop.context.get(), join.array, rangeDimension(map), join)).coalesce();
    };
    for (Equation &e : next.equations) {
      for (Store &store : e.stores)
        if (store.array == join.array) store.map = changed(store.map);
      e = rebuild(e, [&](const Expr &read, const Operand &operand, Equation &to) {
        if (operand.equation >= 0 || operand.array != join.array) return readOf(read, operand, to, next);
        Operand one = operand;
        one.map = changed(operand.map);
        ExprNode node = *read;
        node.args[join.dimension] =
            simplify(Expr::integer(join.extent) * node.args[join.dimension] + node.args[join.dimension + 1]);
        node.args.erase(node.args.begin() + join.dimension + 1);
        return readOf(Expr{node}, one, to, next);
      });
    }
  }

  /// Writes a member over the new dimension.
  bool reindexed(System &next, std::size_t index, const Pair &pair) const {
    const Equation e = next.equations[index];
    const auto dims = static_cast<unsigned>(e.dims.size());
    const bool key = pair.outer < e.keys;
    const auto back = [&](unsigned count, const isl::set &onto) {
      const isl::map map = splitting(scop.context.get(), count, pair, extent);
      return setDomainTuple(setRangeTuple(map, e.name), e.name).intersect_range(onto);
    };
    Reindexing one{e.dims, key ? e.keys - 1 : e.keys, back(dims, e.domain)};
    const std::string &x = e.dims[pair.outer];
    one.dims[pair.outer] = x.substr(0, x.rfind('_')) + "_" + e.dims[pair.inner];
    one.dims.erase(one.dims.begin() + pair.inner);
    one.backKeys =
        key ? back(e.keys, e.keyDomain) : isl::manage(isl_set_identity(setTuple(e.keyDomain, e.name).release()));
    return reindex(next, index, one);
  }

  /// Sets and maps without the divisions that they were written with and do not need.
  static void tidy(System &next) {
    for (Equation &e : next.equations) {
      e.domain = plainly(e.domain);
      e.keyDomain = plainly(e.keyDomain);
      for (Store &store : e.stores) store.map = plainly(store.map);
      for (Operand &operand : e.operands) operand.map = plainly(operand.map);
      e = rebuild(
          e, [&](const Expr &read, const Operand &operand, Equation &to) { return readOf(read, operand, to, next); });
    }
  }
};

} // namespace

std::vector<Joined> coalesce(const Scop &scop, System &system) { return Coalescer(scop, system).run(); }

} // namespace polymend
