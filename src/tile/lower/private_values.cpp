#include "private_values.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_set.h>

#include <algorithm>
#include <optional>

namespace polymend {

namespace {

/// A thread keeps no more elements than these, of an array and of all.
constexpr std::int64_t mostOfOne = 256, mostOfAll = 4096;

/// How many elements a number or a small array of the function's own has; absent: it is another.
std::optional<std::int64_t> ownElements(const Array &array) {
  if (array.storage != Array::Storage::Local || array.functionStatic || array.flat) return std::nullopt;
  std::int64_t elements = 1;
  for (const Expr &extent : array.extents) {
    if (!extent || extent.op() != Op::Integer || extent->integer < 1 || extent->integer > mostOfOne)
      return std::nullopt;
    elements *= extent->integer;
    if (elements > mostOfOne) return std::nullopt;
  }
  return elements;
}

/// Does some instance read the array before anything is set?
bool isReadUnset(const Scop &scop, const Dependences &dependences, const std::string &array) {
  return std::ranges::any_of(dependences.sources, [&](const Sources &sources) {
    const Statement &reader = scop.statements[static_cast<std::size_t>(sources.statement)];
    return reader.reads[static_cast<std::size_t>(sources.read)].array == array && !sources.liveIn.is_empty();
  });
}

bool touches(const Statement &statement, const std::string &array) {
  return statement.write.array == array ||
         std::ranges::any_of(statement.reads, [&](const Access &read) { return read.array == array; });
}

} // namespace

PrivateValues::PrivateValues(const Scop &scop, const Dependences &dependences, const std::set<std::string> &shared) {
  std::int64_t all = 0;
  for (const Array &array : scop.arrays) {
    const auto elements = ownElements(array);
    if (!elements || shared.contains(array.name) || isReadUnset(scop, dependences, array.name)) continue;
    all += *elements;
    if (all > mostOfAll) break;
    const isl::space space = isl::manage(isl_set_get_space(scop.statements.front().domain.get()));
    isl_union_set *users = isl_union_set_empty(isl_space_params(space.copy()));
    isl_union_map *flow = isl_union_map_empty(isl_space_params(space.copy()));
    for (const Statement &statement : scop.statements)
      if (touches(statement, array.name)) users = isl_union_set_add_set(users, statement.domain.copy());
    for (const Dependence &edge : dependences.edges)
      if (edge.kind == Dependence::Kind::Flow && edge.array == array.name)
        flow = isl_union_map_add_map(flow, edge.relation.copy());
    candidates.push_back({array.name, isl::manage(users), isl::manage(flow)});
  }
}

std::set<std::string> PrivateValues::within(const isl::union_map &times) const {
  std::set<std::string> result;
  const isl::union_set here = times.domain();
  for (const Candidate &one : candidates) {
    if (one.users.intersect(here).is_empty()) continue;
    const isl::union_map from = one.flow.intersect_domain(here), to = one.flow.intersect_range(here);
    if (!from.is_subset(to) || !to.is_subset(from)) continue;
    const isl::union_map between = from.apply_domain(times).apply_range(times);
    const isl::union_map same = isl::manage(isl_union_set_identity(isl_union_map_range(times.copy())));
    if (between.is_subset(same)) result.insert(one.array);
  }
  return result;
}

} // namespace polymend
