// A scalar that one statement D sets and others read, in the same turn of the same loops, is its value. That holds
// where no element that D reads is written between D[x] and the read; the accesses that are known as supersets count as
// such.
#include "without_scalars.h"

namespace polymend {

namespace {

/// Sums, differences and comparisons of numbers that are read; absent: there is something else.
std::optional<int> operationsIn(const Expr &value) {
  switch (value.op()) {
  case Op::Read:
  case Op::Integer:
  case Op::Real:
  case Op::Symbol: return 0;
  case Op::Add:
  case Op::Sub:
  case Op::Min:
  case Op::Max: {
    const auto left = operationsIn(value.arg(0)), right = operationsIn(value.arg(1));
    return left && right ? std::optional(*left + *right + 1) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

/// Does the value cost little, so that it may stand in several places?
bool isCheap(const Expr &value) {
  constexpr int few = 2;
  const auto operations = operationsIn(value);
  return operations && *operations <= few;
}

/// { D[x] -> R[x] }: the loops of both are the same, and each read sees what D set in its own turn.
std::optional<isl::union_map> turnOf(const ScalarContext &context, const std::string &name, int definition,
                                     int reader) {
  const Statement &d = context.statement(definition), &r = context.statement(reader);
  if (d.iterators != r.iterators) return std::nullopt;
  isl_map *same = isl_map_from_domain_and_range(d.domain.copy(), r.domain.copy());
  for (unsigned k = 0; k < d.iterators.size(); ++k)
    same = isl_map_equate(same, isl_dim_in, static_cast<int>(k), isl_dim_out, static_cast<int>(k));
  const isl::map turn = isl::manage(same);
  for (std::size_t k = 0; k < r.reads.size(); ++k) {
    if (r.reads[k].array != name) continue;
    const Sources &sources = context.deps.sourcesOf(reader, static_cast<int>(k));
    if (!sources.liveIn.is_empty()) return std::nullopt;
    for (const auto &[writer, pairs] : sources.from)
      if (!pairs.is_empty() && (writer != definition || !pairs.reverse().is_subset(turn))) return std::nullopt;
  }
  return isl::union_map(turn);
}

} // namespace

std::optional<Expr> forwarded(const ScalarContext &context, const ScalarUse &use) {
  if (use.writers.size() != 1) return std::nullopt;
  const int definition = use.writers.front();
  const Statement &d = context.statement(definition);
  if (use.reads > 1 && !isCheap(d.value)) return std::nullopt;
  isl::union_map turns = context.none();
  for (const int reader : use.readers) {
    const auto turn = definition == reader ? std::nullopt : turnOf(context, use.name, definition, reader);
    if (!turn) return std::nullopt;
    turns = turns.unite(*turn);
  }
  isl::union_map changed = context.none();
  for (const Access &read : d.reads)
    changed = changed.unite(isl::union_map(read.relation).apply_range(context.writesOf(read.array).reverse()));
  const isl::union_map meanwhile = changed.intersect(context.before).apply_range(context.before);
  if (!meanwhile.intersect(turns).is_empty()) return std::nullopt;
  return d.value;
}

} // namespace polymend
