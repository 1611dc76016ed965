// A sum's loop a and a row y whose products read x[first(y) + a]: over keys k = first(y) + a rows share x[k]. For any
// function first, { [y, a] -> [y, k] } is one to one, so that it does not matter which of both a loop runs over. Where
// the points of all loops are a box for each row, of which a side depends on one row alone, that side is the window.
#include "boxes.h"

#include "polymend/affine.h"
#include "tile/intervals.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// { [dims] -> [those of them] }.
isl::map choosing(isl_ctx *ctx, std::size_t dims, const std::vector<int> &those) {
  std::string from, to;
  for (std::size_t d = 0; d < dims; ++d) from += (d ? ", i" : "i") + std::to_string(d);
  for (std::size_t k = 0; k < those.size(); ++k) to += (k ? ", i" : "i") + std::to_string(those[k]);
  return isl::manage(isl_map_read_from_str(ctx, ("{ [" + from + "] -> [" + to + "] }").c_str()));
}

isl::set untupled(const isl::set &set) { return isl::manage(isl_set_reset_tuple_id(set.copy())); }

isl::map untupled(const isl::map &map) {
  return isl::manage(isl_map_reset_tuple_id(isl_map_reset_tuple_id(map.copy(), isl_dim_in), isl_dim_out));
}

/// The differences of what a function gives for one row and another gives for the row so far behind it.
isl::set differences(const isl::map &from, std::int64_t behind, const isl::map &to) {
  const std::string on = "{ [x] -> [x + " + std::to_string(behind) + "] }";
  const isl::map next = isl::manage(isl_map_read_from_str(isl_map_get_ctx(from.get()), on.c_str()));
  return isl::manage(isl_map_deltas(from.reverse().apply_range(next).apply_range(to).release()));
}

/// By how much the function grows from a row to the next at most; absent: by no constant, or it falls somewhere.
std::optional<std::int64_t> growth(const isl::map &function) {
  const isl::set apart = differences(function, 1, function);
  if (apart.is_empty()) return 0;
  const auto most = constantExtent(apart, 0); // one more
  const isl::set rising = isl::manage(isl_set_lower_bound_si(apart.copy(), isl_dim_set, 0, 0));
  return most && apart.is_subset(rising) ? std::optional(*most - 1) : std::nullopt;
}

isl::set flattened(const isl::map &map) { return isl::manage(isl_set_flatten(isl_map_wrap(map.copy()))); }

/// { [x, y] : x is in the domain }.
isl::set beside(const isl::set &domain) { return isl::manage(isl_set_add_dims(domain.copy(), isl_dim_set, 1)); }

/// { E[dims] -> [s - dim] } of a subscript { E[dims] -> [s] }.
isl::map withoutLoop(const isl::map &subscript, int dim) {
  isl_map *both = isl_map_add_dims(isl_map_reset_tuple_id(subscript.copy(), isl_dim_out), isl_dim_out, 1);
  isl_constraint *c = isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(both)));
  c = isl_constraint_set_coefficient_si(c, isl_dim_out, 1, 1);
  c = isl_constraint_set_coefficient_si(c, isl_dim_out, 0, -1);
  c = isl_constraint_set_coefficient_si(c, isl_dim_in, dim, 1);
  return projectOutRange(isl::manage(isl_map_add_constraint(both, c)), 0, 1);
}

class WindowFinder {
public:
  WindowFinder(const System &s, const KernelPlan &p, const Phase &f, const Products &t)
      : system(s), plan(p), phase(f), products(t), starts(f.rolled.size()), places(f.rolled.size()) {}

  std::vector<SlidingWindow> run();

private:
  bool takeMember(const Member &member);
  bool takeProduct(const Member &member, const Equation &e);
  [[nodiscard]] static bool isApart(const Member &member, const Equation &e);
  bool takeStart(std::size_t loop, const std::string &array, std::size_t place, const isl::map &start);
  [[nodiscard]] isl::map ofLoops(const std::vector<int> &loops) const;
  [[nodiscard]] std::optional<SlidingWindow> windowAlong(std::size_t loop) const;
  [[nodiscard]] std::optional<SlidingWindow> windowOfRow(std::size_t row, const isl::map &seen) const;
  [[nodiscard]] bool isBox() const;
  [[nodiscard]] Expr sizes() const;
  [[nodiscard]] Expr countAlong(std::size_t row) const;

  const System &system;
  const KernelPlan &plan;
  const Phase &phase;
  const Products &products;
  std::optional<isl::map> points;                         // { [rows] -> [loops] } of every member
  std::vector<std::optional<isl::map>> starts;            // { [rows] -> [what is added to the loop] }
  std::vector<std::map<std::string, std::size_t>> places; // as in BoxSide
};

/// Members have the same points, and choose nothing by where these are.
bool WindowFinder::takeMember(const Member &member) {
  const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
  if (member.rows.size() != plan.rows.size() || member.rolled.size() != phase.rolled.size()) return false;
  const auto isNone = [](int d) { return d < 0; };
  if (std::ranges::any_of(member.rows, isNone) || std::ranges::any_of(member.rolled, isNone)) return false;
  bool chooses = false;
  const std::function<void(const Expr &)> look = [&](const Expr &node) {
    if (node.op() == Op::Read) return;
    for (const int d : member.rolled)
      chooses = chooses || (node.op() == Op::Symbol && node->name == e.dims[static_cast<std::size_t>(d)]);
    for (const Expr &arg : node->args) look(arg);
  };
  look(e.value);
  if (chooses) return false;
  isl_ctx *ctx = isl_set_get_ctx(e.domain.get());
  const isl::set all = untupled(e.domain);
  const isl::map rows = choosing(ctx, e.dims.size(), member.rows).intersect_domain(all);
  const isl::map own = rows.reverse().apply_range(choosing(ctx, e.dims.size(), member.rolled).intersect_domain(all));
  if ((points && !points->is_equal(own)) || !isApart(member, e)) return false;
  points = own;
  return takeProduct(member, e);
}

/// Do the equation's other dimensions run beside rows and loops?
bool WindowFinder::isApart(const Member &member, const Equation &e) {
  std::vector<int> own = member.rows, others;
  own.insert(own.end(), member.rolled.begin(), member.rolled.end());
  for (int d = 0; d < static_cast<int>(e.dims.size()); ++d)
    if (std::ranges::find(own, d) == own.end()) others.push_back(d);
  if (others.empty()) return true;
  const isl::set all = untupled(e.domain);
  const auto around = [&](const std::vector<int> &dims) {
    const isl::map chosen = choosing(isl_set_get_ctx(all.get()), e.dims.size(), dims);
    return all.apply(chosen).apply(chosen.reverse());
  };
  return around(own).intersect(around(others)).is_subset(all);
}

bool WindowFinder::takeStart(std::size_t loop, const std::string &array, std::size_t place, const isl::map &start) {
  if (starts[loop] && !starts[loop]->is_equal(start)) return false;
  starts[loop] = start;
  const auto [known, isNew] = places[loop].emplace(array, place);
  return known->second == place;
}

/// Each loop is a part of one subscript of each array that moves along it.
bool WindowFinder::takeProduct(const Member &member, const Equation &e) {
  isl_ctx *ctx = isl_set_get_ctx(e.domain.get());
  for (const Operand &operand : e.operands) {
    if (operand.equation >= 0) continue;
    if (domainDimension(operand.map) != e.dims.size()) continue; // of the initial value
    const auto moves = [&](const isl::map &map, int d) { return movesAlong(map, static_cast<unsigned>(d), 1); };
    const auto isLoop = [&](int d) { return moves(operand.map, d); };
    if (std::ranges::none_of(member.rolled, isLoop)) continue;
    if (!operand.exact || !products.take(e)) return false;
    for (unsigned s = 0; s < rangeDimension(operand.map); ++s) {
      const isl::map subscript = onlyOutput(operand.map, s);
      std::vector<std::size_t> loops;
      for (std::size_t k = 0; k < member.rolled.size(); ++k)
        if (moves(subscript, member.rolled[k])) loops.push_back(k);
      if (loops.empty()) continue;
      if (loops.size() > 1) return false;
      const int dim = member.rolled[loops.front()];
      const isl::map start = untupled(withoutLoop(subscript, dim)).intersect_domain(untupled(e.domain));
      if (moves(start, dim)) return false;
      const isl::map ofRows = choosing(ctx, e.dims.size(), member.rows).reverse().apply_range(start);
      if (!ofRows.is_single_valued() || !takeStart(loops.front(), operand.array, s, coalesced(ofRows))) return false;
    }
  }
  return true;
}

isl::map WindowFinder::ofLoops(const std::vector<int> &loops) const {
  return points->apply_range(choosing(isl_map_get_ctx(points->get()), phase.rolled.size(), loops));
}

/// For which sizes rows see anything; absent: for all.
Expr WindowFinder::sizes() const {
  const isl::set any = points->domain().params().gist(untupled(plan.domain).params());
  return isl_set_plain_is_universe(any.get()) == isl_bool_true ? Expr() : toCondition(any, {});
}

/// The number of a row's values, which are 0, 1, ...; absent: they are others.
Expr WindowFinder::countAlong(std::size_t row) const {
  const isl::set line = untupled(onlyDimension(plan.domain, static_cast<unsigned>(row)));
  const isl::set around = isl::manage(isl_set_universe(isl_set_get_space(line.get()))).intersect_params(line.params());
  const auto ends = intervalAlong(line, 0, around, symbolsOf({"row"}));
  if (!ends || ends->first.op() != Op::Integer || ends->first->integer != 0) return {};
  return simplify(ends->last + Expr::integer(1));
}

std::optional<SlidingWindow> WindowFinder::windowOfRow(std::size_t row, const isl::map &seen) const {
  constexpr std::int64_t most = 256;
  const isl::map chosen = choosing(isl_map_get_ctx(seen.get()), plan.rows.size(), {static_cast<int>(row)});
  const isl::map own = coalesced(chosen.intersect_domain(seen.domain()).reverse().apply_range(seen));
  if (!chosen.apply_range(own).intersect_domain(seen.domain()).is_subset(seen)) return std::nullopt;
  const isl::map first = isl::manage(isl_map_lexmin(own.copy())), last = isl::manage(isl_map_lexmax(own.copy()));
  const auto grows = growth(last), one = constantExtent(differences(first, 0, last), 0);
  if (!grows || !growth(first) || !one) return std::nullopt;
  const auto ends = intervalAlong(flattened(own), 1, beside(own.domain()), symbolsOf({rowOfWindow, "key of window"}));
  if (!ends || !symbols(ends->first).contains(rowOfWindow) || !symbols(ends->last).contains(rowOfWindow))
    return std::nullopt;
  SlidingWindow window{row, ends->first, ends->last, countAlong(row), {}, {}, {}};
  const isl::set keys = own.range();
  const bool isCounted = keys.is_subset(isl::manage(isl_set_lower_bound_si(keys.copy(), isl_dim_set, 0, 0)));
  const auto all = isCounted ? constantExtent(keys, 0) : std::nullopt;
  for (std::int64_t rows = 1; rows <= most; rows *= 2) {
    const std::int64_t seen = *one + *grows * (rows - 1);
    window.seen[rows] = std::min(seen, all.value_or(seen));
  }
  return window.count ? std::optional(window) : std::nullopt;
}

std::optional<SlidingWindow> WindowFinder::windowAlong(std::size_t loop) const {
  const isl::map own = ofLoops({static_cast<int>(loop)});
  const isl::map seen = coalesced(isl::manage(isl_map_sum(own.copy(), starts[loop]->copy())));
  for (std::size_t row = plan.rows.size(); row-- > 0;)
    if (auto window = windowOfRow(row, seen)) {
      window->at = places[loop];
      window->sizes = sizes();
      return window;
    }
  return std::nullopt;
}

/// Are the points of each row all that its loops' points make, and rows in any place of one dimension in any of the
/// others?
bool WindowFinder::isBox() const {
  isl::map all = ofLoops({0});
  for (std::size_t k = 1; k < phase.rolled.size(); ++k)
    all = isl::manage(isl_map_flat_range_product(all.release(), ofLoops({static_cast<int>(k)}).release()));
  const isl::set rows = untupled(plan.domain);
  const isl::set seeing = points->domain();
  if (!all.is_subset(*points) || !rows.intersect_params(seeing.params()).is_equal(seeing)) return false;
  isl_ctx *ctx = isl_set_get_ctx(rows.get());
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(rows.get())));
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const isl::map chosen = choosing(ctx, plan.rows.size(), {static_cast<int>(r)});
    box = box.intersect(rows.apply(chosen).apply(chosen.reverse()));
  }
  return box.is_subset(rows);
}

std::vector<SlidingWindow> WindowFinder::run() {
  for (const Member &member : phase.members)
    if (!takeMember(member)) return {};
  if (!points || !isBox()) return {};
  std::vector<SlidingWindow> result;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const auto window = starts[k] ? windowAlong(k) : std::nullopt;
    const auto isSame = [&](const SlidingWindow &other) { return other.row == window->row; };
    if (!window || std::ranges::any_of(result, isSame)) return {};
    result.push_back(*window);
  }
  std::ranges::sort(result, {}, [](const SlidingWindow &w) { return w.at.begin()->second; });
  for (const auto &[array, place] : result.front().at)
    for (std::size_t k = 1; k < result.size(); ++k) {
      const auto before = result[k - 1].at.find(array), own = result[k].at.find(array);
      if (before == result[k - 1].at.end() || own == result[k].at.end() || own->second <= before->second) return {};
    }
  return result;
}

} // namespace

std::vector<SlidingWindow> slidingWindows(const System &system, const KernelPlan &plan, const Phase &phase,
                                          const Products &products) {
  if (phase.rolled.size() < 2 || plan.rows.size() < phase.rolled.size()) return {};
  return WindowFinder(system, plan, phase, products).run();
}

} // namespace polymend
