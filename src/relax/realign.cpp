// A consumer reduction whose loop runs shifted or backwards beside its producer's: both read a common value where the
// producer's point is s(keys) + x or s(keys) - x of the consumer's point x in each reduced dimension. A reduction's
// points have no order over the reals, so that the consumer may be written over the producer's points.
#include "pair.h"
#include "reindex.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

namespace polymend {
namespace {

isl::map withEquality(isl::map map, const std::vector<std::pair<int, unsigned>> &outputs, int factor, unsigned input) {
  isl_constraint *c = isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(map.get())));
  for (const auto &[value, position] : outputs)
    c = isl_constraint_set_coefficient_si(c, isl_dim_out, static_cast<int>(position), value);
  c = isl_constraint_set_coefficient_si(c, isl_dim_in, static_cast<int>(input), factor);
  return isl::manage(isl_map_add_constraint(map.release(), c));
}

/// { Consumer[dims] -> [p - direction * c] } over the common instances, for producer dimension p and consumer one c.
isl::map distance(const isl::map &together, unsigned c, unsigned p, int direction) {
  const unsigned n = rangeDimension(together);
  isl::map map = isl::manage(isl_map_add_dims(isl_map_reset_tuple_id(together.copy(), isl_dim_out), isl_dim_out, 1));
  map = withEquality(map, {{1, n}, {-1, p}}, direction, c);
  return projectOutRange(map, 0, n);
}

/// Where the consumer's reduced dimension stands on the producer's: at direction * c + a function of the keys.
struct Step {
  int direction = 1;
  isl::map shift; // { Consumer[dims] -> [function of the keys] }, wherever that is defined
};

std::optional<Step> stepOf(const Equation &consumer, const isl::map &together, unsigned c, unsigned p) {
  for (const int direction : {1, -1}) {
    const isl::map shift = distance(together, consumer.keys + c, p, direction);
    if (!shift.is_single_valued() || movesAlong(shift, consumer.keys, consumer.reduced())) continue;
    isl_map *hull = isl_map_from_basic_map(isl_map_affine_hull(shift.copy()));
    const isl::map wide = projectOutDomain(isl::manage(hull), consumer.keys, consumer.reduced());
    isl::map all = isl::manage(isl_map_insert_dims(wide.copy(), isl_dim_in, consumer.keys, consumer.reduced()));
    all = setDomainTuple(all, consumer.name);
    if (all.is_single_valued() && consumer.domain.is_subset(all.domain())) return Step{direction, all};
  }
  return std::nullopt;
}

/// { Consumer[keys, x] -> Consumer[keys, x'] } with x' on the producer's points; absent: neither shifted nor turned.
std::optional<isl::map> ontoProducer(const Equation &consumer, const Equation &producer, const isl::map &together) {
  if (consumer.reduced() != producer.reduced() || together.is_empty()) return std::nullopt;
  const isl::space space = consumer.domain.space();
  isl::map result = isl::manage(isl_map_universe(isl_space_map_from_set(space.copy())));
  for (unsigned k = 0; k < consumer.keys; ++k)
    result = isl::manage(
        isl_map_equate(result.release(), isl_dim_in, static_cast<int>(k), isl_dim_out, static_cast<int>(k)));
  const auto n = static_cast<unsigned>(consumer.dims.size());
  std::set<unsigned> taken;
  for (unsigned c = 0; c < consumer.reduced(); ++c) {
    std::optional<Step> step;
    for (unsigned p = 0; p < producer.reduced() && !step; ++p) {
      if (!taken.contains(p)) step = stepOf(consumer, together, c, producer.keys + p);
      if (step) taken.insert(p);
    }
    if (!step) return std::nullopt;
    isl::map moved = isl::manage(isl_map_add_dims(step->shift.copy(), isl_dim_out, n));
    moved = withEquality(moved, {{1, 0}, {-1, 1 + consumer.keys + c}}, step->direction, consumer.keys + c);
    result = result.intersect(setRangeTuple(projectOutRange(moved, 0, 1), consumer.name));
  }
  return result;
}

} // namespace

void alignReductions(System &system) {
  for (std::size_t c = 0; c < system.equations.size(); ++c)
    for (const auto &[producer, together] : sharedReads(system, static_cast<int>(c))) {
      const Equation &consumer = system.equations[c];
      const auto onto = ontoProducer(consumer, system.equations[static_cast<std::size_t>(producer)], together);
      if (!onto || !onto->is_bijective()) continue;
      if (reindex(system, c, {consumer.dims, consumer.keys, onto->reverse()})) break;
    }
}

} // namespace polymend
