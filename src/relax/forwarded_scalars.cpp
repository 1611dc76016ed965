// A scalar that one statement D sets and one reads, in the same turn of the same loops, is its value. That holds where
// no element that D reads is written between D[x] and the read; the accesses that are known as supersets count as such.
#include "without_scalars.h"

namespace polymend {

namespace {

/// Does the value cost nothing, so that it may stand in several places?
bool isPlain(const Expr &value) {
  const Op op = value.op();
  return op == Op::Read || op == Op::Integer || op == Op::Real || op == Op::Symbol;
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
  if (use.writers.size() != 1 || use.readers.size() != 1) return std::nullopt;
  const int definition = use.writers.front(), reader = use.readers.front();
  const Statement &d = context.statement(definition);
  if (definition == reader || (use.reads > 1 && !isPlain(d.value))) return std::nullopt;
  const auto turn = turnOf(context, use.name, definition, reader);
  if (!turn) return std::nullopt;
  isl::union_map changed = context.none();
  for (const Access &read : d.reads)
    changed = changed.unite(isl::union_map(read.relation).apply_range(context.writesOf(read.array).reverse()));
  const isl::union_map meanwhile = changed.intersect(context.before).apply_range(context.before);
  if (!meanwhile.intersect(*turn).is_empty()) return std::nullopt;
  return d.value;
}

} // namespace polymend
