// Kernels run in order, row tiles of a kernel in any order, phases of a tile in order, chunks of a phase in order and
// its members in order within a chunk. So a read is legal iff its source's kernel is earlier; or it is the same row's
// value from an earlier phase; or, in one loop, the value of the same point; or a running value that is mended.
#include "polymend/order.h"

#include <isl/map.h>

#include <algorithm>

namespace polymend {
namespace {

struct Seat {
  int kernel = -1, phase = -1, position = -1;
  const Member *member = nullptr;
};

std::vector<Seat> seatsOf(const Relaxed &relaxed, const Schedule &schedule) {
  std::vector<Seat> seats(relaxed.system->equations.size());
  for (std::size_t k = 0; k < schedule.kernels.size(); ++k)
    for (std::size_t p = 0; p < schedule.kernels[k].phases.size(); ++p) {
      const Phase &phase = schedule.kernels[k].phases[p];
      for (std::size_t m = 0; m < phase.members.size(); ++m)
        seats[static_cast<std::size_t>(phase.members[m].equation)] = {static_cast<int>(k), static_cast<int>(p), static_cast<int>(m), &phase.members[m]};
    }
  return seats;
}

/// Do all pairs { reader -> source } agree in these dimensions?
bool agree(const isl::map &pairs, const std::vector<int> &reader, const std::vector<int> &source) {
  if (reader.size() != source.size()) return false;
  isl::map same = pairs;
  for (std::size_t k = 0; k < reader.size(); ++k) {
    if (source[k] >= static_cast<int>(rangeDimension(pairs))) return false;
    same = isl::manage(isl_map_equate(same.release(), isl_dim_in, reader[k], isl_dim_out, source[k]));
  }
  return pairs.is_subset(same);
}

/// Is the read that of a running value which the reader mends?
bool isMended(const Relaxed &relaxed, const Seat &reader, int source) {
  if (reader.member->mended < 0) return false;
  const auto &producers = relaxed.mended[static_cast<std::size_t>(reader.member->mended)].producers;
  return std::find(producers.begin(), producers.end(), source) != producers.end();
}

std::string judge(const Relaxed &relaxed, const Seat &reader, const Seat &source, const Operand &operand) {
  if (source.kernel < 0) return "is never computed";
  if (source.kernel != reader.kernel) return source.kernel < reader.kernel ? "" : "is computed by a later kernel";
  if (source.phase > reader.phase) return "is computed by a later phase";
  const bool whole = domainDimension(operand.map) == relaxed.system->equations[static_cast<std::size_t>(reader.member->equation)].dims.size();
  if (whole && !agree(operand.map, reader.member->rows, source.member->rows)) return "belongs to another tile of rows";
  if (source.phase < reader.phase) return "";
  if (source.position >= reader.position) return "is computed later in the loop";
  if (source.member->role == Member::Role::Inner)
    return agree(operand.map, reader.member->rolled, source.member->rolled) ? "" : "belongs to another iteration of the loop";
  return isMended(relaxed, reader, operand.equation) ? "" : "is not complete in this loop, and nothing mends it";
}

} // namespace

std::vector<std::string> violations(const Relaxed &relaxed, const Schedule &schedule) {
  std::vector<std::string> result;
  if (schedule.order) return result;
  const std::vector<Seat> seats = seatsOf(relaxed, schedule);
  const auto &equations = relaxed.system->equations;
  for (std::size_t e = 0; e < equations.size(); ++e) {
    if (seats[e].kernel < 0) {
      result.push_back("'" + equations[e].name + "' is in no kernel");
      continue;
    }
    for (const Operand &operand : equations[e].operands) {
      if (operand.equation < 0) continue;
      const std::string fault = judge(relaxed, seats[e], seats[static_cast<std::size_t>(operand.equation)], operand);
      if (!fault.empty()) result.push_back("'" + equations[static_cast<std::size_t>(operand.equation)].name + "', which '" + equations[e].name + "' reads, " + fault);
    }
  }
  return result;
}

} // namespace polymend
