// Bands that follow one another down to one statement are a list of rows. A row is asked what it carries among the
// statement's instances that agree in all rows before it; from the first row on that a sum alone carries, those that
// carry nothing come first.
#include "sums_inside.h"

#include "constraints.h"

#include <isl/aff.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include <algorithm>

namespace polymend {

namespace {

struct WalkedFree {
  void operator()(isl_schedule_node *node) const { isl_schedule_node_free(node); }
};
using Walked = std::unique_ptr<isl_schedule_node, WalkedFree>;
using Rows = std::vector<isl::union_pw_aff>;

bool isBand(const Walked &node) { return isl_schedule_node_get_type(node.get()) == isl_schedule_node_band; }

isl::multi_union_pw_aff listed(const Rows &rows, const isl::union_set &instances) {
  isl_space *space = isl_space_set_from_params(isl_union_set_get_space(instances.get()));
  isl_union_pw_aff_list *list = isl_union_pw_aff_list_alloc(isl_union_set_get_ctx(instances.get()), 0);
  for (const isl::union_pw_aff &row : rows) {
    space = isl_space_align_params(space, isl_union_pw_aff_get_space(row.get()));
    list = isl_union_pw_aff_list_add(list, row.copy());
  }
  space = isl_space_add_dims(isl_space_set_from_params(isl_space_params(space)), isl_dim_set,
                             static_cast<unsigned>(rows.size()));
  return isl::manage(isl_multi_union_pw_aff_from_union_pw_aff_list(space, list));
}

class Sinker {
public:
  Sinker(const Scop &scop, const Dependences &dependences)
      : others(pairsOf(scop, dependences, [](const Dependence &edge) { return !edge.reduction; })),
        sums(pairsOf(scop, dependences, [](const Dependence &edge) { return edge.reduction; })) {}

  Walked below(Walked node) const {
    if (isBand(node)) return atBand(std::move(node));
    const int count = isl_schedule_node_n_children(node.get());
    for (int c = 0; c < count; ++c) {
      node.reset(isl_schedule_node_child(node.release(), c));
      node = below(std::move(node));
      node.reset(isl_schedule_node_parent(node.release()));
    }
    return node;
  }

private:
  isl::union_map others, sums;

  /// The rows of the bands from the node on, if a single statement is below them and nothing else is.
  static Rows rowsBelow(const Walked &band, int &bands) {
    Rows rows;
    Walked node(isl_schedule_node_copy(band.get()));
    for (bands = 0; isBand(node); ++bands) {
      const isl::multi_union_pw_aff own = isl::manage(isl_schedule_node_band_get_partial_schedule(node.get()));
      const int members = isl_multi_union_pw_aff_dim(own.get(), isl_dim_set);
      for (int m = 0; m < members; ++m)
        rows.push_back(isl::manage(isl_multi_union_pw_aff_get_union_pw_aff(own.get(), m)));
      node.reset(isl_schedule_node_child(node.release(), 0));
    }
    const isl::union_set here = isl::manage(isl_schedule_node_get_domain(node.get()));
    const bool isLeaf = isl_schedule_node_get_type(node.get()) == isl_schedule_node_leaf;
    return isLeaf && isl_union_set_n_set(here.get()) == 1 ? rows : Rows();
  }

  /// Does a row carry any of the pairs, which it no longer holds then?
  static bool carries(isl::union_map &pairs, const isl::union_pw_aff &row, const isl::union_set &here) {
    const isl::multi_union_pw_aff one = listed({row}, here);
    const isl::union_map equal = isl::manage(isl_union_map_eq_at_multi_union_pw_aff(pairs.copy(), one.copy()));
    const bool all = pairs.is_subset(equal);
    pairs = equal;
    return !all;
  }

  Walked atBand(Walked node) const {
    int bands = 0;
    const Rows rows = rowsBelow(node, bands);
    if (rows.size() < 2) {
      node.reset(isl_schedule_node_child(node.release(), 0));
      node = below(std::move(node));
      node.reset(isl_schedule_node_parent(node.release()));
      return node;
    }
    const isl::union_set here = isl::manage(isl_schedule_node_get_domain(node.get()));
    isl::union_map waits = inside(others, here), adds = inside(sums, here);
    if (isl_schedule_node_get_schedule_depth(node.get()) > 0) {
      const isl::multi_union_pw_aff before =
          isl::manage(isl_schedule_node_get_prefix_schedule_multi_union_pw_aff(node.get()));
      waits = isl::manage(isl_union_map_eq_at_multi_union_pw_aff(waits.release(), before.copy()));
      adds = isl::manage(isl_union_map_eq_at_multi_union_pw_aff(adds.release(), before.copy()));
    }
    Rows ordered, last;
    bool isApart = false; // a row that carries nothing stands behind one that a sum carries
    for (const isl::union_pw_aff &row : rows) {
      const bool isSerial = carries(waits, row, here), isSum = carries(adds, row, here);
      if (isSerial && !last.empty()) return node;
      const bool sinks = !isSerial && isSum;
      isApart = isApart || (!sinks && !last.empty());
      (sinks ? last : ordered).push_back(row);
    }
    if (!isApart) return node;
    ordered.insert(ordered.end(), last.begin(), last.end());
    for (int b = 0; b < bands; ++b) node.reset(isl_schedule_node_delete(node.release()));
    node.reset(isl_schedule_node_insert_partial_schedule(node.release(), listed(ordered, here).release()));
    return node;
  }
};

} // namespace

isl::schedule withSumsInside(const isl::schedule &order, const Scop &scop, const Dependences &dependences) {
  const Walked root = Sinker(scop, dependences).below(Walked(isl_schedule_get_root(order.get())));
  return isl::manage(isl_schedule_node_get_schedule(root.get()));
}

} // namespace polymend
