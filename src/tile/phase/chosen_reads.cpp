// A read below a choice is made where its condition allows it: m[j] ? x[t[j]] : 0 says nothing of t[j] elsewhere, and
// i < k ? x[i] : 0 nothing of x[k]. A value that is computed for all points, and shared, may hold such a read only
// where all elements that it would read, { [dims] -> A[subscripts] } without the choice, lie within the box around what
// is touched of A. Where data choose, the relation does not say so: then they must lie within the extents of A, too.
#include "chosen_reads.h"

#include "conditions.h"
#include "values.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <map>
#include <set>

namespace polymend {
namespace {

/// In which choices each operand is read, whether data decide one, and which are read outside of all.
struct Places {
  std::map<int, Expr> below; // all conditions around it hold; one of them, where it is read twice
  std::set<int> belowData, outside;
};

void look(const Expr &e, const Expr &allowed, Places &places) {
  if (e.op() == Op::Read && e->access >= 0) {
    if (!allowed) places.outside.insert(e->access);
    if (allowed && reads(allowed)) places.belowData.insert(e->access);
    Expr &where = places.below[e->access];
    if (allowed) where = where ? Expr::make(Op::Or, {where, allowed}) : allowed;
  }
  for (std::size_t k = 0; k < e->args.size(); ++k) look(e.arg(k), both(allowed, branchCondition(e, k)), places);
}

/// Is the read made whatever is chosen?
bool isAlwaysMade(const Expr &e, const Expr &read) {
  if (equal(e, read)) return true;
  for (std::size_t k = 0; k < e->args.size(); ++k)
    if ((e.op() != Op::Select || k == 0) && isAlwaysMade(e.arg(k), read)) return true;
  return false;
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

/// What the operand would read at all points of the equation: what the affine function does that it is where it is
/// read. Absent: of one point, say, none is known.
std::optional<isl::set> readEverywhere(const Equation &e, const Operand &operand) {
  const isl::set points = isl::manage(isl_set_reset_tuple_id(e.domain.copy()));
  const isl::map chosen = isl::manage(isl_map_reset_tuple_id(operand.map.copy(), isl_dim_in));
  const isl::map hull = isl::manage(isl_map_from_basic_map(isl_map_affine_hull(chosen.copy())));
  const isl::map everywhere = hull.intersect_domain(points);
  if (!points.is_subset(everywhere.domain()) || !everywhere.is_single_valued()) return std::nullopt;
  return isl::manage(isl_set_reset_tuple_id(everywhere.range().release()));
}

/// For which sizes the operand, read at all points of the equation, stays within what is touched: all, those for which
/// anything is, or none.
isl::set staysWithin(const System &system, const Equation &e, const Operand &operand) {
  const isl::set points = isl::manage(isl_set_reset_tuple_id(e.domain.copy()));
  const isl::map chosen = isl::manage(isl_map_reset_tuple_id(operand.map.copy(), isl_dim_in));
  const isl::set all = isl::set::universe(points.params().space()), none = isl::set::empty(points.params().space());
  if (points.is_subset(chosen.domain())) return all;
  const auto read = readEverywhere(e, operand);
  if (!read) return none;
  const isl::set own = isl::manage(isl_set_reset_tuple_id(chosen.range().release()));
  const isl::set touched = touchedOf(system, operand.array, own), box = boxAround(touched);
  if (read->is_subset(box)) return all;
  return read->intersect_params(touched.params()).is_subset(box) ? touched.params() : none;
}

/// Does a read of another equation's value, made at all points, stay within what holds it? At the point's own place it
/// does: tiles are as long.
bool staysInTile(const System &system, const Equation &e, const Operand &operand, const Expr &node) {
  const auto isPlace = [&](const Expr &subscript) {
    return subscript.op() == Op::Symbol && std::ranges::count(e.dims, subscript->name) > 0;
  };
  if (std::ranges::all_of(node->args, isPlace)) return true;
  const auto read = readEverywhere(e, operand);
  const isl::set made = isl::manage(
      isl_set_reset_tuple_id(system.equations[static_cast<std::size_t>(operand.equation)].keyDomain.copy()));
  for (unsigned d = 0; read && d < node->args.size(); ++d)
    if (!isPlace(node.arg(d)) && !onlyDimension(*read, d).is_subset(onlyDimension(made, d))) return false;
  return read.has_value();
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

/// At which points the element of the operand may be read; absent: at all of the equation.
std::optional<Expr> whereMade(const PhaseContext &context, const Equation &e, const Expr &node, const Places &places) {
  if (places.outside.contains(node->access)) return std::nullopt;
  const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
  if (operand.equation >= 0 && staysInTile(context.frame.system, e, operand, node)) return std::nullopt;
  const Expr &below = places.below.at(node->access);
  const bool inRows =
      operand.equation < 0 && (!places.belowData.contains(node->access) || staysInRows(context.frame.scop, e, operand));
  if (!inRows || !operand.exact) return below;
  const isl::set sizes = staysWithin(context.frame.system, e, operand);
  if (isl_set_plain_is_universe(sizes.get()) == isl_bool_true) return std::nullopt;
  return sizes.is_empty() ? below : toCondition(sizes.coalesce(), {});
}

} // namespace

std::vector<ChosenRead> chosenReads(const PhaseContext &context, const Seated &seated) {
  if (context.frame.rectangular) return {};
  const Equation &e = seated.equation;
  Places places;
  look(e.value, {}, places);
  // One element may be read by two operands: what one allows, the other need not forbid.
  std::vector<Expr> anywhere;
  std::vector<ChosenRead> found;
  visit(e.value, [&](const Expr &node) {
    if (node.op() != Op::Read || !places.below.contains(node->access)) return;
    const auto where = whereMade(context, e, node, places);
    if (!where) {
      anywhere.push_back(node);
      return;
    }
    const auto same = std::ranges::find_if(found, [&](const ChosenRead &one) { return equal(one.read, node); });
    if (same == found.end())
      found.push_back({node, *where});
    else if (!equal(same->where, *where))
      same->where = Expr::make(Op::Or, {same->where, *where});
  });
  std::erase_if(found, [&](const ChosenRead &one) {
    return std::ranges::any_of(anywhere, [&](const Expr &read) { return equal(read, one.read); });
  });
  for (ChosenRead &one : found)
    one = {realize(context, one.read, seated), simplify(realize(context, one.where, seated))};
  return found;
}

Expr whereChosen(const Expr &element, const std::vector<ChosenRead> &chosen) {
  return rewrite(element, [&](const Expr &node) {
    for (const auto &[read, where] : chosen)
      if (equal(node, read) && isAlwaysMade(element, read))
        return Expr::make(
            Op::Select, node.type(),
            {where, node, isFloating(node.type()) ? Expr::real(0, node.type()) : Expr::integer(0, node.type())});
    return node;
  });
}

} // namespace polymend
