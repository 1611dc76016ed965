// A scalar w that is set, updated and at last stored, F: A[f(p)] = g(w), all in one turn p of loops, is kept in A[f(p)]
// from the start: w = a[i][j]; w -= ...; a[i][j] = w / d becomes a[i][j] -= ...; a[i][j] /= d. That is right where F
// runs in each turn in which w is set, is the last to touch w in it, and nothing else reads or writes A[f(p)] between a
// touch of w and F: T[p, q] < W[z] < F[p]. Elements and scalar have one type, so that every value is the same to the
// bit.
#include "without_scalars.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {

namespace {

std::vector<int> touchersOf(const ScalarUse &use) {
  std::vector<int> all = use.writers;
  for (const int reader : use.readers)
    if (std::find(all.begin(), all.end(), reader) == all.end()) all.push_back(reader);
  return all;
}

/// Are the loops around `inner` those around `outer`, and perhaps more within?
bool liesWithin(const Statement &inner, const Statement &outer) {
  return inner.iterators.size() >= outer.iterators.size() &&
         std::equal(outer.iterators.begin(), outer.iterators.end(), inner.iterators.begin());
}

/// { T[p, q] -> U[p, r] } for all instances, where p has `depth` loops.
isl::map sameTurn(const Statement &from, const Statement &to, unsigned depth) {
  isl_map *same = isl_map_from_domain_and_range(from.domain.copy(), to.domain.copy());
  for (unsigned k = 0; k < depth; ++k)
    same = isl_map_equate(same, isl_dim_in, static_cast<int>(k), isl_dim_out, static_cast<int>(k));
  return isl::manage(same);
}

/// Is every value of the scalar read in the turn in which it was set?
bool staysInTurn(const ScalarContext &context, const ScalarUse &use, unsigned depth) {
  for (const int reader : use.readers) {
    const Statement &r = context.statement(reader);
    for (std::size_t k = 0; k < r.reads.size(); ++k) {
      if (r.reads[k].array != use.name) continue;
      const Sources &sources = context.deps.sourcesOf(reader, static_cast<int>(k));
      if (!sources.liveIn.is_empty()) return false;
      for (const auto &[writer, pairs] : sources.from)
        if (!pairs.is_subset(sameTurn(r, context.statement(writer), depth))) return false;
    }
  }
  return true;
}

/// Do the turns in which the scalar is touched all end with `last`?
bool endsAt(const ScalarContext &context, const std::vector<int> &touchers, int last, isl::union_map &turns) {
  const Statement &f = context.statement(last);
  const auto depth = static_cast<unsigned>(f.iterators.size());
  for (const int toucher : touchers) {
    if (toucher == last) continue;
    const Statement &t = context.statement(toucher);
    const isl::map turn = sameTurn(t, f, depth);
    if (!t.domain.is_subset(turn.domain()) || !isl::union_map(turn).is_subset(context.before)) return false;
    turns = turns.unite(isl::union_map(turn));
  }
  return true;
}

/// May the element that `last` stores hold the scalar in each of the turns?
bool isFree(const ScalarContext &context, int last, const isl::union_map &turns) {
  const Statement &f = context.statement(last);
  const isl::union_map element{f.write.relation}, reads = context.readsOf(f.write.array);
  const isl::union_map earlier = context.before.reverse();
  const isl::union_map itself{isl::manage(isl_set_identity(f.domain.copy()))};
  const isl::union_map reading = element.apply_range(reads.reverse()).intersect(earlier.unite(itself));
  const isl::union_map writing = element.apply_range(context.writesOf(f.write.array).reverse()).intersect(earlier);
  return turns.apply_range(reading.unite(writing)).intersect(context.before).is_empty();
}

bool canHold(const Array &array, const Array &scalar) {
  const bool isMemory = array.storage == Array::Storage::Parameter || array.storage == Array::Storage::Local;
  return isMemory && !array.isConst && array.type == scalar.type && !array.extents.empty() && !array.aliasesAny &&
         array.spelling == scalar.spelling && array.records.empty();
}

} // namespace

std::optional<int> homeOf(const ScalarContext &context, const ScalarUse &use) {
  const std::vector<int> touchers = touchersOf(use);
  for (const int last : use.readers) {
    const Statement &f = context.statement(last);
    const bool isStore = std::find(use.writers.begin(), use.writers.end(), last) == use.writers.end();
    if (!isStore || !f.write.exact || !canHold(context.scop.array(f.write.array), context.scop.array(use.name)))
      continue;
    const bool isWithin = std::all_of(touchers.begin(), touchers.end(),
                                      [&](int toucher) { return liesWithin(context.statement(toucher), f); });
    isl::union_map turns = context.none();
    if (isWithin && staysInTurn(context, use, static_cast<unsigned>(f.iterators.size())) &&
        endsAt(context, touchers, last, turns) && isFree(context, last, turns))
      return last;
  }
  return std::nullopt;
}

} // namespace polymend
