// A data size is read at a turn of the loops that it depends on. A kernel knows that turn where each of these loops is
// one of its rows, in tiles of one; its grid and the arrays that kernels hand to each other must do without data sizes.
#include "data_rows.h"

#include "polymend/about.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {

namespace {

/// The source's variable of a dimension.
std::string variableOf(const std::string &dim) { return dim.substr(0, dim.rfind('_')); }

/// Are the loops rows of the member, in tiles of one?
bool hasRows(const Member &member, const Equation &e, const KernelPlan &plan, const std::set<std::string> &loops) {
  return std::all_of(loops.begin(), loops.end(), [&](const std::string &loop) {
    for (std::size_t r = 0; r < member.rows.size(); ++r)
      if (variableOf(e.dims[static_cast<std::size_t>(member.rows[r])]) == loop) return plan.tiles[r] == 1;
    return false;
  });
}

bool dependsOn(const isl::set &set, const DataSize &data);

/// Does each row of the grid that data bound stand within the rows that choose the data, in tiles of one?
bool standsWithinItsRows(const KernelPlan &plan, const Scop &scop) {
  std::set<std::string> single; // the variables of rows before
  for (unsigned r = 0; r < plan.rows.size(); ++r) {
    const isl::set line = aboutDimensions(onlyDimension(plan.domain, r));
    for (const DataSize &data : scop.dataSizes) {
      const std::set<std::string> loops = loopsOf(data, scop);
      if (dependsOn(line, data) && !std::includes(single.begin(), single.end(), loops.begin(), loops.end()))
        return false;
    }
    if (plan.tiles[r] == 1) single.insert(variableOf(plan.rows[r]));
  }
  return true;
}

bool dependsOn(const isl::set &set, const DataSize &data) {
  const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, data.name.c_str());
  return position >= 0 &&
         isl_set_involves_dims(set.get(), isl_dim_param, static_cast<unsigned>(position), 1) == isl_bool_true;
}

/// Do data say how many values of the equation there are at a row?
bool isLong(const Member &member, const Equation &e, const Scop &scop) {
  for (unsigned d = 0; d < e.keys; ++d)
    if (std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d)) == member.rows.end() &&
        dependsOnData(aboutDimensions(onlyDimension(e.keyDomain, d)), scop))
      return true;
  return false;
}

} // namespace

std::map<std::string, std::int64_t> withSingleRows(std::map<std::string, std::int64_t> tiles, const Scop &scop) {
  for (const DataSize &data : scop.dataSizes)
    for (const std::string &loop : loopsOf(data, scop)) tiles[loop] = 1;
  return tiles;
}

std::optional<std::string> losesRows(const Scop &scop, const Relaxed &relaxed, const Schedule &schedule) {
  for (const KernelPlan &plan : schedule.kernels) {
    if (!standsWithinItsRows(plan, scop)) return "a range that is read from arrays would be a kernel's grid";
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members) {
        const auto index = static_cast<std::size_t>(member.equation);
        const Equation &e = relaxed.system->equations[index];
        for (const DataSize &data : scop.dataSizes) {
          if (!dependsOn(e.domain, data) && !dependsOn(e.keyDomain, data)) continue;
          if (!hasRows(member, e, plan, loopsOf(data, scop)))
            return "the rows that '" + show(data.value) + "' belongs to are not a kernel's";
        }
        const EquationPlace place = schedule.places[index];
        if (place == EquationPlace::Work ? dependsOnData(e.keyDomain, scop)
                                         : place == EquationPlace::Row && isLong(member, e, scop))
          return "values over a range that is read from arrays would be stored";
      }
  }
  return std::nullopt;
}

} // namespace polymend
