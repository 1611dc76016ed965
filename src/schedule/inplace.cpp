// Anti dependences on the planned order: kernels run in order, tiles of rows in any order, phases of a tile in order.
// A read and a write of one element are in order if the read's kernel comes first, or if in one kernel they belong to
// equal rows and the read's phase comes first, or if they are one and the same point.
#include "inplace.h"

#include "group.h"
#include "known_values.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

struct Seat {
  int kernel, phase;
  const Member *member;
};

isl::map toRows(const isl::map &access, const Member &member) {
  isl::map map = isl::manage(
      isl_map_from_domain_and_range(isl_set_universe(isl_space_domain(isl_map_get_space(access.get()))),
                                    isl_set_universe(isl_space_set_alloc(isl_map_get_ctx(access.get()), 0,
                                                                         static_cast<unsigned>(member.rows.size())))));
  for (unsigned r = 0; r < member.rows.size(); ++r)
    map = isl::manage(isl_map_equate(map.release(), isl_dim_in, member.rows[r], isl_dim_out, static_cast<int>(r)));
  return map;
}

bool sameRowsOnly(const isl::map &read, const Member &reader, const isl::map &write, const Member &writer) {
  const isl::map pairs =
      toRows(read, reader).reverse().apply_range(read).apply_range(write.reverse()).apply_range(toRows(write, writer));
  return pairs.is_subset(isl::manage(isl_map_identity(isl_map_get_space(pairs.get()))));
}

bool samePointOnly(const isl::map &read, const isl::map &write) {
  const isl::map pairs = read.apply_range(write.reverse());
  return pairs.is_subset(isl::manage(isl_map_identity(isl_map_get_space(pairs.get()))));
}

/// A map that copies a writer's values to where it stored them. Its name and those of its dimensions are new.
Equation copyOf(Equation &writer, int index) {
  Equation copy;
  copy.name = writer.name + "_late";
  copy.array = writer.array;
  copy.type = writer.type;
  copy.keys = writer.keys;
  std::vector<Expr> subscripts;
  for (unsigned d = 0; d < writer.keys; ++d) {
    copy.dims.push_back(writer.dims[d] + "late");
    subscripts.push_back(Expr::symbol(copy.dims.back(), Type::Int64));
  }
  copy.domain = copy.keyDomain = setTuple(writer.keyDomain, copy.name);
  copy.value = Expr::read(writer.name, subscripts, writer.type, 0);
  const isl::map same = isl::manage(isl_set_identity(writer.keyDomain.copy()));
  copy.operands.push_back({index, "", setDomainTuple(same, copy.name), true});
  for (Store &store : writer.stores) copy.stores.push_back({store.array, setDomainTuple(store.map, copy.name)});
  writer.stores.clear();
  copy.statement = writer.statement;
  copy.late = true;
  return copy;
}

/// Reads what the writer has stored where another equation computes its values once more, from what it overwrites.
/// What a correction stands at, or moves with, stays as it is. False: there is none.
bool readWritten(Relaxed &relaxed, int writer) {
  auto &equations = relaxed.system->equations;
  const auto isMended = [&](int e) {
    return std::ranges::any_of(relaxed.mended, [&](const Mended &mended) {
      return mended.consumer == e || std::ranges::find(mended.producers, e) != mended.producers.end();
    });
  };
  bool found = false;
  for (int e = writer + 1; e < static_cast<int>(equations.size()); ++e) {
    if (isMended(e)) continue;
    const Expr &value = equations[static_cast<std::size_t>(writer)].value;
    for (const ComputedFactor &part : partsLike(equations[static_cast<std::size_t>(e)], value))
      found = readInstead(*relaxed.system, e, part, writer) || found;
  }
  return found;
}

} // namespace

std::string Overwritten::reason() const {
  return "'" + array + "' is updated in place, and its old values are still needed when they are overwritten";
}

std::optional<Overwritten> overwrittenTooEarly(const Relaxed &relaxed, const std::vector<KernelPlan> &kernels) {
  std::vector<Seat> seats(relaxed.system->equations.size(), {-1, -1, nullptr});
  for (std::size_t k = 0; k < kernels.size(); ++k)
    for (std::size_t p = 0; p < kernels[k].phases.size(); ++p)
      for (const Member &member : kernels[k].phases[p].members)
        seats[static_cast<std::size_t>(member.equation)] = {static_cast<int>(k), static_cast<int>(p), &member};
  const auto &equations = relaxed.system->equations;
  for (std::size_t w = 0; w < equations.size(); ++w)
    for (const Store &store : equations[w].stores)
      for (std::size_t r = 0; r < equations.size(); ++r)
        for (const Operand &operand : equations[r].operands) {
          if (operand.equation >= 0 || operand.array != store.array) continue;
          const Seat &reader = seats[r], &writer = seats[w];
          if (reader.kernel < writer.kernel) continue;
          const bool placed = domainDimension(operand.map) == equations[r].dims.size() ||
                              domainDimension(operand.map) == equations[r].keys;
          const bool rows = placed && reader.kernel == writer.kernel &&
                            sameRowsOnly(operand.map, *reader.member, store.map, *writer.member);
          if (rows && reader.phase < writer.phase) continue;
          if (rows && r == w && samePointOnly(operand.map, store.map)) continue;
          return Overwritten{static_cast<int>(w), store.array};
        }
  return std::nullopt;
}

Relaxed withLateStores(const Relaxed &relaxed, const ScheduleOptions &options) {
  if (!relaxed.system) return relaxed;
  Relaxed result = relaxed;
  for (std::size_t copies = 0; copies <= relaxed.system->equations.size(); ++copies) {
    const auto found = overwrittenTooEarly(result, group(result, options).kernels);
    if (!found) return result;
    auto &equations = result.system->equations;
    Equation &writer = equations[static_cast<std::size_t>(found->writer)];
    const auto isDeeper = [&](const Equation &e) { return e.dims.size() > writer.keys; };
    const bool isLittle = std::none_of(equations.begin(), equations.end(), isDeeper);
    if (isLittle && !options.host && readWritten(result, found->writer)) continue;
    if (isLittle || writer.late) return relaxed;
    equations.push_back(copyOf(writer, found->writer));
  }
  return relaxed;
}

} // namespace polymend
