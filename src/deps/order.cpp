// The flattened schedule gives every instance a time vector; constant rows are textual positions, the others loops.
// One instance runs before another when their first differing row says so, which splits "before" by carrying loop.
#include "order.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include <algorithm>

namespace polymend {

namespace {

std::optional<long> constantOf(const isl::pw_aff &row) {
  if (isl_pw_aff_n_piece(row.get()) != 1 || isl_pw_aff_is_cst(row.get()) != isl_bool_true) return std::nullopt;
  const isl::val value = isl::manage(isl_pw_aff_eval(row.copy(), isl_set_sample_point(isl_pw_aff_domain(row.copy()))));
  if (!value.is_int()) return std::nullopt;
  return value.num_si();
}

bool isIterator(const isl::pw_aff &row, unsigned iterator, bool up) {
  isl_aff *variable = isl_aff_var_on_domain(
      isl_local_space_from_space(isl_space_domain(isl_pw_aff_get_space(row.get()))), isl_dim_set, iterator);
  const isl::pw_aff plain = isl::manage(isl_pw_aff_from_aff(up ? variable : isl_aff_neg(variable)));
  return isl_pw_aff_plain_is_equal(row.get(), plain.get()) == isl_bool_true;
}

std::string variableOf(const isl::pw_aff &row, const Statement &statement) {
  for (unsigned d = 0; d < statement.iterators.size(); ++d)
    if (isl_pw_aff_involves_dims(row.get(), isl_dim_in, d, 1) == isl_bool_true) return statement.iterators[d];
  return "";
}

isl::map anyPair(const isl::set &a, const isl::set &b) {
  return isl::manage(isl_map_from_domain_and_range(isl_set_universe(isl_set_get_space(a.get())),
                                                   isl_set_universe(isl_set_get_space(b.get()))));
}

/// The values of b(y) - a(x) on `pairs`, { [A[x] -> B[y]] }.
isl::set differences(const isl::pw_aff &a, const isl::pw_aff &b, const isl::set &pairs) {
  const isl::map both = isl::manage(isl_set_unwrap(pairs.copy()));
  const isl::map first = isl::manage(isl_map_domain_map(both.copy())),
                 second = isl::manage(isl_map_range_map(both.copy()));
  const isl::map x = first.apply_range(isl::manage(isl_map_from_pw_aff(a.copy())));
  const isl::map y = second.apply_range(isl::manage(isl_map_from_pw_aff(b.copy())));
  return isl::manage(isl_map_range(isl_map_sum(y.copy(), isl_map_neg(x.copy()))));
}

/// b(y) - a(x) when it is one number on all of `pairs`, { [A[x] -> B[y]] } without disjunctions.
std::optional<std::int64_t> constantDifference(const isl::pw_aff &a, const isl::pw_aff &b, const isl::set &pairs) {
  const isl::set hull = isl::manage(isl_set_from_basic_set(isl_set_affine_hull(differences(a, b, pairs).release())));
  const isl::val value = isl::manage(isl_set_plain_get_val_if_fixed(hull.get(), isl_dim_set, 0));
  if (!value.is_int()) return std::nullopt;
  return value.num_si();
}

std::optional<std::int64_t> whole(const isl::val &value) {
  return value.is_int() ? std::optional<std::int64_t>(value.num_si()) : std::nullopt;
}

} // namespace

Order::Order(const Scop &scop) : rows(scop.statements.size()) {
  const isl::union_map times = scop.schedule.map();
  for (std::size_t s = 0; s < scop.statements.size(); ++s) {
    const Statement &statement = scop.statements[s];
    domains.push_back(statement.domain);
    const isl::set anywhere = isl::set::universe(statement.domain.space());
    const isl::union_map mine = times.intersect_domain(isl::union_set(anywhere));
    const isl::pw_multi_aff time = isl::manage(isl_pw_multi_aff_from_map(isl_map_from_union_map(mine.copy())));
    const int count = isl_pw_multi_aff_dim(time.get(), isl_dim_out);
    for (int k = 0; k < count; ++k) {
      const isl::pw_aff row = isl::manage(isl_pw_multi_aff_get_pw_aff(time.get(), k));
      const std::string variable = variableOf(row, statement);
      rows[s].push_back({row, constantOf(row), -1, true, variable.empty() ? "" : scop.sourceName(variable), variable});
      const int iterators = static_cast<int>(statement.iterators.size());
      for (int d = 0; d < iterators; ++d)
        for (const bool up : {true, false})
          if (isIterator(row, static_cast<unsigned>(d), up)) rows[s].back().iterator = d, rows[s].back().up = up;
    }
  }
}

isl::map Order::equal(const isl::map &pairs, const Row &a, const Row &b) {
  if (a.iterator >= 0 && b.iterator >= 0 && a.up == b.up)
    return isl::manage(isl_map_equate(pairs.copy(), isl_dim_in, a.iterator, isl_dim_out, b.iterator));
  return pairs.intersect(isl::manage(isl_pw_aff_eq_map(a.value.copy(), b.value.copy())));
}

isl::map Order::before(const isl::map &pairs, const Row &a, const Row &b) {
  if (a.iterator >= 0 && b.iterator >= 0 && a.up == b.up)
    return isl::manage(
        (a.up ? isl_map_order_lt : isl_map_order_gt)(pairs.copy(), isl_dim_in, a.iterator, isl_dim_out, b.iterator));
  return pairs.intersect(isl::manage(isl_pw_aff_lt_map(a.value.copy(), b.value.copy())));
}

std::vector<Level> Order::compare(int from, int to) const {
  const std::vector<Row> &a = rows[static_cast<std::size_t>(from)], &b = rows[static_cast<std::size_t>(to)];
  std::vector<Level> levels;
  std::size_t depth = 0;
  isl::map pairs = anyPair(domains[static_cast<std::size_t>(from)], domains[static_cast<std::size_t>(to)]);
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if (a[k].constant && b[k].constant) {
      if (*a[k].constant == *b[k].constant) continue;
      if (*a[k].constant < *b[k].constant) levels.push_back({"", depth, pairs, ""});
      return levels;
    }
    const Row &named = a[k].loop.empty() ? b[k] : a[k];
    levels.push_back({named.loop, depth, before(pairs, a[k], b[k]), named.variable});
    pairs = equal(pairs, a[k], b[k]);
    ++depth;
  }
  return levels;
}

const std::vector<Level> &Order::levels(int from, int to) {
  const auto [at, fresh] = known.try_emplace({from, to});
  if (fresh) at->second = compare(from, to);
  return at->second;
}

std::vector<std::size_t> Order::commonRows(int from, int to) const {
  const std::vector<Row> &a = rows[static_cast<std::size_t>(from)], &b = rows[static_cast<std::size_t>(to)];
  std::vector<std::size_t> common;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    const bool positions = a[k].constant && b[k].constant;
    if (positions && *a[k].constant != *b[k].constant) break;
    if (!positions) common.push_back(k);
  }
  return common;
}

std::size_t Order::commonLoops(int from, int to) const { return commonRows(from, to).size(); }

std::optional<std::vector<std::int64_t>> Order::distance(int from, int to, const isl::map &relation,
                                                         std::size_t depth) const {
  const std::vector<Row> &a = rows[static_cast<std::size_t>(from)], &b = rows[static_cast<std::size_t>(to)];
  const std::vector<std::size_t> common = commonRows(from, to);
  std::vector<std::int64_t> distances(std::min(depth, common.size()), 0);
  if (distances.size() == common.size()) return distances;
  const isl::set pairs = isl::manage(isl_map_wrap(isl_map_from_basic_map(isl_map_affine_hull(relation.copy()))));
  for (std::size_t c = depth; c < common.size(); ++c) {
    const std::optional<std::int64_t> value = constantDifference(a[common[c]].value, b[common[c]].value, pairs);
    if (!value) return std::nullopt;
    distances.push_back(*value);
  }
  return distances;
}

std::vector<Step> Order::steps(int from, int to, const isl::map &relation) const {
  const std::vector<Row> &a = rows[static_cast<std::size_t>(from)], &b = rows[static_cast<std::size_t>(to)];
  const isl::set pairs = isl::manage(isl_map_wrap(relation.copy()));
  std::vector<Step> steps;
  for (const std::size_t row : commonRows(from, to)) {
    const isl::set reached = differences(a[row].value, b[row].value, pairs);
    steps.push_back({whole(reached.dim_min_val(0)), whole(reached.dim_max_val(0))});
  }
  return steps;
}

} // namespace polymend
