// Every read must have a write for its source, by value-based dataflow over the accesses of the one array, and what is
// written must be the box that its extents tell. An access that is not exact writes nothing for sure, and may read
// anything.
#include "filled.h"

#include "arguments.h"

#include "polymend/affine.h"
#include "tile/frame.h"

#include <isl/flow.h>
#include <isl/set.h>
#include <isl/union_map.h>

namespace polymend {
namespace {

/// Does some statement read what no statement wrote before?
bool readsOld(const Scop &scop, const std::string &array) {
  isl::union_map reads = isl::manage(isl_union_map_empty(isl_set_get_space(scop.assumptions.get()))), writes = reads;
  for (const Statement &s : scop.statements) {
    if (s.write.array == array && s.write.exact) writes = writes.unite(isl::union_map(s.write.relation));
    for (const Access &read : s.reads) {
      if (read.array != array) continue;
      if (!read.exact) return true;
      reads = reads.unite(isl::union_map(read.relation));
    }
  }
  if (reads.is_empty()) return false;
  isl_union_access_info *info = isl_union_access_info_from_sink(reads.release());
  info = isl_union_access_info_set_must_source(info, writes.release());
  info = isl_union_access_info_set_schedule(info, scop.schedule.copy());
  const isl::union_flow flow = isl::manage(isl_union_access_info_compute_flow(info));
  return !isl::manage(isl_union_flow_get_must_no_source(flow.get())).is_empty();
}

/// All that is surely written; absent: nothing.
std::optional<isl::set> writtenOf(const Scop &scop, const std::string &array) {
  std::optional<isl::set> written;
  for (const Statement &s : scop.statements) {
    if (s.write.array != array || !s.write.exact) continue;
    const isl::set range = s.write.relation.range();
    written = written ? written->unite(range) : range;
  }
  return written;
}

/// All numbers from the least of a line to its greatest.
isl::set between(const isl::set &line) {
  isl_set *above = isl_set_apply(line.copy(), isl_map_lex_le(isl_set_get_space(line.get())));
  isl_set *below = isl_set_apply(line.copy(), isl_map_lex_ge(isl_set_get_space(line.get())));
  return isl::manage(isl_set_intersect(above, below));
}

/// Is the set, where it is not empty, the box [0, extents[0]) x ...?
bool isBox(const isl::set &written, const std::vector<Expr> &extents) {
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(written.get())));
  for (unsigned d = 0; d < extents.size(); ++d) {
    const isl::set line = between(isl::manage(isl_set_reset_tuple_id(onlyDimension(written, d).release())));
    const auto [first, limit] = boundsOf(line, "x");
    if (!extents[d] || !first || !limit || simplify(first).op() != Op::Integer || simplify(first)->integer != 0 ||
        !equal(simplify(limit), simplify(inWide(extents[d]))))
      return false;
    isl_set *side = isl_set_add_dims(isl_set_insert_dims(line.copy(), isl_dim_set, 0, d), isl_dim_set,
                                     static_cast<unsigned>(extents.size()) - d - 1);
    if (isl_set_has_tuple_id(written.get()) == isl_bool_true)
      side = isl_set_set_tuple_id(side, isl_set_get_tuple_id(written.get()));
    box = box.intersect(isl::manage(side));
  }
  return box.is_subset(written);
}

} // namespace

Expr whereFilled(const Scop &scop, const Array &array, const TileArray &argument) {
  const auto written = writtenOf(scop, array.name);
  if (!written || dependsOnData(*written, scop) || !isBox(*written, argument.extents) || readsOld(scop, array.name))
    return {};
  return simplify(toCondition(written->params().coalesce(), {}));
}

} // namespace polymend
