// Values do not depend on the names of points: for any function `first` of the other dimensions,
//   { E[keys, a] -> E[keys, j] : j = first(keys) + a }
// is one to one. Rows that see x[first(row) + a] for 0 <= a < K have no point a in common that is one element of x, so
// that a tile of rows would read elements of its own for each; over j they share x[j], and each sees first(row) <= j <
// first(row) + K of it. `first` may be any quasi-affine function in pieces: a window that is pushed inside at the
// border, one that ends at the row. Done for all equations that meet in the loop or for none, so that loops that ran
// together still do.
#include "positions.h"

#include "import.h"
#include "polymend/factors.h"
#include "reindex.h"
#include "residues.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <deque>
#include <limits>

namespace polymend {
namespace {

/// A dimension of an equation, and { E[dims] -> [first] }, where its elements begin, for all of the equation's domain.
struct Begun {
  unsigned dim = 0;
  isl::map first;
};

isl::map withSum(isl::map map, unsigned input, unsigned a, unsigned b) {
  isl_constraint *c = isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(map.get())));
  c = isl_constraint_set_coefficient_si(c, isl_dim_out, static_cast<int>(a), 1);
  c = isl_constraint_set_coefficient_si(c, isl_dim_out, static_cast<int>(b), -1);
  c = isl_constraint_set_coefficient_si(c, isl_dim_in, static_cast<int>(input), 1);
  return isl::manage(isl_map_add_constraint(map.release(), c));
}

/// { E[dims] -> [s - dim] } of a subscript { E[dims] -> [s] }; absent: that moves with the dimension.
std::optional<isl::map> firstOf(const isl::map &subscript, unsigned dim) {
  isl::map both = isl::manage(isl_map_add_dims(isl_map_reset_tuple_id(subscript.copy(), isl_dim_out), isl_dim_out, 1));
  const isl::map first = projectOutRange(withSum(both, dim, 1, 0), 0, 1);
  return movesAlong(first, dim, 1) ? std::nullopt : std::optional(first);
}

/// Does it move along a dimension that is one of the equation's keys?
bool movesWithKeys(const isl::map &first, const Equation &e) {
  for (unsigned d = 0; d < e.keys; ++d)
    if (movesAlong(first, d, 1)) return true;
  return false;
}

/// { E[dims] -> [f, r] } of a subscript { E[dims] -> [s] }: s = step * (f + dim) + r with 0 <= r < step.
isl::map firstAndRest(const isl::map &subscript, unsigned dim, std::int64_t step) {
  const unsigned dims = domainDimension(subscript);
  std::string from;
  for (unsigned d = 0; d < dims; ++d) from += (d ? ", i" : "i") + std::to_string(d);
  const std::string by = std::to_string(step), own = "i" + std::to_string(dim);
  const std::string text =
      "{ [[" + from + "] -> [s]] -> [f, r] : s = " + by + " f + " + by + " " + own + " + r and 0 <= r < " + by + " }";
  const isl::map apart = isl::manage(isl_map_read_from_str(isl_map_get_ctx(subscript.get()), text.c_str()));
  isl_map *bare = isl_map_reset_tuple_id(isl_map_reset_tuple_id(subscript.copy(), isl_dim_in), isl_dim_out);
  const isl::map result = isl::manage(isl_map_reverse(isl_map_domain_map(bare))).apply_range(apart);
  return setDomainTuple(result, domainTuple(subscript));
}

/// As firstOf, of a subscript that moves by more than one with the dimension: where what is left over is the same along
/// a row whose windows begin one after the other.
std::optional<isl::map> firstOfSteps(const isl::map &subscript, unsigned dim, const Equation &e) {
  const std::int64_t step = stepAlong(subscript, dim);
  if (step < 2) return std::nullopt;
  const isl::map here = subscript.intersect_domain(setTuple(e.domain, domainTuple(subscript)));
  const isl::map both = firstAndRest(here, dim, step), first = onlyOutput(both, 0), rest = onlyOutput(both, 1);
  if (movesAlong(first, dim, 1) || !first.is_single_valued()) return std::nullopt;
  for (unsigned d = 0; d < e.keys; ++d)
    if (movesAlong(first, d, 1) && !movesAlong(rest, d, 1)) return first;
  return std::nullopt;
}

/// How many rows there are along the key that it moves with; as many as can be, where nobody knows.
std::int64_t rowsAlong(const isl::map &first, const Equation &e) {
  std::int64_t most = 0;
  for (unsigned d = 0; d < e.keys; ++d)
    if (movesAlong(first, d, 1))
      most = std::max(most, constantExtent(e.keyDomain, d).value_or(std::numeric_limits<std::int64_t>::max()));
  return most;
}

/// A factor that is an element of an array at entry, converted or not.
const Expr *elementOf(const Expr &factor) {
  const Expr *e = &factor;
  while ((*e).op() == Op::Cast) e = &(*e).arg(0);
  return (*e).op() == Op::Read && (*e)->access >= 0 ? e : nullptr;
}

/// The affine function that the map is on its domain, everywhere; the map itself, where there is none. An equation has
/// a domain of its own.
isl::map inOnePiece(const isl::map &map) {
  const isl::map hull = isl::manage(isl_map_from_basic_map(isl_map_affine_hull(map.copy())));
  return hull.is_single_valued() ? hull : map;
}

/// The map without what its domain says of points that an equation has.
isl::map bare(const isl::map &map, const isl::set &domain) {
  const isl::set points = setTuple(domain, domainTuple(map));
  const isl::map rest = isl::manage(isl_map_gist_domain(map.intersect_domain(points).release(), points.copy()));
  isl::set sizes = domain.params(); // a function for all sizes that it is one for
  if (sizes.involves_locals()) sizes = isl::manage(isl_set_remove_divs(sizes.release()));
  return coalesced(rest.intersect_params(sizes));
}

bool sameOn(const isl::set &domain, const isl::map &a, const isl::map &b) {
  return a.is_equal(b) || a.intersect_domain(domain).is_equal(b.intersect_domain(domain));
}

class PositionTaker {
public:
  PositionTaker(System &given, const isl::set &sizes) : system(given), assumptions(sizes) {}

  bool run() {
    if (!hasAny()) return false;
    const System before = system;
    strip();
    bool changed = false;
    while (takeOne()) changed = true;
    if (!changed) system = before;
    return changed;
  }

private:
  System &system;
  const isl::set &assumptions;
  std::set<int> taken;          // what runs over positions: a tile of rows shares one loop's
  std::map<int, Begun> members; // of the loop that is tried

  [[nodiscard]] const Equation &at(int e) const { return system.equations[static_cast<std::size_t>(e)]; }

  /// Does an element that is a factor move along a loop and, with it in one subscript, along a row?
  [[nodiscard]] bool hasAny() const {
    return std::ranges::any_of(system.equations, [](const Equation &sum) {
      if (sum.monoid != Monoid::Sum) return false;
      const std::vector<Expr> factors = factorsOf(sum.value);
      return factors.size() > 1 && std::ranges::any_of(factors, [&](const Expr &factor) {
               const Expr *element = elementOf(factor);
               return element != nullptr && std::ranges::any_of((*element)->args, [&](const Expr &subscript) {
                        return symbols(subscript).size() > 1;
                      });
             });
    });
  }

  /// Equations for the sizes that shapes rest on, and operands without the points that equations themselves say.
  void strip() {
    for (Equation &e : system.equations) {
      e.domain = e.domain.intersect_params(assumptions);
      e.keyDomain = e.keyDomain.intersect_params(assumptions);
      for (Operand &operand : e.operands)
        if (domainDimension(operand.map) == e.dims.size()) operand.map = bare(operand.map, e.domain);
    }
  }

  bool takeOne() {
    for (std::size_t e = 0; e < system.equations.size(); ++e) {
      const Equation &sum = system.equations[e];
      if (sum.monoid != Monoid::Sum || factorsOf(sum.value).size() < 2 || taken.contains(static_cast<int>(e))) continue;
      for (const Begun &begun : begunIn(sum))
        if (tryFrom(static_cast<int>(e), begun)) return true;
    }
    return false;
  }

  /// The dimensions of a sum of products whose elements begin elsewhere for each row, those along the longest rows
  /// first, and of these the innermost.
  [[nodiscard]] static std::vector<Begun> begunIn(const Equation &sum) {
    std::vector<std::pair<std::int64_t, Begun>> found;
    for (auto dim = static_cast<unsigned>(sum.dims.size()); dim-- > 0;)
      if (const auto first = firstOfFactors(sum, dim); first && movesWithKeys(*first, sum))
        found.push_back({rowsAlong(*first, sum), {dim, *first}});
    std::ranges::sort(found, [](const auto &a, const auto &b) {
      return std::pair(a.first, a.second.dim) > std::pair(b.first, b.second.dim);
    });
    std::vector<Begun> result;
    for (const auto &[rows, begun] : found) result.push_back(begun);
    return result;
  }

  /// Where the elements begin that the factors of a sum are along a dimension; absent: not in one place.
  [[nodiscard]] static std::optional<isl::map> firstOfFactors(const Equation &sum, unsigned dim) {
    std::optional<isl::map> found;
    for (const Expr &factor : factorsOf(sum.value)) {
      const Expr *element = elementOf(factor);
      if (element == nullptr) continue;
      const Operand &operand = sum.operands[static_cast<std::size_t>((*element)->access)];
      if (operand.equation >= 0) continue;
      if (!operand.exact || domainDimension(operand.map) != sum.dims.size()) return std::nullopt;
      for (unsigned d = 0; d < rangeDimension(operand.map); ++d) {
        const isl::map subscript = coalesced(onlyOutput(operand.map, d));
        if (!movesAlong(subscript, dim, 1)) continue;
        auto first = firstOf(subscript, dim);
        if (!first) first = firstOfSteps(subscript, dim, sum);
        if (!first) return std::nullopt;
        const isl::map here = bare(*first, sum.domain);
        if (found && !sameOn(sum.domain, *found, here)) return std::nullopt;
        found = here;
      }
    }
    return found;
  }

  bool tryFrom(int e, const Begun &begun) {
    members.clear();
    if (!meetFrom(e, begun)) return false;
    System next = system;
    for (const auto &[member, own] : members)
      if (!reindexed(next, static_cast<std::size_t>(member), own)) return false;
    tidy(next);
    system = next;
    for (const auto &[member, own] : members) taken.insert(member);
    return true;
  }

  /// Finds all equations that meet in the loop; false where they do not begin at the same place in it.
  bool meetFrom(int start, const Begun &begun) {
    std::deque<int> todo;
    const auto meet = [&](int e, const Begun &own) {
      const auto [place, isNew] = members.emplace(e, own);
      if (!isNew) return place->second.dim == own.dim && sameOn(at(e).domain, place->second.first, own.first);
      todo.push_back(e);
      return isAlike(at(e), own);
    };
    if (!meet(start, begun)) return false;
    while (!todo.empty()) {
      const int e = todo.front();
      todo.pop_front();
      for (const Operand &operand : at(e).operands)
        if (operand.equation >= 0) {
          const auto [found, isOne] = ofProducer(e, operand);
          if (!isOne || (found && !meet(operand.equation, *found))) return false;
        }
      for (std::size_t r = 0; r < system.equations.size(); ++r)
        for (const Operand &operand : system.equations[r].operands)
          if (operand.equation == e) {
            const auto [found, isOne] = ofReader(system.equations[r], operand, e);
            if (!isOne || (found && !meet(static_cast<int>(r), *found))) return false;
          }
    }
    return true;
  }

  /// Do a member's factors, if it is a sum of products, begin where the loop does, and is nothing of it stored along
  /// the loop?
  [[nodiscard]] static bool isAlike(const Equation &e, const Begun &own) {
    if (!e.domain.is_subset(own.first.domain())) return false;
    if (own.dim < e.keys)
      for (const Store &store : e.stores)
        if (movesAlong(store.map, own.dim, 1)) return false;
    if (e.monoid != Monoid::Sum || factorsOf(e.value).size() < 2) return true;
    bool moves = false;
    for (const Expr &factor : factorsOf(e.value)) {
      const Expr *element = elementOf(factor);
      if (element == nullptr) continue;
      const Operand &operand = e.operands[static_cast<std::size_t>((*element)->access)];
      if (operand.equation < 0) moves = moves || !operand.exact || movesAlong(operand.map, own.dim, 1);
    }
    if (!moves) return true;
    const auto first = firstOfFactors(e, own.dim);
    return first && sameOn(e.domain, *first, own.first);
  }

  /// The dimension of a producer's keys that a member reads at its own; absent: it does not move along that. The second
  /// says whether it is one of these.
  [[nodiscard]] std::pair<std::optional<Begun>, bool> ofProducer(int e, const Operand &operand) const {
    const Begun &own = members.at(e);
    const Equation &producer = at(operand.equation);
    if (domainDimension(operand.map) <= own.dim || !movesAlong(operand.map, own.dim, 1)) return {std::nullopt, true};
    if (domainDimension(operand.map) != at(e).dims.size()) return {std::nullopt, false};
    for (unsigned k = 0; k < producer.keys; ++k)
      if (alwaysEqual(operand.map, own.dim, k)) {
        const isl::map keys = operand.map.intersect_domain(at(e).domain).reverse().apply_range(own.first);
        const auto begun = begunAt(producer, k, keys);
        return {begun, begun.has_value()};
      }
    return {std::nullopt, false};
  }

  /// The dimension of a reader's in which it reads a member's; absent: the member's is summed over.
  [[nodiscard]] std::pair<std::optional<Begun>, bool> ofReader(const Equation &reader, const Operand &operand,
                                                               int e) const {
    const Begun &own = members.at(e);
    const Equation &member = at(e);
    if (own.dim >= member.keys) return {std::nullopt, true};
    if (domainDimension(operand.map) != reader.dims.size()) return {std::nullopt, false};
    for (unsigned d = 0; d < reader.dims.size(); ++d)
      if (alwaysEqual(operand.map, d, own.dim)) {
        const isl::map keys = projectOutDomain(own.first, member.keys, member.reduced());
        const isl::map read = setDomainTuple(operand.map, reader.name);
        const auto begun = begunAt(reader, d, read.apply_range(setDomainTuple(keys, member.name)));
        return {begun, begun.has_value()};
      }
    return {std::nullopt, false};
  }

  /// The dimension with where it begins, from where that is over all dimensions or over keys alone; absent: it begins
  /// in several places.
  [[nodiscard]] static std::optional<Begun> begunAt(const Equation &e, unsigned dim, isl::map first) {
    if (domainDimension(first) < e.dims.size())
      first = isl::manage(isl_map_add_dims(isl_map_reset_tuple_id(first.copy(), isl_dim_in), isl_dim_in,
                                           static_cast<unsigned>(e.dims.size()) - e.keys));
    first = bare(setDomainTuple(first, e.name), e.domain);
    if (!first.is_single_valued() || movesAlong(first, dim, 1)) return std::nullopt;
    return Begun{dim, first};
  }

  /// { E[.., a, ..] -> E[.., first + a, ..] } over the first dimensions of an equation.
  [[nodiscard]] static isl::map moving(const isl::map &first, unsigned dim, const std::string &name) {
    const unsigned n = domainDimension(first);
    isl::map result = isl::manage(isl_map_add_dims(isl_map_reset_tuple_id(first.copy(), isl_dim_out), isl_dim_out, n));
    for (unsigned d = 0; d < n; ++d)
      if (d != dim)
        result = isl::manage(
            isl_map_equate(result.release(), isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d + 1)));
    return setRangeTuple(projectOutRange(withSum(result, dim, 0, dim + 1), 0, 1), name);
  }

  /// Writes a member over positions.
  static bool reindexed(System &next, std::size_t index, const Begun &own) {
    const Equation e = next.equations[index];
    Reindexing one{e.dims, e.keys, moving(own.first, own.dim, e.name).reverse()};
    if (own.dim >= e.keys) {
      one.backKeys = isl::manage(isl_set_identity(setTuple(e.keyDomain, e.name).release()));
    } else {
      const isl::map first = projectOutDomain(own.first, e.keys, e.reduced());
      if (!first.is_single_valued() || !e.keyDomain.is_subset(setTuple(first.domain(), tuple(e.keyDomain))))
        return false;
      one.backKeys = setDomainTuple(moving(setDomainTuple(first, e.name), own.dim, e.name), e.name).reverse();
    }
    return reindex(next, index, one);
  }

  /// What is said of sizes for which nothing is computed makes pieces of what is one.
  [[nodiscard]] isl::set assumed(const isl::set &points) const {
    return coalesced(coalesced(points.intersect_params(assumptions)).gist_params(assumptions));
  }

  void tidy(System &next) const {
    for (Equation &e : next.equations) {
      e.domain = assumed(e.domain);
      e.keyDomain = assumed(e.keyDomain);
      for (Operand &operand : e.operands)
        operand.map = inOnePiece(coalesced(operand.map.intersect_params(assumptions)));
      e = rebuild(
          e, [&](const Expr &read, const Operand &operand, Equation &to) { return readOf(read, operand, to, next); });
    }
  }
};

} // namespace

bool takePositions(System &system, const isl::set &assumptions) {
  if (PositionTaker(system, assumptions).run()) return true;
  System apart = system;
  if (!splitResidues(apart) || !PositionTaker(apart, assumptions).run()) return false;
  system = apart;
  return true;
}

} // namespace polymend
