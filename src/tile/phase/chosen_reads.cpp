// A read below a choice is made where its condition allows it: m[j] ? x[t[j]] : 0 says nothing of t[j] elsewhere, and
// i < k ? x[i] : 0 nothing of x[k]. A value that is computed for all points, and shared, may hold such a read only
// where all elements that it would read, { [dims] -> A[subscripts] } without the choice, lie within the box around what
// is touched of A. Where data choose, the relation does not say so: then they must lie within the extents of A, too.
#include "chosen_reads.h"

#include "values.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace polymend {
namespace {

/// Whether each operand is read in a branch of a choice, in one that data decide, and outside of all.
struct Places {
  std::set<int> below, belowData, outside;
};

void look(const Expr &e, bool below, bool belowData, Places &places) {
  if (e.op() == Op::Read && e->access >= 0) (below ? places.below : places.outside).insert(e->access);
  if (e.op() == Op::Read && e->access >= 0 && belowData) places.belowData.insert(e->access);
  for (std::size_t k = 0; k < e->args.size(); ++k) {
    const bool chosen = e.op() == Op::Select && k > 0;
    look(e.arg(k), below || chosen, belowData || (chosen && reads(e.arg(0))), places);
  }
}

/// The smallest box around the points.
isl::set boxAround(const isl::set &points) {
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(points.get())));
  const auto dims = static_cast<unsigned>(isl_set_dim(points.get(), isl_dim_set));
  for (unsigned d = 0; d < dims; ++d) {
    isl_set *line = isl_set_eliminate(points.copy(), isl_dim_set, d + 1, dims - d - 1);
    box = box.intersect(isl::manage(isl_set_eliminate(line, isl_dim_set, 0, d)));
  }
  return box;
}

/// The elements of an array that the system's equations read or store.
isl::set touchedOf(const System &system, const std::string &array, const isl::set &own) {
  isl::set all = own;
  for (const Equation &e : system.equations) {
    for (const Operand &operand : e.operands)
      if (operand.equation < 0 && operand.array == array && operand.exact)
        all = all.unite(isl::manage(isl_set_reset_tuple_id(operand.map.range().release())));
    for (const Store &store : e.stores)
      if (store.array == array) all = all.unite(isl::manage(isl_set_reset_tuple_id(store.map.range().release())));
  }
  return all;
}

/// Does the operand, read at all points of the equation, stay within what is touched? What it would read elsewhere is
/// what the affine function does that it is where it is read: of one point, say, none is known.
bool staysWithin(const System &system, const Equation &e, const Operand &operand) {
  const isl::set points = isl::manage(isl_set_reset_tuple_id(e.domain.copy()));
  const isl::map chosen = isl::manage(isl_map_reset_tuple_id(operand.map.copy(), isl_dim_in));
  if (points.is_subset(chosen.domain())) return true;
  const isl::map hull = isl::manage(isl_map_from_basic_map(isl_map_affine_hull(chosen.copy())));
  const isl::map everywhere = hull.intersect_domain(points);
  if (!points.is_subset(everywhere.domain()) || !everywhere.is_single_valued()) return false;
  const isl::set own = isl::manage(isl_set_reset_tuple_id(chosen.range().release()));
  const isl::set read = isl::manage(isl_set_reset_tuple_id(everywhere.range().release()));
  return read.is_subset(boxAround(touchedOf(system, operand.array, own)));
}

/// Do all points of the equation read within the extents that are numbers, of dimensions but the first?
bool staysInRows(const Scop &scop, const Equation &e, const Operand &operand) {
  const std::vector<Expr> &extents = scop.array(operand.array).extents;
  const isl::set points = isl::manage(isl_set_reset_tuple_id(e.domain.copy()));
  const isl::map read = isl::manage(isl_map_reset_tuple_id(operand.map.copy(), isl_dim_in)).intersect_domain(points);
  for (unsigned d = 1; d < extents.size(); ++d) {
    if (!extents[d] || extents[d].op() != Op::Integer) continue;
    isl_val *extent = isl_val_int_from_si(isl_map_get_ctx(read.get()), extents[d]->integer);
    const isl::set beyond = isl::manage(isl_set_lower_bound_val(isl_map_range(read.copy()), isl_dim_set, d, extent));
    if (!beyond.is_empty()) return false;
  }
  return true;
}

} // namespace

std::vector<Expr> chosenReads(const PhaseContext &context, const Seated &seated) {
  const Equation &e = seated.equation;
  Places places;
  look(e.value, false, false, places);
  std::vector<Expr> found;
  visit(e.value, [&](const Expr &node) {
    if (node.op() != Op::Read || !places.below.contains(node->access) || places.outside.contains(node->access)) return;
    const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
    const bool inRows = !places.belowData.contains(node->access) || staysInRows(context.frame.scop, e, operand);
    if (operand.equation >= 0 || (inRows && operand.exact && staysWithin(context.frame.system, e, operand))) return;
    found.push_back(realize(context, node, seated));
  });
  return found;
}

} // namespace polymend
