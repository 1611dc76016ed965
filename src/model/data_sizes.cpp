// Data sizes as parameters. A statement S[o, t] with t below a data size of o stands in the model with one number for
// all o. Each pair of turns exists in the model for some number, so that what is written where is a superset; what is
// overwritten, or left out because a row is short, is right within one o alone. Hence what such a statement writes may
// meet no statement of its kind at another turn of o: then an element belongs to one o, whose number decides what
// others find there. Arrays that live within a turn never meet, and scalars that are set anew in each are as good.
#include "data_sizes.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {

namespace {

/// How many of the statement's outermost loops there are up to the last one that a data size of its bounds depends on;
/// 0: its bounds read no data, or the same data always.
std::size_t rowsOf(const Statement &statement, const Scop &scop) {
  std::size_t depth = 0;
  for (const DataSize &data : scop.dataSizes) {
    const int position = isl_set_find_dim_by_name(statement.domain.get(), isl_dim_param, data.name.c_str());
    if (position < 0 || isl_set_involves_dims(statement.domain.get(), isl_dim_param, static_cast<unsigned>(position),
                                              1) != isl_bool_true)
      continue;
    const std::set<std::string> loops = loopsOf(data, scop);
    for (std::size_t d = 0; d < statement.iterators.size(); ++d)
      if (loops.contains(statement.iterators[d])) depth = std::max(depth, d + 1);
  }
  return depth;
}

bool isWithinTurn(const Scop &scop, const std::string &array, std::size_t depth) {
  const auto at = scop.scopeDepth.find(array);
  return at != scop.scopeDepth.end() && at->second >= depth;
}

/// The turns of the `depth` outermost loops at which a statement runs.
isl::set turnsOf(const Statement &statement, std::size_t depth) {
  const auto inner = static_cast<unsigned>(statement.iterators.size() - depth);
  return setTuple(projectOut(statement.domain, static_cast<unsigned>(depth), inner), "");
}

bool touches(const Statement &statement, const std::string &array) {
  return statement.write.array == array || std::any_of(statement.reads.begin(), statement.reads.end(),
                                                       [&](const Access &read) { return read.array == array; });
}

/// Does the statement at `first` set a scalar at each turn of its loops at which the one at `later` runs, before that?
bool setsBefore(const Scop &scop, std::size_t first, std::size_t later) {
  const Statement &setting = scop.statements[first], &statement = scop.statements[later];
  const std::size_t depth = setting.iterators.size();
  return first < later && depth <= statement.iterators.size() && rowsOf(setting, scop) == 0 &&
         std::equal(setting.iterators.begin(), setting.iterators.end(), statement.iterators.begin()) &&
         turnsOf(statement, depth).is_subset(turnsOf(setting, depth));
}

/// Is a scalar set at each turn of the `depth` outermost loops, whatever data say, before statements with bounds that
/// data say touch it? Then these see no other turn's.
bool isSetEachTurn(const Scop &scop, const std::string &array, std::size_t depth) {
  if (!scop.array(array).extents.empty()) return false;
  for (std::size_t first = 0; first < scop.statements.size(); ++first) {
    const Statement &setting = scop.statements[first];
    const bool reads = std::any_of(setting.reads.begin(), setting.reads.end(),
                                   [&](const Access &read) { return read.array == array; });
    if (setting.write.array != array || setting.iterators.size() != depth || reads) continue;
    bool all = true;
    for (std::size_t later = 0; later < scop.statements.size() && all; ++later) {
      const Statement &other = scop.statements[later];
      all = !touches(other, array) || rowsOf(other, scop) == 0 || setsBefore(scop, first, later);
    }
    if (all) return true;
  }
  return false;
}

/// Do the accesses meet at different values of the `depth` outermost loops?
bool meetsElsewhere(const Access &a, const Access &b, std::size_t depth) {
  isl::map pairs = a.relation.apply_range(b.relation.reverse());
  const std::size_t inner = domainDimension(b.relation);
  if (inner < depth) return !pairs.is_empty();
  for (std::size_t d = 0; d < depth; ++d) {
    const isl::map same = isl::manage(isl_map_equate(isl_map_universe(isl_map_get_space(pairs.get())), isl_dim_in,
                                                     static_cast<int>(d), isl_dim_out, static_cast<int>(d)));
    if (!pairs.is_subset(same)) return true;
  }
  return false;
}

Refusal shared(const Access &written, const Scop &scop, const Statement &statement) {
  std::string loops;
  for (const DataSize &data : scop.dataSizes)
    for (const std::string &loop : loopsOf(data, scop))
      if (loops.empty() &&
          std::find(statement.iterators.begin(), statement.iterators.end(), loop) != statement.iterators.end())
        loops = scop.sourceName(loop);
  return {"ranges read from arrays decide which turns of '" + loops + "' share elements of '" + written.array +
              "', which is known at run time alone",
          written.where};
}

} // namespace

std::set<std::string> loopsOf(const DataSize &data, const Scop &scop) {
  std::set<std::string> loops = symbols(data.value);
  for (const std::string &name : scop.parameters) loops.erase(name);
  return loops;
}

bool dependsOnData(const isl::set &set, const Scop &scop) {
  return std::any_of(scop.dataSizes.begin(), scop.dataSizes.end(), [&](const DataSize &data) {
    const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, data.name.c_str());
    return position >= 0 &&
           isl_set_involves_dims(set.get(), isl_dim_param, static_cast<unsigned>(position), 1) == isl_bool_true;
  });
}

isl::set withoutDataSizes(const isl::set &set, const Scop &scop) {
  isl_set *all = set.copy();
  for (const DataSize &data : scop.dataSizes) {
    const int position = isl_set_find_dim_by_name(all, isl_dim_param, data.name.c_str());
    if (position >= 0) all = isl_set_project_out(all, isl_dim_param, static_cast<unsigned>(position), 1);
  }
  return isl::manage(all);
}

std::optional<Refusal> beyondRows(const Scop &scop) {
  if (scop.dataSizes.empty()) return std::nullopt;
  for (const DataSize &data : scop.dataSizes)
    for (const std::string &loop : loopsOf(data, scop))
      if (scop.origins.contains(loop))
        return Refusal{"a range is read from arrays within a range that is read from arrays", data.where};
  if (dependsOnData(scop.assumptions, scop))
    return Refusal{"the shape of an array would rest on bounds that are read from arrays",
                   scop.dataSizes.front().where};
  for (const Statement &statement : scop.statements) {
    const std::size_t depth = rowsOf(statement, scop);
    if (depth == 0 || isWithinTurn(scop, statement.write.array, depth) ||
        isSetEachTurn(scop, statement.write.array, depth))
      continue;
    for (const Statement &other : scop.statements) {
      if (rowsOf(other, scop) == 0) continue;
      const auto meets = [&](const Access &access) {
        return access.array == statement.write.array && meetsElsewhere(statement.write, access, depth);
      };
      if (meets(other.write) || std::any_of(other.reads.begin(), other.reads.end(), meets))
        return shared(statement.write, scop, statement);
    }
  }
  return std::nullopt;
}

} // namespace polymend
