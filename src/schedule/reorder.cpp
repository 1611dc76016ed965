// isl's scheduler gives bands of exchangeable loops, a part of the dependence graph at a time. Each band is then cut
// and turned here (bands.h), and the whole is compared with the dependences once more: a fault leaves the source's
// order.
#include "reorder.h"

#include "bands.h"
#include "constraints.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>

#include <exception>

namespace polymend {

namespace {

struct NodeFree {
  void operator()(isl_schedule_node *node) const { isl_schedule_node_free(node); }
};
using Node = std::unique_ptr<isl_schedule_node, NodeFree>;

Node childOf(const Node &node, int number) { return Node(isl_schedule_node_get_child(node.get(), number)); }

/// Carries each member of the band something, around loops that are not its own?
bool isKnot(const Node &band) {
  if (isl_schedule_node_get_type(band.get()) != isl_schedule_node_band || endsBelow(band.get())) return false;
  const int members = isl_schedule_node_band_n_member(band.get());
  for (int m = 0; m < members; ++m)
    if (isl_schedule_node_band_member_get_coincident(band.get(), m) == isl_bool_true) return false;
  return members > 1;
}

/// { x -> y : `row` is less at x than at y, while `outer` is the same at both }
isl::union_map apartAlong(const isl::union_set &instances, const isl::multi_union_pw_aff &outer,
                          const isl::union_pw_aff &row) {
  isl_union_map *pairs = isl_union_map_from_domain_and_range(instances.copy(), instances.copy());
  pairs = isl_union_map_eq_at_multi_union_pw_aff(pairs, outer.copy());
  isl_space *space = isl_space_set_from_params(isl_union_pw_aff_get_space(row.get()));
  isl_union_pw_aff_list *rows = isl_union_pw_aff_list_from_union_pw_aff(row.copy());
  const isl::multi_union_pw_aff one =
      isl::manage(isl_multi_union_pw_aff_from_union_pw_aff_list(isl_space_add_dims(space, isl_dim_set, 1), rows));
  return isl::manage(isl_union_map_lex_lt_at_multi_union_pw_aff(pairs, one.copy()));
}

/// Looks for a loop whose iterations, of which there are several within one of `outer`, do not depend on one another.
class SharedLoop {
public:
  SharedLoop(const isl::union_set &all, const isl::multi_union_pw_aff &around) : instances(all), outer(around) {}

  bool isIn(const isl::schedule &schedule) {
    isl_schedule_foreach_schedule_node_top_down(schedule.get(), look, this);
    if (thrown) std::rethrow_exception(thrown);
    return found;
  }

private:
  const isl::union_set &instances;
  const isl::multi_union_pw_aff &outer;
  bool found = false;
  std::exception_ptr thrown; // waits until isl, which asks for each node, has returned

  static isl_bool look(isl_schedule_node *node, void *user) {
    auto *own = static_cast<SharedLoop *>(user);
    try {
      if (isl_schedule_node_get_type(node) == isl_schedule_node_band) own->lookAt(node);
    } catch (...) {
      own->thrown = std::current_exception();
      return isl_bool_error;
    }
    return own->found ? isl_bool_false : isl_bool_true;
  }

  void lookAt(isl_schedule_node *band) {
    const int count = isl_schedule_node_band_n_member(band);
    const isl::multi_union_pw_aff rows = isl::manage(isl_schedule_node_band_get_partial_schedule(band));
    for (int m = 0; m < count && !found; ++m) {
      if (isl_schedule_node_band_member_get_coincident(band, m) != isl_bool_true) continue;
      const isl::union_pw_aff row = isl::manage(isl_multi_union_pw_aff_get_union_pw_aff(rows.get(), m));
      const isl::union_set here = isl::manage(isl_schedule_node_get_domain(band));
      found = !apartAlong(here.intersect(instances), outer, row).is_empty();
    }
  }
};

/// The parts in order, each in its bands. Where all loops of a band carry something and others lie within, the first
/// alone stays around what it holds, which is scheduled anew: within one iteration of it less depends on less. Where
/// nothing runs beside anything there, the band stays as it is, for its fronts.
std::optional<isl::schedule> inParts(const isl::union_set &instances, const isl::union_map &validity) {
  std::optional<isl::schedule> whole = scheduleOf(instances, validity, Sought::Bands);
  if (!whole) return std::nullopt;
  const Node root(isl_schedule_get_root(whole->get()));
  const Node top = childOf(root, 0);
  if (isl_schedule_node_get_type(top.get()) == isl_schedule_node_sequence) {
    std::optional<isl::schedule> all;
    const int count = isl_schedule_node_n_children(top.get());
    for (int part = 0; part < count; ++part) {
      const isl::union_set own = isl::manage(
          isl_union_set_intersect(instances.copy(), isl_schedule_node_filter_get_filter(childOf(top, part).get())));
      std::optional<isl::schedule> next = inParts(own, inside(validity, own));
      if (!next) return std::nullopt;
      all = all ? isl::manage(isl_schedule_sequence(all->release(), next->release())) : *next;
    }
    return all;
  }
  if (!isKnot(top)) return whole;
  isl_multi_union_pw_aff *rows = isl_schedule_node_band_get_partial_schedule(top.get());
  rows = isl_multi_union_pw_aff_drop_dims(rows, isl_dim_set, 1, isl_multi_union_pw_aff_dim(rows, isl_dim_set) - 1);
  const isl::union_map left =
      isl::manage(isl_union_map_eq_at_multi_union_pw_aff(validity.copy(), isl_multi_union_pw_aff_copy(rows)));
  const isl::multi_union_pw_aff outer = isl::manage(rows);
  std::optional<isl::schedule> within = inParts(instances, left);
  if (!within) return std::nullopt;
  if (!SharedLoop(instances, outer).isIn(*within)) return whole;
  return isl::manage(isl_schedule_insert_partial_schedule(within->release(), outer.copy()));
}

/// A front that is steeper runs few points beside each other; and of slopes of 5 and 6 that cross, isl 0.25 has made
/// loops in another order than the schedule's.
constexpr int steepest = 4;

bool isSteepRow(const isl::aff &row) {
  const int variables = static_cast<int>(isl_aff_dim(row.get(), isl_dim_in));
  for (int i = 0; i < variables; ++i) {
    const isl::val slope = isl::manage(isl_aff_get_coefficient_val(row.get(), isl_dim_in, i));
    if (slope.abs().gt(isl::val(slope.ctx(), steepest))) return true;
  }
  return false;
}

/// All dependences, and those that would vanish in private copies, too.
isl::union_map validityOf(const Scop &scop, const Dependences &dependences) {
  return pairsOf(scop, dependences, [](const Dependence &) { return true; });
}

std::optional<isl::schedule> search(const Scop &scop, const Dependences &dependences, bool reorder) {
  const isl::union_map validity = validityOf(scop, dependences);
  const std::optional<isl::schedule> found = inParts(instancesOf(scop), lighter(validity));
  if (!found || isSteep(*found)) return std::nullopt;
  return withBands(*found, scop, dependences, validity, reorder);
}

/// Is the loop that carries the dependence around all loops of both statements?
bool carriedOutermost(const Scop &scop, const Dependence &edge) {
  const auto first = [&](int s) { return scop.statements[static_cast<std::size_t>(s)].iterators.front(); };
  return !edge.variable.empty() && edge.variable == first(edge.from) && edge.variable == first(edge.to);
}

/// Do threads share every outermost loop of the source, as far as values that live within one iteration are private to
/// it? No schedule that keeps one copy of these does better.
bool sharesPrivate(const Scop &scop, const Dependences &dependences) {
  for (const Statement &statement : scop.statements)
    if (statement.iterators.empty()) return false;
  bool isPrivate = false;
  for (const Dependence &edge : dependences.edges) {
    if (!carriedOutermost(scop, edge)) continue;
    if (!edge.privatised) return false;
    isPrivate = true;
  }
  return isPrivate;
}

} // namespace

bool isSteep(const isl::schedule &schedule) {
  bool found = false;
  const isl::union_map times = isl::manage(isl_schedule_get_map(schedule.get()));
  times.foreach_map([&](const isl::map &given) {
    // Of instances that there are not, pieces of a statement say more than one time.
    const isl::map time = given.is_single_valued()
                              ? given
                              : given.intersect_domain(schedule.domain().extract_set(given.domain().space()));
    const isl::pw_multi_aff rows = isl::manage(isl_pw_multi_aff_from_map(time.copy()));
    rows.foreach_piece([&](const isl::set &, const isl::multi_aff &piece) {
      const int count = static_cast<int>(isl_multi_aff_dim(piece.get(), isl_dim_out));
      for (int d = 0; d < count; ++d) found = found || isSteepRow(isl::manage(isl_multi_aff_get_aff(piece.get(), d)));
    });
  });
  return found;
}

std::optional<isl::schedule> inBands(const Scop &scop, const Dependences &dependences) {
  return inParts(instancesOf(scop), lighter(validityOf(scop, dependences)));
}

std::optional<isl::schedule> reordered(const Scop &scop, const Dependences &dependences, bool reorder) {
  if (scop.statements.empty() || sharesPrivate(scop, dependences)) return std::nullopt;
  std::optional<isl::schedule> result;
  std::string gaveUp;
  if (!capped(scop.context, [&] { result = search(scop, dependences, reorder); }, gaveUp, schedulerCap))
    return std::nullopt;
  return result;
}

} // namespace polymend
