// A consumer reduction that reads a producer's result at its own keys alone waits for the producer's whole loop. If
// both loops read a common value at equal positions, running them together is worth asking algebra for: a blocking
// pair. Where subscripts are not affine, a common value is one that both read through the same expression over equal
// ranges.
#include "pair.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <numeric>

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

/// Do both read an array at entry through one subscript that is not affine, when dimension k of the consumer's
/// reduced ones is dimension k of the producer's?
bool readOneExpression(const Equation &consumer, const Equation &producer, const std::vector<int> &rows) {
  const auto inConsumer = [&](const std::string &name) {
    for (unsigned p = 0; p < producer.keys; ++p)
      if (producer.dims[p] == name) return Expr::symbol(consumer.dims[static_cast<std::size_t>(rows[p])], Type::Int64);
    for (unsigned r = 0; r < producer.reduced(); ++r)
      if (producer.dims[producer.keys + r] == name) return Expr::symbol(consumer.dims[consumer.keys + r], Type::Int64);
    return Expr();
  };
  const auto openReads = [](const Equation &e) {
    std::vector<Expr> reads;
    visit(e.value, [&](const Expr &node) {
      if (node.op() != Op::Read) return;
      const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
      if (!operand.exact && operand.equation < 0) reads.push_back(node);
    });
    return reads;
  };
  for (const Expr &theirs : openReads(producer)) {
    const Expr moved = substitute(theirs, inConsumer);
    const std::set<std::string> used = symbols(moved);
    const bool along = std::any_of(consumer.dims.begin() + consumer.keys, consumer.dims.end(),
                                   [&](const std::string &dim) { return used.contains(dim); });
    for (const Expr &ours : openReads(consumer))
      if (along && ours->name == moved->name &&
          std::equal(ours->args.begin(), ours->args.end(), moved->args.begin(), moved->args.end(), equal))
        return true;
  }
  return false;
}

isl::map rowMap(const Equation &consumer, const Equation &producer, const std::vector<int> &rows) {
  isl::map map = universalMap(consumer, producer);
  for (unsigned p = 0; p < rows.size(); ++p)
    map = isl::manage(isl_map_equate(map.release(), isl_dim_in, rows[p], isl_dim_out, static_cast<int>(p)));
  return map;
}

/// Of many keys that the producer does not have, do both meet at those alone that a number says? The others gain
/// nothing by one loop, and would have to wait in it.
bool meetAtFewKeys(const Equation &consumer, const std::vector<int> &rows, const isl::map &together) {
  const isl::set met = together.domain();
  for (unsigned d = 0; d < consumer.keys; ++d)
    if (!std::ranges::count(rows, static_cast<int>(d)) && constantExtent(met, d) &&
        !constantExtent(consumer.keyDomain, d))
      return true;
  return false;
}

/// How the reduced dimensions of both go together, when they read a common value at equal positions.
std::optional<std::vector<unsigned>> alignmentOf(const Equation &consumer, const Equation &producer,
                                                 const std::vector<int> &rows, const isl::map &fixed) {
  for (const isl::map &common : commonReads(consumer, producer)) {
    const isl::map together = common.intersect(fixed);
    if (auto alignment = align(consumer, producer, together); alignment && !meetAtFewKeys(consumer, rows, together))
      return alignment;
  }
  if (consumer.reduced() != producer.reduced() || !readOneExpression(consumer, producer, rows)) return std::nullopt;
  std::vector<unsigned> straight(consumer.reduced());
  std::iota(straight.begin(), straight.end(), 0U);
  return straight;
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

namespace {

/// A consumer's wait for a producer: the key of the consumer that each of the producer's is, and
/// { Consumer[dims] -> Producer[dims] } of equal keys.
struct Wait {
  int producer = 0;
  std::vector<int> rows;
  isl::map fixed;
};

/// Is every value that the consumer reads of the producer that of its own row? Else no loop over one row has them all.
bool readsOwnRowAlone(const Equation &consumer, int producer, const std::vector<int> &rows) {
  return std::all_of(consumer.operands.begin(), consumer.operands.end(), [&](const Operand &operand) {
    if (operand.equation != producer) return true;
    for (unsigned p = 0; p < rows.size(); ++p)
      if (!alwaysEqual(operand.map, static_cast<unsigned>(rows[p]), p)) return false;
    return true;
  });
}

std::vector<Wait> waitsOf(const System &system, const Equation &consumer) {
  std::vector<Wait> result;
  if (!consumer.monoid) return result;
  for (const Operand &operand : consumer.operands) {
    if (operand.equation < 0 || domainDimension(operand.map) != consumer.dims.size()) continue;
    const Equation &producer = system.equations[static_cast<std::size_t>(operand.equation)];
    if (!producer.monoid || movesAlong(operand.map, consumer.keys, consumer.reduced())) continue;
    const auto rows = rowsOf(consumer, producer, operand.map);
    if (rows && readsOwnRowAlone(consumer, operand.equation, *rows))
      result.push_back(
          {operand.equation, *rows,
           rowMap(consumer, producer, *rows).intersect_domain(consumer.domain).intersect_range(producer.domain)});
  }
  return result;
}

} // namespace

std::vector<Blocking> blockingPairs(const System &system) {
  std::vector<Blocking> result;
  for (std::size_t c = 0; c < system.equations.size(); ++c) {
    const Equation &consumer = system.equations[c];
    for (const Wait &wait : waitsOf(system, consumer)) {
      const Equation &producer = system.equations[static_cast<std::size_t>(wait.producer)];
      if (const auto alignment = alignmentOf(consumer, producer, wait.rows, wait.fixed))
        result.push_back({wait.producer, static_cast<int>(c), *alignment, wait.rows});
    }
  }
  return result;
}

std::vector<std::pair<int, isl::map>> sharedReads(const System &system, int consumer) {
  std::vector<std::pair<int, isl::map>> result;
  const Equation &reader = system.equations[static_cast<std::size_t>(consumer)];
  for (const Wait &wait : waitsOf(system, reader)) {
    const Equation &producer = system.equations[static_cast<std::size_t>(wait.producer)];
    if (alignmentOf(reader, producer, wait.rows, wait.fixed)) return {};
    for (const isl::map &common : commonReads(reader, producer))
      result.emplace_back(wait.producer, common.intersect(wait.fixed));
  }
  return result;
}

} // namespace polymend
