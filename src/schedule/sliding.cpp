#include "sliding.h"

#include "wide_product.h"

#include <isl/map.h>

#include <algorithm>

namespace polymend {
namespace {

/// Does a subscript of an operand move along a row and along what is summed, as in a window? What neighbouring rows
/// read is then almost the same, and a cache has it.
bool readsWindow(const Equation &e, const Operand &operand) {
  if (domainDimension(operand.map) != e.dims.size()) return false;
  const auto reduced = static_cast<unsigned>(e.dims.size()) - e.keys;
  for (unsigned k = 0; k < rangeDimension(operand.map); ++k) {
    const isl::map one = isl::manage(isl_map_project_out(
        isl_map_project_out(operand.map.copy(), isl_dim_out, k + 1, rangeDimension(operand.map) - k - 1), isl_dim_out,
        0, k));
    if (movesAlong(one, 0, e.keys) && movesAlong(one, e.keys, reduced)) return true;
  }
  return false;
}

/// Does a reduction alone read each value of it, in a turn of its own?
bool isOneTurns(const System &system, std::size_t value) {
  const Equation &e = system.equations[value];
  bool isRead = false, isOwn = true;
  for (const Equation &reader : system.equations)
    for (const Operand &operand : reader.operands) {
      if (operand.equation != static_cast<int>(value)) continue;
      isRead = true;
      isOwn = isOwn && reader.monoid && reader.keys < reader.dims.size() && e.keys >= reader.dims.size() &&
              domainDimension(operand.map) == reader.dims.size();
    }
  return isRead && isOwn;
}

} // namespace

bool slides(const Equation &e, const ScheduleOptions &options) {
  return !options.host && !takesNarrowUnits(e, options) &&
         std::ranges::any_of(e.operands, [&](const Operand &operand) { return readsWindow(e, operand); });
}

std::optional<std::string> doubtOf(const Relaxed &relaxed, const Schedule &schedule, const ScheduleOptions &options) {
  const auto &equations = relaxed.system->equations;
  for (std::size_t e = 0; e < equations.size(); ++e)
    if (schedule.places[e] == EquationPlace::Work && !equations[e].monoid && equations[e].stores.empty() &&
        isOneTurns(*relaxed.system, e))
      return "nothing gained: '" + equations[e].name.substr(0, equations[e].name.rfind("_S")) +
             "' would be stored for each turn of the loop that reads it";
  for (const KernelPlan &plan : schedule.kernels)
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members)
        if (const Equation &e = equations[static_cast<std::size_t>(member.equation)];
            member.role == Member::Role::Inner && slides(e, options))
          return "nothing gained: windows of '" + e.name.substr(0, e.name.rfind("_S")) +
                 "' would be stored for each turn of the loop that reads them";
  return std::nullopt;
}

} // namespace polymend
