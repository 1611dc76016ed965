// An update X = X (+) element is a reduction when its instances fall into chains that nobody watches: the value flows
// from one instance to at most one later instance of the same chain, each chain has one first and one last instance,
// and whatever else reads the accumulator reads it behind the last one. Anything that reads a partial result (a scan)
// is none. The element may read other elements of the same array, never its own accumulator.
#include "reduction.h"

#include "deps/split.h"
#include "taken_once.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace polymend {

namespace {

const Sources &find(const Flow &flow, int statement, int read) {
  return *std::find_if(flow.sources.begin(), flow.sources.end(),
                       [&](const Sources &sources) { return sources.statement == statement && sources.read == read; });
}

std::set<int> selfReads(const Statement &statement) {
  std::set<int> self;
  for (std::size_t k = 0; k < statement.reads.size(); ++k) {
    const Access &read = statement.reads[k];
    if (read.exact && read.array == statement.write.array && read.relation.is_equal(statement.write.relation))
      self.insert(static_cast<int>(k));
  }
  return self;
}

bool elementAvoidsAccumulator(const Statement &statement, const std::set<int> &self) {
  for (std::size_t k = 0; k < statement.reads.size(); ++k)
    if (self.count(static_cast<int>(k)) == 0 && statement.reads[k].array == statement.write.array &&
        !statement.reads[k].relation.is_disjoint(statement.write.relation))
      return false;
  return true;
}

/// { S[x] -> S[y] : y reads what x wrote }, empty when nothing does.
isl::map chainOf(const Statement &statement, const Sources &sources) {
  isl::map chain = isl::manage(isl_map_empty(isl_space_map_from_set(isl_set_get_space(statement.domain.get()))));
  for (const auto &[writer, reads] : sources.from)
    if (writer == sources.statement) chain = chain.unite(reads.reverse());
  return chain;
}

std::vector<bool> moving(const isl::map &chain) {
  const isl::set deltas(isl::manage(isl_set_from_basic_set(isl_set_affine_hull(isl_map_deltas(chain.copy())))));
  std::vector<bool> result;
  for (unsigned d = 0; d < dimension(deltas); ++d) {
    const isl::val value = isl::manage(isl_set_plain_get_val_if_fixed(deltas.get(), isl_dim_set, d));
    result.push_back(!(value.is_int() && value.is_zero()));
  }
  return result;
}

/// { S[x] -> S[y] : x and y agree in the dimensions that do not move }.
isl::map agreeing(const isl::set &domain, const std::vector<bool> &reduced) {
  isl_map *same = isl_map_universe(isl_space_map_from_set(isl_set_get_space(domain.get())));
  for (unsigned d = 0; d < reduced.size(); ++d)
    if (!reduced[d]) same = isl_map_equate(same, isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d));
  return isl::manage(same);
}

/// Whether no two points of `ends` belong to one chain.
bool onePerChain(const isl::set &ends, const isl::map &same) {
  const isl::map pairs = same.intersect_domain(ends).intersect_range(ends);
  return pairs.is_subset(isl::manage(isl_set_identity(ends.copy())));
}

/// Whether everything but the chain itself reads `statement` at its last instances only.
bool watchedOnlyAtTheEnd(int statement, const std::set<int> &self, const isl::set &last, const Flow &flow) {
  for (const Sources &sources : flow.sources) {
    if (sources.statement == statement && self.count(sources.read) != 0) continue;
    for (const auto &[writer, reads] : sources.from)
      if (writer == statement && !reads.range().is_subset(last)) return false;
  }
  return true;
}

/// Is the value a zero?
bool isPlainZero(const Expr &value) {
  if (value.op() == Op::Cast) return isPlainZero(value.arg(0));
  return (value.op() == Op::Real && value->real == 0) || (value.op() == Op::Integer && value->integer == 0);
}

/// Is every value that a chain begins with a zero?
bool beginsAsZero(const Scop &scop, const Statement &statement, const Sources &sources) {
  isl::set begun = isl::manage(isl_set_empty(isl_set_get_space(statement.domain.get())));
  bool zeros = true;
  for (const auto &[writer, reads] : sources.from) {
    if (writer == sources.statement) continue;
    zeros = zeros && isPlainZero(scop.statements[static_cast<std::size_t>(writer)].value);
    begun = begun.unite(reads.domain());
  }
  return zeros && statement.domain.subtract(chainOf(statement, sources).range()).is_subset(begun);
}

/// The update of a statement that may assign in one turn of a chain.
std::optional<SplitUpdate> assignedOnce(const Scop &scop, const Statement &statement, const std::set<int> &self,
                                        const Sources &sources) {
  const isl::map chain = chainOf(statement, sources);
  if (chain.is_empty() || !beginsAsZero(scop, statement, sources)) return std::nullopt;
  std::vector<std::string> loops;
  const std::vector<bool> moves = moving(chain);
  for (unsigned d = 0; d < moves.size(); ++d)
    if (moves[d]) loops.emplace_back(statement.iterators[d]);
  return takenOnce(scop, statement, self, loops);
}

std::optional<Reduction> recognise(const Scop &scop, const Flow &flow, int index) {
  const Statement &statement = scop.statements[static_cast<std::size_t>(index)];
  const std::set<int> self = selfReads(statement);
  if (self.empty()) return std::nullopt;
  std::optional<SplitUpdate> update = splitUpdate(statement.value, self);
  if (!update) update = assignedOnce(scop, statement, self, find(flow, index, *self.begin()));
  if (!update || !elementAvoidsAccumulator(statement, self)) return std::nullopt;
  const isl::map chain = chainOf(statement, find(flow, index, *self.begin()));
  if (chain.is_empty() || !chain.is_single_valued() || !chain.is_injective()) return std::nullopt;
  Reduction result{index,
                   *self.begin(),
                   update->monoid,
                   update->comparison,
                   update->element,
                   moving(chain),
                   coalesced(statement.domain.subtract(chain.range())),
                   coalesced(statement.domain.subtract(chain.domain()))};
  const isl::map same = agreeing(statement.domain, result.reduced);
  if (!onePerChain(result.first, same) || !onePerChain(result.last, same)) return std::nullopt;
  if (!watchedOnlyAtTheEnd(index, self, result.last, flow)) return std::nullopt;
  return result;
}

} // namespace

isl::map sameChain(const Scop &scop, const Reduction &reduction) {
  return agreeing(scop.statements[static_cast<std::size_t>(reduction.statement)].domain, reduction.reduced);
}

std::vector<Reduction> reductions(const Scop &scop, const Flow &flow) {
  std::vector<Reduction> found;
  for (std::size_t s = 0; s < scop.statements.size(); ++s)
    if (std::optional<Reduction> one = recognise(scop, flow, static_cast<int>(s))) found.push_back(std::move(*one));
  return found;
}

} // namespace polymend
