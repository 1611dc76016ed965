// Statements whose dependences, the other loops fixed, make no cycle may run loop by loop, each in vectors. Among the
// members for which that is so the best has most accesses that move by one element a step or stand still.
#include "innermost.h"

#include "polymend/feedback.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include <algorithm>
#include <map>
#include <set>

namespace polymend {

namespace {

/// A score below which vectors would gather more than they save.
constexpr int leastGain = 2;

enum class Motion { Never, Still, Unit, Other };

isl::union_map equalAt(const isl::union_map &pairs, const isl::union_pw_aff &row) {
  isl_union_pw_aff_list *list = isl_union_pw_aff_list_from_union_pw_aff(row.copy());
  isl_space *space = isl_space_set_from_params(isl_union_pw_aff_get_space(row.get()));
  isl_multi_union_pw_aff *one =
      isl_multi_union_pw_aff_from_union_pw_aff_list(isl_space_add_dims(space, isl_dim_set, 1), list);
  return isl::manage(isl_union_map_eq_at_multi_union_pw_aff(pairs.copy(), one));
}

/// The row of one statement; absent: it has none.
std::optional<isl::pw_aff> rowOf(const isl::union_pw_aff &row, const Statement &statement) {
  isl_space *space =
      isl_space_align_params(isl_set_get_space(statement.domain.get()), isl_union_pw_aff_get_space(row.get()));
  isl::pw_aff own = isl::manage(
      isl_union_pw_aff_extract_pw_aff(row.get(), isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, 1)));
  if (isl_pw_aff_n_piece(own.get()) == 0) return std::nullopt;
  return own;
}

class Members {
public:
  Members(const Scop &model, const Dependences &graph, const isl::union_map &within,
          const std::vector<isl::union_pw_aff> &loops, const std::vector<isl::union_pw_aff> &loopsAround)
      : scop(model), deps(graph), dependences(within), rows(loops), around(loopsAround) {
    for (std::size_t s = 0; s < scop.statements.size(); ++s)
      if (rowOf(rows.front(), scop.statements[s])) own.push_back(static_cast<int>(s));
  }

  /// Instances in an order in which each part may have a loop over the member of its own; absent: there is none.
  [[nodiscard]] std::optional<std::vector<isl::union_set>> apart(std::size_t member, bool reorder,
                                                                 std::set<int> &folds) const {
    const isl::union_map fixed = othersFixed(member);
    const isl::union_map carried = fixed.subtract(equalAt(fixed, rows[member]));
    std::map<int, std::set<int>> after; // by statement those that wait for it
    for (const int from : own)
      for (const int to : own) {
        const isl::union_map some = between(from == to ? carried : fixed, from, to);
        if (some.is_empty()) continue;
        if (from != to)
          after[from].insert(to);
        else if (reorder && !feedsBack(scop, deps, from) && some.is_subset(sumsOf(from)))
          folds.insert(from);
        else
          return own.size() == 1 ? aroundPivot(some) : std::nullopt;
      }
    return sorted(after);
  }

  [[nodiscard]] int score(std::size_t member, const std::set<int> &folds) const {
    int total = 0;
    for (const int s : own) {
      const Statement &statement = scop.statements[static_cast<std::size_t>(s)];
      const auto step = stepOf(statement, member);
      if (!step) continue;
      const Motion target = motion(*step, statement.write);
      total += folds.contains(s)         ? (target == Motion::Still ? 3 : -2)
               : target == Motion::Unit  ? 4
               : target == Motion::Never ? 0
                                         : -4;
      for (const Access &read : statement.reads) {
        const Motion moves = motion(*step, read);
        total += moves == Motion::Unit ? 2 : moves == Motion::Still ? 1 : moves == Motion::Other ? -6 : 0;
      }
    }
    return total;
  }

  /// Does every statement that moves along the member update one element as it does, and does any move?
  [[nodiscard]] bool gathers(std::size_t member) const {
    bool any = false;
    for (const int s : own) {
      const Statement &statement = scop.statements[static_cast<std::size_t>(s)];
      const auto step = stepOf(statement, member);
      if (!step) continue;
      any = true;
      const bool updates = std::any_of(statement.reads.begin(), statement.reads.end(), [&](const Access &read) {
        return read.array == statement.write.array && read.relation.is_equal(statement.write.relation);
      });
      if (!updates || motion(*step, statement.write) != Motion::Still) return false;
    }
    return any;
  }

  /// As apart, with nothing fixed: what comes before the pivot's iteration of the member, this, and the rest.
  [[nodiscard]] std::vector<isl::union_set> byPivotOf(std::size_t member) const {
    const isl::union_map carried = dependences.subtract(equalAt(dependences, rows[member]));
    if (own.size() != 1 || carried.is_empty()) return {};
    return aroundPivot(carried).value_or(std::vector<isl::union_set>{});
  }

private:
  const Scop &scop;
  const Dependences &deps;
  const isl::union_map &dependences;
  const std::vector<isl::union_pw_aff> &rows, &around;
  std::vector<int> own;

  [[nodiscard]] isl::union_map othersFixed(std::size_t member) const {
    isl::union_map fixed = dependences;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (r != member) fixed = equalAt(fixed, rows[r]);
    return fixed;
  }

  [[nodiscard]] isl::union_map between(const isl::union_map &pairs, int from, int to) const {
    return pairs.intersect_domain(anywhere(from)).intersect_range(anywhere(to));
  }

  /// The dependences of a statement's own sum.
  [[nodiscard]] isl::union_map sumsOf(int s) const {
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop.statements.front().domain.get()));
    for (const Dependence &edge : deps.edges)
      if (edge.reduction && edge.from == s && edge.to == s) all = isl_union_map_add_map(all, edge.relation.copy());
    return isl::manage(all);
  }

  /// Where all that one statement carries leads to few instances, or from them, as to the pivot's column and from it:
  /// what comes before them, these, and the rest.
  [[nodiscard]] std::optional<std::vector<isl::union_set>> aroundPivot(const isl::union_map &carried) const {
    const isl::union_set all = anywhere(own.front());
    const isl::union_set pivot = carried.domain().intersect(carried.range());
    const isl::union_set before = carried.domain().subtract(pivot);
    std::vector<isl::union_set> parts{before, pivot, all.subtract(before).subtract(pivot)};
    for (std::size_t later = 0; later < parts.size(); ++later)
      for (std::size_t p = 0; p <= later; ++p)
        if (!carried.intersect_domain(parts[later]).intersect_range(parts[p]).is_empty()) return std::nullopt;
    return parts;
  }

  [[nodiscard]] isl::union_set anywhere(int s) const {
    return isl::manage(isl_union_set_from_set(
        isl_set_universe(isl_set_get_space(scop.statements[static_cast<std::size_t>(s)].domain.get()))));
  }

  [[nodiscard]] std::optional<std::vector<isl::union_set>> sorted(const std::map<int, std::set<int>> &after) const {
    std::vector<int> left = own;
    std::vector<isl::union_set> order;
    while (!left.empty()) {
      const auto isFirst = [&](int s) {
        return std::none_of(left.begin(), left.end(), [&](int other) {
          const auto at = after.find(other);
          return at != after.end() && at->second.contains(s);
        });
      };
      const auto next = std::find_if(left.begin(), left.end(), isFirst);
      if (next == left.end()) return std::nullopt;
      order.push_back(anywhere(*next));
      left.erase(next);
    }
    return order;
  }

  /// { S[x] -> S[y] : one step of the member, the other rows fixed }; absent: the statement makes none.
  [[nodiscard]] std::optional<isl::map> stepOf(const Statement &statement, std::size_t member) const {
    isl_space *space = isl_space_map_from_set(isl_set_get_space(statement.domain.get()));
    isl::map step = isl::manage(isl_map_universe(space));
    for (const isl::union_pw_aff &outer : around)
      if (const auto row = rowOf(outer, statement))
        step = step.intersect(isl::manage(isl_pw_aff_eq_map(row->copy(), row->copy())));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const isl::pw_aff row = *rowOf(rows[r], statement);
      isl_pw_aff *raised = r == member
                               ? isl_pw_aff_add_constant_val(row.copy(), isl_val_one(isl_pw_aff_get_ctx(row.get())))
                               : row.copy();
      step = isl::manage(
          isl_map_intersect(step.release(), isl_map_apply_range(isl_map_from_pw_aff(raised),
                                                                isl_map_reverse(isl_map_from_pw_aff(row.copy())))));
    }
    if (step.is_empty()) return std::nullopt;
    return step;
  }

  static Motion motion(const isl::map &step, const Access &access) {
    const isl::map moved = isl::manage(isl_map_apply_range(isl_map_reverse(access.relation.copy()),
                                                           isl_map_apply_range(step.copy(), access.relation.copy())));
    const isl::set deltas = isl::manage(isl_set_from_basic_set(isl_set_affine_hull(isl_map_deltas(moved.copy()))));
    if (deltas.is_empty()) return Motion::Never;
    const int dims = static_cast<int>(dimension(deltas));
    for (int d = 0; d < dims; ++d) {
      const isl::val by = isl::manage(isl_set_plain_get_val_if_fixed(deltas.get(), isl_dim_set, d));
      if (!by.is_int()) return Motion::Other;
      if (by.is_zero()) continue;
      return d + 1 == dims && by.is_one() ? Motion::Unit : Motion::Other;
    }
    return Motion::Still;
  }
};

} // namespace

std::vector<isl::union_set> partsAlongFirst(const Scop &scop, const Dependences &graph,
                                            const isl::union_map &dependences,
                                            const std::vector<isl::union_pw_aff> &rows) {
  return Members(scop, graph, dependences, rows, {}).byPivotOf(0);
}

bool gathersInnermost(const Scop &scop, const Dependences &graph, const isl::union_map &dependences,
                      const std::vector<isl::union_pw_aff> &rows) {
  return Members(scop, graph, dependences, rows, {}).gathers(rows.size() - 1);
}

std::optional<Innermost> innermost(const Scop &scop, const Dependences &graph, const isl::union_map &dependences,
                                   const std::vector<isl::union_pw_aff> &rows,
                                   const std::vector<isl::union_pw_aff> &around, bool reorder) {
  const Members members(scop, graph, dependences, rows, around);
  std::optional<Innermost> best;
  int most = leastGain;
  for (std::size_t member = 0; member < rows.size(); ++member) {
    std::set<int> folds;
    const auto order = members.apart(member, reorder, folds);
    if (!order) continue;
    const int score = members.score(member, folds);
    if (score < most) continue;
    most = score;
    best = Innermost{member, *order};
  }
  return best;
}

} // namespace polymend
