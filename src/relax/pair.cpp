// A consumer reduction that reads a producer's result at its own keys alone waits for the producer's whole loop. If
// both loops read a common value at equal positions, running them together is worth asking algebra for: a blocking
// pair.
#include "relax/pair.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

isl::map universalMap(const Equation &from, const Equation &to) {
  return isl::manage(isl_map_from_domain_and_range(isl_set_universe(isl_set_get_space(from.domain.get())),
                                                   isl_set_universe(isl_set_get_space(to.domain.get()))));
}

/// Consumer key of each producer key, when the read is a projection.
std::optional<std::vector<int>> rowsOf(const Equation &consumer, const Equation &producer, const isl::map &read) {
  std::vector<int> rows;
  for (unsigned p = 0; p < producer.keys; ++p) {
    int found = -1;
    for (unsigned c = 0; c < consumer.keys && found < 0; ++c)
      if (std::find(rows.begin(), rows.end(), static_cast<int>(c)) == rows.end() && alwaysEqual(read, c, p))
        found = static_cast<int>(c);
    if (found < 0) return std::nullopt;
    rows.push_back(found);
  }
  return rows;
}

/// The instances of both that read the same element of something whose place depends on the reduced dimensions.
std::vector<isl::map> commonReads(const Equation &consumer, const Equation &producer) {
  std::vector<isl::map> result;
  for (const Operand &a : consumer.operands)
    for (const Operand &b : producer.operands) {
      if (a.equation != b.equation || a.array != b.array || !a.exact || !b.exact) continue;
      if (domainDimension(a.map) != consumer.dims.size() || domainDimension(b.map) != producer.dims.size()) continue;
      if (!movesAlong(a.map, consumer.keys, consumer.reduced()) ||
          !movesAlong(b.map, producer.keys, producer.reduced()))
        continue;
      result.push_back(a.map.apply_range(b.map.reverse()));
    }
  return result;
}

std::optional<std::vector<unsigned>> align(const Equation &consumer, const Equation &producer,
                                           const isl::map &together) {
  if (consumer.reduced() != producer.reduced() || together.is_empty()) return std::nullopt;
  std::vector<unsigned> alignment;
  for (unsigned c = 0; c < consumer.reduced(); ++c) {
    bool found = false;
    for (unsigned p = 0; p < producer.reduced() && !found; ++p)
      if (std::find(alignment.begin(), alignment.end(), p) == alignment.end() &&
          alwaysEqual(together, consumer.keys + c, producer.keys + p)) {
        alignment.push_back(p);
        found = true;
      }
    if (!found) return std::nullopt;
  }
  return alignment;
}

isl::map rowMap(const Equation &consumer, const Equation &producer, const std::vector<int> &rows) {
  isl::map map = universalMap(consumer, producer);
  for (unsigned p = 0; p < rows.size(); ++p)
    map = isl::manage(isl_map_equate(map.release(), isl_dim_in, rows[p], isl_dim_out, static_cast<int>(p)));
  return map;
}

} // namespace

isl::map alignedInstances(const System &system, const Blocking &pair) {
  const Equation &consumer = system.equations[static_cast<std::size_t>(pair.consumer)];
  const Equation &producer = system.equations[static_cast<std::size_t>(pair.producer)];
  isl::map map = rowMap(consumer, producer, pair.rows);
  for (unsigned c = 0; c < pair.alignment.size(); ++c)
    map = isl::manage(isl_map_equate(map.release(), isl_dim_in, static_cast<int>(consumer.keys + c), isl_dim_out,
                                     static_cast<int>(producer.keys + pair.alignment[c])));
  return map;
}

std::vector<Blocking> blockingPairs(const System &system) {
  std::vector<Blocking> result;
  for (std::size_t c = 0; c < system.equations.size(); ++c) {
    const Equation &consumer = system.equations[c];
    if (!consumer.monoid) continue;
    for (const Operand &operand : consumer.operands) {
      if (operand.equation < 0 || domainDimension(operand.map) != consumer.dims.size()) continue;
      const Equation &producer = system.equations[static_cast<std::size_t>(operand.equation)];
      if (!producer.monoid || movesAlong(operand.map, consumer.keys, consumer.reduced())) continue;
      const auto rows = rowsOf(consumer, producer, operand.map);
      if (!rows) continue;
      const isl::map fixed =
          rowMap(consumer, producer, *rows).intersect_domain(consumer.domain).intersect_range(producer.domain);
      for (const isl::map &common : commonReads(consumer, producer))
        if (const auto alignment = align(consumer, producer, common.intersect(fixed))) {
          result.push_back({operand.equation, static_cast<int>(c), *alignment, *rows});
          break;
        }
    }
  }
  return result;
}

} // namespace polymend
